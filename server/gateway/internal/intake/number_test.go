package intake_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/intake"
)

func TestANumberThatNoClientCanReadIsFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"a":1e400}`:                                         "/a",
		`{"a":-1E+400}`:                                       "/a",
		`{"a":[1, 2.5e309]}`:                                  "/a/1",
		`[` + "\n\t" + `1e309]`:                               "/0",
		`{"a":{"b":1,"c":0.1e999}}`:                           "/a/c",
		`{"a":` + strings.Repeat("9", 310) + `}`:              "/a",
		`{"a":` + strings.Repeat("9", 309) + `}`:              "/a",
		`[1,1e400]`:                                           "/1",
		`[` + strings.Repeat("9", 300) + `e9` + `,1e999]`:     "/0",
		`{"a":` + strings.Repeat("9", 290) + `e90}`:           "/a",
		`{"x":"\u003a:","a":[[],{"b":"1e1",` + `"c":1e400}]}`: "/a/1/c",
	} {
		if got, found := intake.HugeNumber([]byte(body)); !found || got != want {
			t.Errorf("%.80s: %q, %v", body, got, found)
		}
	}
	for _, body := range []string{
		``, `{}`, `{"a":1e308}`, `{"a":1e-400}`, `{"a":12345678901234567890}`, `{"a":":1e400"}`,
		`{"a":"[1e400]","b":1}`,
		`{"a":",1e400"`, `not JSON: 1e400`, `{"a":` + strings.Repeat("1", 308) + `}`, `{"a":1e`,
		`[-`,
	} {
		if got, found := intake.HugeNumber([]byte(body)); found {
			t.Errorf("%.80s: %q", body, got)
		}
	}
}
