package search

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func TestAQueryIsPrintedInAUniformLayout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"  porto   faro ":                "porto faro",
		`"last train" -"bus stop" -tram`: `"last train" -"bus stop" -tram`,
		`"porto"`:                        "porto",
		`"status:ok" "-x" ">2s"`:         `"status:ok" "-x" ">2s"`,
		`"a \"b\" \\ c"`:                 `"a \"b\" \\ c"`,
		`client:team-search -status:failed lost:/logit_bias`: "client:team-search -status:failed lost:/logit_bias",
		`client:"my team" client:""`:                         `client:"my team" client:""`,
		`>2s <=300ms first>1s cost>0.01 tokens<1000`:         ">2s <=300ms first>1s cost>0.01 tokens<1000",
		`duration>2s`:        ">2s",
		`since:10m until:2d`: "since:10m until:2d",
		`since:2026-11-28T10:00 until:2026-11-28`:  "since:2026-11-28T10:00 until:2026-11-28",
		`<div> https://example.test/a 12:30 a&b -`: `<div> https://example.test/a 12:30 a&b -`,
		`header:x-goog-user-project=abc`:           "header:x-goog-user-project=abc",
		`has:image is:replay tool:find_trains`:     "has:image is:replay tool:find_trains",
	} {
		q, err := Parse(text, noon)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want = strings.Replace(want, "<div>", `"<div>"`, 1); strings.HasSuffix(want, " -") {
			want = strings.TrimSuffix(want, "-") + `"-"`
		}
		if got := q.String(); got != want {
			t.Errorf("%q is printed as %q, expected %q", text, got, want)
		}
	}
}

func TestAnErrorOfAQuerySaysWhereAndWhatIsPossible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		at   int
		says string
	}{
		`a foo:bar`:            {2, `"foo" is not a filter; the filters are client, status, `},
		`a b status:bad`:       {4, `status: "bad" is not valid; expected failed, ok, running`},
		`status:`:              {0, "status: needs a value (failed, ok"},
		`é status:6xx`:         {3, `expected failed`},
		`-has:cats`:            {0, "expected one of image, audio"},
		`"last train`:          {0, "no closing quotation mark"},
		`x client:"last train`: {9, "no closing quotation mark"},
		`""`:                   {0, "the phrase is empty"},
		`a >`:                  {2, "> needs a value (a duration such as 2s"},
		`<=`:                   {0, "<= needs a value (a duration such as 2s"},
		`-cost> a`:             {0, "cost> needs a value (a number such as 0.01"},
		`header:""`:            {0, `header: "" is not valid; expected name or name=text`},
		`header:=text`:         {0, "expected name or name=text"},
		`>2x`:                  {0, `> "2x" is not valid; expected a duration such as 2s`},
		`cost:5`:               {0, "cost:: expected a number such as 0.01"},
		`tokens>1k`:            {0, "expected a number such as 1000"},
		`since:yesterday`:      {0, "an age such as 10m, or a time such as 2026-11-28T10:00"},
		`lost:logit_bias`:      {0, "a JSON pointer such as /logit_bias"},
	} {
		_, err := Parse(text, noon)
		failed, ok := errors.AsType[*Error](err)
		if !ok || failed.At != want.at || !strings.Contains(failed.Message, want.says) {
			t.Errorf("%q: got %+v, expected %+v", text, err, want)
		}
	}
}

// FuzzParse checks that no query panics, and that a printed query is parsed as the same query.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", `"a \" b" -c client:x`, "status:4xx >2s cost>=0.5", `client:"" header:a=b lost:/a/*`,
		"since:3d until:2026-11-28T10:00:00Z", "-", `-"-"`, "\xff\u2028 a:b", "<div> ::", `\\ "\\"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text, noon)
		if err != nil {
			failed, ok := errors.AsType[*Error](err)
			if !ok || failed.At < 0 || failed.At >= len(text) || failed.Message == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		printed := q.String()
		again, err := Parse(printed, noon)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, printed, err)
		}
		if !reflect.DeepEqual(q, again) || again.String() != printed {
			t.Fatalf("%q is printed as %q, which is %q", text, printed, again)
		}
		for at := 0; at <= len(text); at++ {
			if at == len(text) || utf8.RuneStart(text[at]) {
				Complete(text, at, nil)
			}
		}
		q.Matches(t.Context(), &Exchange{Texts: one(text), At: noon})
	})
}
