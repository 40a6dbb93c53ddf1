package headervalue_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/google/go-cmp/cmp"
)

func TestATextBecomesAValidValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gemini-3.6-flash": "gemini-3.6-flash", "": "", "a\r\nset-cookie: b": "a  set-cookie: b",
		"\x00a\x7f": "a", "é": "é", "a\xff": "a",
	} {
		if got := headervalue.Of(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestUnsafeValuesAreNotCopied(t *testing.T) {
	t.Parallel()
	from := http.Header{
		"X-Goog-A": {"a", "b"}, "X-Goog-B": {"a\x01", "b", strings.Repeat("x", headervalue.MaxSize+1)}, "X-Goog-C": {"\n"},
		"X-Goog-D": strings.Split(strings.Repeat("d", 100), ""),
	}
	to := http.Header{}
	for name := range from {
		headervalue.Copy(to, from, name)
	}
	want := http.Header{"X-Goog-A": {"a", "b"}, "X-Goog-B": {"b"},
		"X-Goog-D": strings.Split(strings.Repeat("d", headervalue.MaxValues), "")}
	if diff := cmp.Diff(want, to); diff != "" {
		t.Error(diff)
	}
}

func FuzzAnyTextIsAValidValue(f *testing.F) {
	for _, text := range []string{"a\r\nb: c", "\x00\x7f\xff",
		strings.Repeat("é", headervalue.MaxSize)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := headervalue.Of(text)
		if len(got) > headervalue.MaxSize || !utf8.ValidString(got) {
			t.Errorf("%q is %q", text, got)
		}
		for i := range len(got) {
			if c := got[i]; c < ' ' && c != '\t' || c == 0x7f {
				t.Errorf("%q is %q", text, got)
			}
		}
	})
}
