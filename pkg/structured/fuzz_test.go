package structured_test

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// FuzzParse reads any text. Every candidate has the properties that its fields state. The result is
// the decoded form of a candidate, or a typed error with a location in the text.
func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range structured.Candidates(text) {
			if !standsIn(text[c.Offset:], c.Text) || c.Line < 1 || c.Column < 1 {
				t.Errorf("%q: %v is not there", text, c)
			}
			value := jsontext.Value(c.Text)
			if value.Kind() != c.Kind ||
				!c.Truncated != value.IsValid(jsontext.AllowInvalidUTF8(true),
					jsontext.AllowDuplicateNames(true)) {
				t.Errorf("%q: %v, kind %v: %s", text, c, c.Kind, c.Text)
			}
		}
		value, err := structured.Parse[order](text, structured.WithRepair(nil))
		if err != nil {
			checkError(t, text, err)
		} else if value.ID == "" || len(value.Lines) > 3 {
			t.Errorf("%q: %+v breaks rules", text, value)
		}
		var raw jsontext.Value
		if raw, err = structured.Parse[jsontext.Value](text); err == nil && !raw.IsValid() {
			t.Errorf("%q: %s", text, raw)
		}
	})
}

// standsIn reports whether a text begins with a value. In the value, spaces may replace the marks
// of quoted lines.
func standsIn(text, value string) bool {
	if len(text) < len(value) {
		return false
	}
	for i := range []byte(value) {
		if value[i] != text[i] && (value[i] != ' ' || text[i] != '>') {
			return false
		}
	}
	return true
}

// checkError checks that an error has a documented type, and that its statements about the text are
// true.
func checkError(t *testing.T, text string, err error) {
	t.Helper()
	var at validation.Position
	if e, ok := errors.AsType[*structured.DecodeError](err); ok {
		at = e.Position
	} else if e, ok := errors.AsType[*structured.TruncatedError](err); ok {
		at = e.Position
	} else if e, ok := errors.AsType[*structured.InvalidError](err); ok {
		at = e.Violations[0].Position
	} else if e, ok := errors.AsType[*structured.NotFoundError](err); ok {
		at = validation.Position{Offset: e.Length, Line: 1, Column: 1}
	}
	before := text[:at.Offset]
	_, notFound := errors.AsType[*structured.NotFoundError](err)
	if at.Line != 1+strings.Count(before, "\n") && !notFound || at.Column < 1 {
		t.Errorf("%q: %v is at %+v", text, err, at)
	}
	if utf8.RuneCountInString(err.Error()) > 4000 {
		t.Errorf("an error of %d bytes for a text of %d", len(err.Error()), len(text))
	}
}

// FuzzParseStream reads a text in deltas of any sizes. The last value equals the result of Parse.
// Each earlier value decodes from the beginning of the text up to then.
func FuzzParseStream(f *testing.F) {
	for i, text := range texts {
		f.Add(text, []byte{byte(i), 3})
	}
	f.Fuzz(func(t *testing.T, text string, sizes []byte) {
		want, wantErr := structured.Parse[any](text)
		var got any
		var err error
		for got, err = range structured.ParseStream[any](split(text, sizes)) {
			if err != nil {
				break
			}
			if _, err := json.Marshal(got); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if !cmp.Equal(want, got) || (err == nil) != (wantErr == nil) ||
			err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%q: got %v, %v; want %v, %v", text, got, err, want, wantErr)
		}
	})
}

// split yields a text in deltas. The elements of sizes are the numbers of bytes, in turn.
func split(text string, sizes []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for i := 0; text != ""; i++ {
			size := 1
			if len(sizes) > 0 {
				size = int(sizes[i%len(sizes)])
			}
			delta := text[:min(size, len(text))]
			if text = text[len(delta):]; !yield(delta, nil) {
				return
			}
			if size == 0 && i > len(text)+len(sizes) {
				sizes = nil // nothing but empty deltas
			}
		}
	}
}
