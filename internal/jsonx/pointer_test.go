package jsonx_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/jsonx"
)

func TestALongPointerShowsWhereItBeginsAndEnds(t *testing.T) {
	t.Parallel()
	for _, short := range []string{"", "/a", strings.Repeat("/items", 33)} {
		if got := jsonx.ShortenPointer(short); got != short {
			t.Errorf("%q became %q", short, got)
		}
	}
	for _, long := range []string{
		"/first" + strings.Repeat("/items", 1000) + "/last",
		"/first" + strings.Repeat("ü", 1000) + "/last",
		"/first" + strings.Repeat("xü", 1000) + "x/last",
		"/first" + strings.Repeat("\xff", 300) + "/last",
	} {
		got := jsonx.ShortenPointer(long)
		if !strings.HasPrefix(got, "/first") || !strings.HasSuffix(got, "/last") ||
			!strings.Contains(got, "...") || len(got) > 203 || !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	}
}

func TestPointersOfMembersAndElements(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		jsonx.MemberPointer("", "a"):       "/a",
		jsonx.MemberPointer("/a", ""):      "/a/",
		jsonx.MemberPointer("/a", "b/c~d"): "/a/b~1c~0d",
		jsonx.ElementPointer("/a", 12):     "/a/12",
		jsonx.ElementPointer("", 0):        "/0",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
