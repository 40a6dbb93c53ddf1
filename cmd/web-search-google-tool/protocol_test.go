package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
)

// nothingFound is the answer to a search without results.
const nothingFound = `{"success":true,"results":[],"count":0}`

// authMissing is the answer without credentials, to the byte.
const authMissing = `{"success":false,` +
	`"error":"Web search requires API key configuration.\n\nGoogle Custom Search offers 100 free searches/day.\nGet API key: https://developers.google.com/custom-search/v1/overview\nGet Search Engine ID: https://programmablesearchengine.google.com/controlpanel/create\nAdd to: ~/.config/ikigai/credentials.json as 'web_search.google.api_key' and 'web_search.google.engine_id'",` +
	`"error_code":"AUTH_MISSING",` +
	`"_event":{"kind":"config_required",` +
	`"content":"` + "\u26a0" +
	` Configuration Required\n\nWeb search needs an API key and Search Engine ID. Google Custom Search offers 100 free searches/day.\n\nGet API key: https://developers.google.com/custom-search/v1/overview\nGet Search Engine ID: https://programmablesearchengine.google.com/controlpanel/create\nAdd to: ~/.config/ikigai/credentials.json\n\nExample:\n{\n  \"web_search\": {\n    \"google\": {\n      \"api_key\": \"your-api-key-here\",\n      \"engine_id\": \"your-search-engine-id\"\n    }\n  }\n}",` +
	`"data":{"tool":"web_search_google","credentials":["api_key","engine_id"]}}}`

func TestTheSchemaIsPrinted(t *testing.T) {
	t.Parallel()
	schema := string(websearch.Schema()) // whose bytes that package's tests compare
	for name, invocation := range map[string]invocation{
		"without input":       {},
		"any input":           {stdin: "not json"},
		"without credentials": {env: map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation.args, invocation.stdout = []string{"--schema"},
				strings.TrimSuffix(schema, "\n")
			invocation.check(t)
		})
	}
}

func TestTheSchemaIsAskedForByTheOnlyArgument(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"twice":          {"--schema", "--schema"},
		"with another":   {"--schema", "x"},
		"after another":  {"-v", "--schema"},
		"another flag":   {"--help"},
		"a shorter name": {"-schema"},
		"an empty one":   {""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation{
				args: args, stdin: `{"query": "test"}`,
				replies: customsearchtest.Replies{"": customsearchtest.JSON(200, `{}`)},
				stdout:  nothingFound,
				queries: []string{"q=test&num=10&start=1"},
			}.check(t)
		})
	}
}

func TestAnInvalidRequestEndsWithCode1(t *testing.T) {
	t.Parallel()
	const (
		notJSON = "Invalid input: it is not JSON, a JSON object with a query is required"
		noQuery = "Invalid query: a string is required"
	)
	for stdin, want := range map[string]string{
		``:                 "Invalid input: it is empty, a JSON object with a query is required",
		"\n":               notJSON,
		`{invalid json`:    notJSON,
		`{"query":"test"`:  notJSON,
		`{"num": 5}`:       noQuery,
		`{"query": 123}`:   noQuery,
		`{"query": null}`:  noQuery,
		`["query","test"]`: noQuery,
		`{}`:               noQuery,
	} {
		t.Run(stdin, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:  stdin,
				stdout: `{"success":false,"error":"` + want + `","error_code":"INVALID_INPUT"}`,
				code:   1,
			}.check(t)
		})
	}
}

func TestValuesOutOfRangeMakeNoCall(t *testing.T) {
	t.Parallel()
	for stdin, want := range map[string]string{
		`{"query":"test","num":0}`:                              `Invalid num: 0 is outside the range 1 to 10`,
		`{"query":"test","num":11}`:                             `Invalid num: 11 is outside the range 1 to 10`,
		`{"query":"test","num":-1}`:                             `Invalid num: -1 is outside the range 1 to 10`,
		`{"query":"test","num":11,"allowed_domains":["a","b"]}`: `Invalid num: 11 is outside the range 1 to 10`,
		`{"query":"test","start":0}`:                            `Invalid start: 0 is outside the range 1 to 91`,
		`{"query":"test","start":92}`:                           `Invalid start: 92 is outside the range 1 to 91`,
		`{"query":"test","start":18446744073709551616}`:         `Invalid start: 18446744073709551616 is outside the range 1 to 91`,
		`{"query":"x"}`:                                         `Invalid query: \"x\" is outside the range of 2 or more characters`,
		`{"query":""}`:                                          `Invalid query: \"\" is outside the range of 2 or more characters`,
		`{"query":"ü"}`:                                         `Invalid query: \"ü\" is outside the range of 2 or more characters`,
	} {
		t.Run(stdin, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:  stdin,
				stdout: `{"success":false,"error":"` + want + `","error_code":"INVALID_INPUT"}`,
			}.check(t)
		})
	}
}

func TestNumbersOfAnotherTypeAreTheDefaults(t *testing.T) {
	t.Parallel()
	for _, number := range []string{`"5"`, `5.5`, `null`, `true`, `[5]`, `{}`} {
		t.Run(number, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:   `{"query":"test","num":` + number + `,"start":` + number + `}`,
				replies: customsearchtest.Replies{"": customsearchtest.JSON(200, `{}`)},
				stdout:  nothingFound,
				queries: []string{"q=test&num=10&start=1"},
			}.check(t)
		})
	}
}

func TestCredentialsComeFromTheEnvironmentOrTheFile(t *testing.T) {
	t.Parallel()
	const (
		both = `{"web_search":{"google":{"api_key":"` + apiKey + `","engine_id":"` + engineID +
			`"}}}`
		onlyKey = `{"web_search":{"google":{"api_key":"` + apiKey + `"}}}`
		onlyID  = `{"web_search":{"google":{"engine_id":"` + engineID + `"}}}`
		wrong   = `{"web_search":{"google":{"api_key":"wrong","engine_id":"wrong"}}}`
	)
	type variables = map[string]string
	key, id := variables{"GOOGLE_SEARCH_API_KEY": apiKey},
		variables{"GOOGLE_SEARCH_ENGINE_ID": engineID}
	for name, test := range map[string]struct {
		env   variables
		file  string
		found bool
	}{
		"both in the environment":           {nil, "", true},
		"the environment before the file":   {nil, wrong, true},
		"both in the file":                  {variables{}, both, true},
		"key here, ID there":                {key, onlyID, true},
		"ID here, key there":                {id, onlyKey, true},
		"nowhere":                           {variables{}, "", false},
		"only a key in the environment":     {key, "", false},
		"only an ID in the environment":     {id, "", false},
		"only a key in the file":            {variables{}, onlyKey, false},
		"only an ID in the file":            {variables{}, onlyID, false},
		"a key twice":                       {key, onlyKey, false},
		"a variable that is set to nothing": {variables{"GOOGLE_SEARCH_API_KEY": ""}, both, false},
		"an empty credential in the file":   {key, `{"web_search":{"google":{"engine_id":""}}}`, false},
		"a malformed file":                  {variables{}, both + "}", false},
		"a file of other types":             {variables{}, `{"web_search":{"google":{"api_key":1,"engine_id":2}}}`, false},
		"a file of another form":            {variables{}, `{"google":{"api_key":"` + apiKey + `"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := invocation{env: test.env, file: test.file, stdin: `{"query":"test"}`,
				stdout: authMissing}
			if test.found {
				i.replies = customsearchtest.Replies{"": customsearchtest.JSON(200, `{}`)}
				i.stdout, i.queries = nothingFound, []string{"q=test&num=10&start=1"}
			}
			i.check(t)
		})
	}
}

func TestACredentialsFileThatCannotBeReadIsMissing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := os.MkdirAll(home+"/.config/ikigai/credentials.json", 0o700); err != nil { // a folder
		t.Fatal(err)
	}
	invocation{
		env: map[string]string{"HOME": home}, stdin: `{"query":"test"}`, stdout: authMissing,
	}.check(t)
}

func TestABaseURLThatWouldShowTheKeyIsRefused(t *testing.T) {
	t.Parallel()
	invocation{
		baseURL: "http://customsearch.googleapis.com", stdin: `{"query":"test"}`,
		stdout: `{"success":false,"error":"Failed to initialize HTTP client: the base URL must be https, or http on a loopback address","error_code":"NETWORK_ERROR"}`,
	}.check(t)
}

func TestStreamsThatFailEndWithCode1(t *testing.T) {
	t.Parallel()
	noEnv := func(string) (string, bool) { return "", true }
	var out strings.Builder
	code := run(t.Context(), nil, iotest.ErrReader(errors.New("gone")), &out, noEnv)
	const want = `{"success":false,"error":"Invalid input: it cannot be read to its end","error_code":"INVALID_INPUT"}` +
		"\n"
	if code != 1 || out.String() != want {
		t.Errorf("code %d, output %q", code, out.String())
	}
	for _, args := range [][]string{nil, {"--schema"}} {
		if code := run(t.Context(), args, strings.NewReader(`{"query":"test"}`), closedWriter{},
			noEnv); code != 1 {
			t.Errorf("%q: code %d", args, code)
		}
	}
}

func TestAFullDiskEndsTheBinaryWithCode1(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), binary(t), "--schema")
	cmd.Stdout, cmd.Stderr = full, &stderr
	cmd.Env = []string{"GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || stderr.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
