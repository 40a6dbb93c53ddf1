package plainjson

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestNumbersAreReadExactlyOrNotAtAll(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`0`, `-0`, `1`, `-1`, `40`, `999999999999999999`, `-999999999999999999`,
		`1000000000000000000`, `9223372036854775807`, `18446744073709551616`,
		`00`, `01`, `-01`, `+1`, `--1`, `-`, ``, `1.0`, `1.`, `1e0`, `1e`, `0x10`, `1_000`, `"1"`,
		`null`, `true`, `1 2`, ` 1 `, `1a`,
		`0.1`, `-1.5E+300`, `1e400`, `-1e400`, `1e-400`, `0.1234567890123456789012345`, `Inf`,
		`NaN`, `infinity`, `.5`, `0.5.5`,
	} {
		checkNumber(t, text)
	}
}

func FuzzNumbersAreReadExactlyOrNotAtAll(f *testing.F) {
	f.Add(`-12.5e+3`)
	f.Fuzz(checkNumber)
}

func checkNumber(t *testing.T, text string) {
	t.Helper()
	d := NewDecoder([]byte(text))
	if got := d.Int64(); d.Done() {
		var want int64
		if err := json.Unmarshal([]byte(text), &want); err != nil || got != want {
			t.Fatalf("%q: %d, want %d, %v", text, got, want, err)
		}
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil &&
		strconv.FormatInt(n, 10) == text && n > -1e18 && n < 1e18 {
		t.Fatalf("%q is not read", text)
	}
	d = NewDecoder([]byte(text))
	if got := d.Int(); d.Done() && strconv.IntSize == 32 && int64(got) != int64(int32(got)) {
		t.Fatalf("%q: %d", text, got)
	}
	var want float64
	err := json.Unmarshal([]byte(text), &want)
	isNumber := err == nil && jsontext.Value(text).Kind() == '0'
	d = NewDecoder([]byte(text))
	if got := d.Float64(); d.Done() != isNumber ||
		isNumber && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q: %v, %v; want %v, %v", text, got, d.Done(), want, err)
	}
}

func FuzzNumbersAreWrittenAsTheLibraryWritesThem(f *testing.F) {
	f.Add(0.1)
	f.Add(math.Inf(1))
	f.Add(math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, v float64) {
		var e Encoder
		out := e.Float64(nil, v)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			if e.Done() {
				t.Fatalf("%v is written as %s", v, out)
			}
			return
		}
		if want := jsontext.AppendFloat(nil, v, 64); !bytes.Equal(out, want) || !e.Done() {
			t.Fatalf("%v is written as %s, want %s", v, out, want)
		}
	})
}

func TestPointersToNumbersAreIndependent(t *testing.T) {
	t.Parallel()
	d := NewDecoder([]byte(`[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]`))
	var all []*int
	for more := d.BeginList(); more; more = d.NextElement() {
		all = append(all, d.NewInt())
	}
	for i, p := range all {
		if *p != i {
			t.Errorf("number %d is %d", i, *p)
		}
		*p = -1
		if i+1 < len(all) && *all[i+1] != i+1 {
			t.Errorf("setting number %d changes its neighbour", i)
		}
	}
	if !d.Done() || len(all) != 20 {
		t.Errorf("%d numbers, done %v", len(all), d.Done())
	}
}

func TestCountIsExactAndHarmless(t *testing.T) {
	t.Parallel()
	commas := bytes.Repeat([]byte{','}, 1<<20)
	for text, want := range map[string]int{`1]`: 1, `1,2]`: 2, `1 , 2,3 ] ,4`: 3, `1,2`: 1, ``: 1,
		string(commas) + "]": 1} {
		d := NewDecoder([]byte(text))
		if got := d.Count(); got != want {
			t.Errorf("%.20q: %d, want %d", text, got, want)
		}
	}
}
