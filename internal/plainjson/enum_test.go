package plainjson_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

func TestEnumName(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want, wantErr string }{
		{name: "a known name", in: `"STOP"`, want: "STOP"},
		{name: "a known name in another letter case", in: `"Stop"`, want: "STOP"},
		{name: "a known name with escapes", in: `"ST\u004fP"`, want: "STOP"},
		{name: "a name newer than the description", in: `"Brand_New"`, want: "Brand_New"},
		{name: "a number", in: `17`, want: "17"},
		{name: "null", in: `null`, want: ""},
		{name: "an object", in: `{}`, wantErr: "a string or a number"},
		{name: "a boolean", in: `true`, wantErr: "a string or a number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := plainjson.EnumName(jsontext.Value(tt.in), "STOP", "MAX_TOKENS")
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("error %v, want one with %q", err, tt.wantErr)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// FuzzEnumName checks that EnumName never invents a name. Its result for a string may differ from
// the string only in letter case. A listed name is returned as it is listed.
func FuzzEnumName(f *testing.F) {
	for _, seed := range []string{`"STOP"`, `"stop"`, `3`, `null`, `{}`, `"ſtop"`, `"\u212a"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value := jsontext.Value(data).Clone()
		if !value.IsValid() || value.Compact() != nil {
			t.Skip("not JSON")
		}
		got, err := plainjson.EnumName(value, "STOP", "MAX_TOKENS")
		switch value.Kind() {
		case jsontext.KindString:
			text, _ := jsontext.AppendUnquote(nil, value)
			known := got == "STOP" || got == "MAX_TOKENS"
			if err != nil || (!known && got != string(text)) ||
				(known && !bytes.EqualFold([]byte(got), text)) {
				t.Fatalf("%s is %q, %v", value, got, err)
			}
		case jsontext.KindNumber:
			if err != nil || got != string(value) {
				t.Fatalf("%s is %q, %v", value, got, err)
			}
		case jsontext.KindNull:
			if err != nil || got != "" {
				t.Fatalf("null is %q, %v", got, err)
			}
		default:
			if err == nil {
				t.Fatalf("%s is %q, want an error", value, got)
			}
		}
	})
}
