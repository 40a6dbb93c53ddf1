package jsonx_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
)

func TestNumbersAreReadByTheirNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in              string
		want            float64
		strict, lenient bool
	}{
		{`"NaN"`, math.NaN(), true, true},
		{`"Infinity"`, math.Inf(1), true, true},
		{`"-Infinity"`, math.Inf(-1), true, true},
		{`"\u004eaN"`, math.NaN(), true, true},
		{`0.5`, 0.5, true, true},
		{`-1e3`, -1000, true, true},
		{`"0.5"`, 0.5, false, true},
		{`"-1e3"`, -1000, false, true},
		{`"1e400"`, 0, false, false},
		{`"0x10"`, 0, false, false},
		{`" 1"`, 0, false, false},
		{`"nan"`, 0, false, false},
		{`"+Infinity"`, 0, false, false},
		{`""`, 0, false, false},
		{`true`, 0, false, false},
		{`"secret"`, 0, false, false},
	}
	for _, tt := range tests {
		for _, reader := range []struct {
			functions *json.Unmarshalers
			ok        bool
		}{{jsonx.NonFiniteUnmarshalers, tt.strict}, {jsonx.LenientNonFiniteUnmarshalers,
			tt.lenient}} {
			var got float64
			err := json.Unmarshal([]byte(tt.in), &got, json.WithUnmarshalers(reader.functions))
			if (err == nil) != reader.ok ||
				err == nil && got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
				t.Errorf("%s: %v, %v", tt.in, got, err)
			}
		}
	}
}

func TestAnErrorNamesNoText(t *testing.T) {
	t.Parallel()
	var got float64
	text := `"` + strings.Repeat("secret", 30) + `"` // the library itself quotes short ones
	for _, functions := range []*json.Unmarshalers{jsonx.NonFiniteUnmarshalers,
		jsonx.LenientNonFiniteUnmarshalers} {
		err := json.Unmarshal([]byte(text), &got, json.WithUnmarshalers(functions))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	}
}

func TestNumbersAreWrittenByTheirNames(t *testing.T) {
	t.Parallel()
	in := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 0.5, math.MaxFloat64}
	got, err := json.Marshal(in, json.WithMarshalers(jsonx.NonFiniteMarshalers))
	if want := `["NaN","Infinity","-Infinity",0,0.5,1.7976931348623157e+308]`; err != nil ||
		string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
