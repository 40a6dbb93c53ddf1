package wiretype_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestInt64ReadsEveryWholeNumberAndWritesItAsItCame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want int64
	}{
		{`"3"`, 3},
		{`3`, 3},
		{`3.0`, 3},
		{`3e2`, 300},
		{`"3.0"`, 3},
		{`1.5e1`, 15},
		{`1200e-2`, 12},
		{`0.0`, 0},
		{`-0`, 0},
		{`"-0"`, 0},
		{`0e999999999`, 0},
		{`-7`, -7},
		{`"9223372036854775807"`, math.MaxInt64},
		{`-9223372036854775808`, math.MinInt64},
		{`-9.223372036854775808E+18`, math.MinInt64},
		{`9007199254740993`, 9007199254740993},
		{`9007199254740993.0`, 9007199254740993},
		{`"\u0033"`, 3},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			var i wiretype.Int64
			if err := json.Unmarshal([]byte(tt.in), &i); err != nil {
				t.Fatal(err)
			}
			if i.Int64() != tt.want {
				t.Errorf("Int64 is %d, want %d", i.Int64(), tt.want)
			}
			// The encoder writes a string in its own escapes and keeps a number's digits.
			want := jsontext.Value(tt.in)
			if err := want.Compact(jsontext.PreserveRawStrings(false)); err != nil {
				t.Fatal(err)
			}
			if out := encode(t, i); out != string(want) {
				t.Errorf("encodes as %s, want %s", out, want)
			}
		})
	}
}

func TestInt64AppendsItselfInTheFormInWhichItCame(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`"3"`, `3`, `3.0`, `"3e2"`, `"\u0033"`, `-0`,
		`"-9223372036854775808"`} {
		i, err := wiretype.ParseInt64([]byte(in))
		if out := string(i.AppendJSON([]byte("x"))); err != nil || out != "x"+in {
			t.Errorf("%s is appended as %s, %v", in, out, err)
		}
	}
	if out := string(wiretype.NewInt64(7).AppendJSON(nil)); out != `"7"` {
		t.Errorf("7 is appended as %s", out)
	}
}

func TestInt64RefusesNumbersThatAreNotIntegersOf64Bits(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, wantErr string }{
		{`3.5`, "not a whole number"},
		{`5e-1`, "not a whole number"},
		{`"2.25"`, "not a whole number"},
		{`9223372036854775808`, "out of the range"},
		{`-9223372036854775809`, "out of the range"},
		{`1e19`, "out of the range"},
		{`1e400`, "out of the range"},
		{`1e99999999999`, "out of the range"},
		{`""`, "not a number"},
		{`" 3"`, "not a number"},
		{`"3 "`, "not a number"},
		{`"+3"`, "not a number"},
		{`"03"`, "not a number"},
		{`"0x10"`, "not a number"},
		{`"1_000"`, "not a number"},
		{`"three"`, "not a number"},
		{`true`, "a string or a number"},
		{`[3]`, "a string or a number"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			var i wiretype.Int64
			err := json.Unmarshal([]byte(tt.in), &i)
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("error %v, want one with %q", err, tt.wantErr)
			}
			if i != (wiretype.Int64{}) {
				t.Errorf("holds %v after an error", i)
			}
		})
	}
}

func TestCanonicalInt64IsADecimalString(t *testing.T) {
	t.Parallel()
	for _, v := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		made := wiretype.NewInt64(v)
		var read wiretype.Int64
		if err := json.Unmarshal([]byte(encode(t, made)), &read); err != nil {
			t.Fatal(err)
		}
		if read != made {
			t.Errorf("%v reads back as %v", made, read)
		}
		if want := `"` + made.String() + `"`; encode(t, made) != want {
			t.Errorf("%d encodes as %s, want %s", v, encode(t, made), want)
		}
	}
	if out := encode(t, wiretype.Int64{}); out != `"0"` {
		t.Errorf("the zero value encodes as %s", out)
	}
}

func TestInt64NullIsZero(t *testing.T) {
	t.Parallel()
	i := wiretype.NewInt64(5)
	if err := json.Unmarshal([]byte(`null`), &i); err != nil || i != (wiretype.Int64{}) {
		t.Errorf("null reads as %v, %v", i, err)
	}
}

// FuzzInt64 compares Int64 with exact arithmetic. Int64 accepts a number exactly if its value is a
// whole number of 64 bits, and writes an accepted number as the same JSON.
func FuzzInt64(f *testing.F) {
	for _, seed := range []string{`"3"`, `3.0`, `3e2`, `-0`, `1e-1`, `"12e-1"`,
		`9223372036854775808`, `120e-1`, `0.5e1`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value := jsontext.Value(data).Clone()
		if len(data) > 64 || !value.IsValid() {
			t.Skip("no JSON text of a sensible length")
		}
		var i wiretype.Int64
		err := json.Unmarshal(data, &i)
		want, isInt64 := exactInt64(value)
		if (err == nil) != isInt64 {
			t.Fatalf("%s: error %v, but whole 64-bit number: %v", data, err, isInt64)
		}
		if err != nil {
			return
		}
		if i.Int64() != want {
			t.Fatalf("%s: %d, want %d", data, i.Int64(), want)
		}
		var again wiretype.Int64
		out := encode(t, i)
		if err := json.Unmarshal([]byte(out), &again); err != nil || again.Int64() != want {
			t.Fatalf("%s is written as %s, which reads as %v, %v", data, out, again, err)
		}
		if out2 := encode(t, again); out2 != out {
			t.Fatalf("%s is written as %s and then as %s", data, out, out2)
		}
		if jsontext.Value(out).Kind() != value.Kind() && value.Kind() != jsontext.KindNull {
			t.Fatalf("%s is written as %s", data, out)
		}
	})
}

// exactInt64 is the expected value of a JSON number, or of a string that contains one, by rational
// arithmetic. An exponent that would need too much memory is out of range, unless the number is 0.
func exactInt64(value jsontext.Value) (int64, bool) {
	_ = value.Compact()
	switch value.Kind() {
	case jsontext.KindNull:
		return 0, true
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		inner := jsontext.Value(text)
		if err != nil || inner.Kind() != jsontext.KindNumber || !inner.IsValid() ||
			strings.TrimSpace(string(text)) != string(text) {
			return 0, false
		}
		value = inner
	case jsontext.KindNumber:
	default:
		return 0, false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(value)), "e")
	if !strings.ContainsAny(mantissa, "123456789") {
		return 0, true
	}
	if len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(string(value))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}
