package config_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/google/go-cmp/cmp"
)

// problemsOf returns the problems of a file's settings, with the file's name alone.
func problemsOf(t *testing.T, content string) []string {
	t.Helper()
	path := file(t, content)
	var out []string
	for _, err := range load(t, config.Sources{File: path}).Problems() {
		out = append(out, strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/"))
	}
	return out
}

func TestProblemsAreWrongAliasesModelsFallbacksAndFilesWithTheirLines(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing")
	present := filepath.Join(folder, "present")
	if err := os.WriteFile(present, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"nothing is set": {"strict: true", nil},
		"two aliases of each other": {
			"\nalias: {a: b, b: a}",
			[]string{"gateway.yaml:2: alias: aliases form a cycle: a → b → a"},
		},
		"a circle of three": {
			"alias: {b: c, c: a, a: b}",
			[]string{"gateway.yaml:1: alias: aliases form a cycle: a → b → c → a"},
		},
		"two circles": {
			"alias:\n  d: c\n  c: d\n  a: b\n  b: a", []string{
				"gateway.yaml:3: alias: aliases form a cycle: c → d → c",
				"gateway.yaml:4: alias: aliases form a cycle: a → b → a",
			},
		},
		"an alias that leads into a circle": {
			"alias: {0: a, a: b, b: a}",
			[]string{"gateway.yaml:1: alias: aliases form a cycle: a → b → a"},
		},
		"an alias of an alias": {
			"alias:\n  a: b\n  b: c\n  c: mine",
			[]string{
				`gateway.yaml:2: alias: a: "b" is an alias; name its model, "mine"`,
				`gateway.yaml:3: alias: b: "c" is an alias; name its model, "mine"`,
			},
		},
		"an alias of a model whose name is an alias, too": {
			"alias: {gemini-3.6-flash: gemini-3.1-pro-preview, old: gemini-3.6-flash}", nil,
		},
		"an alias of itself": {
			"alias:\n  b: gemini-3.6-flash\n  a: a",
			[]string{`gateway.yaml:3: alias: a: "a" is an alias of itself; name its model, or remove the alias`},
		},
		"a model with a slip": {
			"model: gemini-3.6-falsh",
			[]string{`gateway.yaml:1: model: "gemini-3.6-falsh" is not offered by the Gemini API; did you mean gemini-3.6-flash?`},
		},
		"an alias with a slip": {
			"alias:\n  smart: gemini-2.5-pto\n  fast: samrt",
			[]string{
				`gateway.yaml:2: alias: smart: "gemini-2.5-pto" is not offered by the Gemini API; did you mean gemini-2.5-pro?`,
				`gateway.yaml:3: alias: fast: "samrt" is not offered by the Gemini API; did you mean smart?`,
			},
		},
		"a fallback that was shut down": {
			"fallback: {gemini-2.5-pro: [gemini-2.0-flash]}",
			[]string{`gateway.yaml:1: fallback: gemini-2.5-pro: "gemini-2.0-flash" is not offered by the Gemini API; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place`},
		},
		"a fallback of itself, and one that is there twice": {
			"fallback:\n  gemini-3.6-flash: [gemini-3.6-flash]\n  mine: [a, b, a]",
			[]string{
				`gateway.yaml:2: fallback: gemini-3.6-flash: "gemini-3.6-flash" is a fallback of itself; each model is asked once`,
				`gateway.yaml:3: fallback: mine: "a" is in the list twice; each model is asked once`,
			},
		},
		"fallbacks of each other": {
			"fallback: {gemini-3.6-flash: [gemini-2.5-pro], gemini-2.5-pro: [gemini-3.6-flash]}", nil,
		},
		"an alias in place of the models of a fallback": {
			"alias: {fast: gemini-3.6-flash}\nfallback:\n  fast: [gemini-2.5-pro]\n  gemini-2.5-pro: [fast]",
			[]string{
				`gateway.yaml:3: fallback: fast: "fast" is an alias; name its model, "gemini-3.6-flash"`,
				`gateway.yaml:4: fallback: gemini-2.5-pro: "fast" is an alias; name its model, "gemini-3.6-flash"`,
			},
		},
		"a slip on Vertex AI": {
			"upstream: vertex\nvertex: p\nlocation: global\nmodel: gemini-2.5-por",
			[]string{`gateway.yaml:4: model: "gemini-2.5-por" is not offered by Vertex AI; did you mean gemini-2.5-pro?`},
		},
		"models that are newer than the table": {
			"model: gemini-9.9-flash\nalias: {a: tunedModels/mine, b: gpt-9}", nil,
		},
		"models of another server": {
			"upstream: openai\nbase_url: https://example.test/v1\nmodel: gemini-2.0-flash", nil,
		},
		"memory has no folder":  {"store: memory", nil},
		"a server is no folder": {"store: nats://127.0.0.1:4222", nil},
		"a folder in a folder":  {"store: " + missing, nil},
		"a store that exists":   {"store: " + folder, nil},
		"a file for a folder": {
			"store: " + present,
			[]string{"gateway.yaml:1: store: " + present + " is a file; want a folder"},
		},
		"a store below a file": {
			"store: " + filepath.Join(present, "a", "b"),
			[]string{"gateway.yaml:1: store: " + filepath.Join(present, "a") + " is not a folder"},
		},
		"a store in a missing folder, and a missing key": {
			"store: " + filepath.Join(missing, "store") + "\nstore_key_file: " + missing,
			[]string{
				"gateway.yaml:1: store: the folder " + missing + " does not exist",
				"gateway.yaml:2: store_key_file: the file " + missing + " does not exist",
			},
		},
		"missing files, and a folder for a file": {
			"api_key_file: " + missing + "\nkey_file: " + missing + "\nrate_card: " + folder,
			[]string{
				"gateway.yaml:1: api_key_file: the file " + missing + " does not exist",
				"gateway.yaml:2: key_file: the file " + missing + " does not exist",
				"gateway.yaml:3: rate_card: " + folder + " is a folder; want a file",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 8 { // maps have no order
				if diff := cmp.Diff(test.want, problemsOf(t, test.content)); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

func TestAProblemNamesTheSourceThatHasSetIt(t *testing.T) {
	t.Parallel()
	path := file(t, "alias: {a: a, b: b}\nmodel: gemini-3.6-falsh")
	var got []string
	for _, err := range load(t, config.Sources{
		File:      path,
		LookupEnv: environment("GEMWIRE_ALIAS", "b=b, c=c", "GEMWIRE_MODEL", "gemini-2.5-por"),
		Flags: []config.Flag{{Name: "alias", Text: "c=c"}, {Name: "alias", Text: "d/e=d/e"},
			{Name: "store", Text: path}},
	}).Problems() {
		at, _, _ := strings.Cut(err.Error(), "; ")
		got = append(got, strings.ReplaceAll(at, path, "gateway.yaml"))
	}
	if diff := cmp.Diff([]string{
		`--alias: c: "c" is an alias of itself`, `--alias: d/e: "d/e" is an alias of itself`,
		`--store: gateway.yaml is a file`,
		`GEMWIRE_ALIAS: b: "b" is an alias of itself`,
		`GEMWIRE_MODEL: "gemini-2.5-por" is not offered by the Gemini API`,
		`gateway.yaml:1: alias: a: "a" is an alias of itself`,
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCheckReturnsErrorsAndProblems(t *testing.T) {
	t.Parallel()
	path := file(t, "addr: 127.0.0.1:99999\nmetrics_addr: ':x'\nalias: {a: a}")
	c, found := config.Check(config.Sources{File: path})
	var got []string
	for _, err := range found {
		at, _, _ := strings.Cut(err.Error(), ";")
		got = append(got, strings.TrimPrefix(at, path))
	}
	if diff := cmp.Diff([]string{`:1: addr: "127.0.0.1:99999" is not an address`,
		`:2: metrics_addr: ":x" is not an address`, `:3: alias: a: "a" is an alias of itself`},
		got); diff != "" || c == nil {
		t.Error(diff)
	}
	if c, found := config.Check(config.Sources{File: file(t, "strict: true")}); c == nil ||
		len(found) > 0 {
		t.Errorf("got %v, %v for settings without a problem", c, found)
	}
	if c, found := config.Check(config.Sources{File: file(t, "adr: x")}); c != nil ||
		len(found) != 1 {
		t.Errorf("got %v, %v for a file that cannot be read", c, found)
	}
}

func TestTheLimitsNamedDefaultAreOfModelsWithoutTheirOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := load(t, config.Sources{
			File:      file(t, "models: {default: {overall: 1s}, gemini-2.5-pro: {overall: 3s}}"),
			LookupEnv: environment("GEMINI_API_KEY", "key"),
		})
		opts, err := c.Options()
		if err != nil {
			t.Fatal(err)
		}
		handler, err := gateway.New(append(opts, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("p", "key")},
			HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}),
		}))...)
		if err != nil {
			t.Fatal(err)
		}
		defer handler.Close()
		for model, want := range map[string]time.Duration{
			"gemini-3.6-flash": time.Second, "gemini-2.5-pro": 3 * time.Second,
		} {
			r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(
				`{"model":"`+model+`","messages":[{"role":"user","content":"Hi."}]}`))
			r.Host = "127.0.0.1"
			r.Header.Set("Content-Type", "application/json")
			answer, start := httptest.NewRecorder(), time.Now()
			handler.ServeHTTP(answer, r)
			if took := time.Since(start); answer.Code != http.StatusGatewayTimeout || took != want {
				t.Errorf("%s: HTTP %d after %v; want 504 after %v", model, answer.Code, took, want)
			}
		}
	})
}

func TestANumberOfASettingIsZeroOrMore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"0": true, "1": true, "-1": false, "": true, "x": false} {
		_, err := config.Load(config.Sources{LookupEnv: environment("GEMWIRE_MAX_CONCURRENT", text)})
		if (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
		if text == "" || text == "x" {
			continue
		}
		_, err = config.Load(config.Sources{File: file(t, "max_concurrent: "+text)})
		if (err == nil) != want {
			t.Errorf("%q in a file: %v", text, err)
		}
	}
}

func TestASwitchIsASettingThatIsOnOrOff(t *testing.T) {
	t.Parallel()
	want := map[string]bool{
		"strict": true, "inspect": true, "metrics": true, "done_mark": true, // true or false
		"websocket": true,
		"addr":      false, "max_body_size": false, // take a value
		"accounts": false, "models": false, // only files have them
	}
	got := map[string]bool{}
	for _, s := range config.Settings() {
		if _, known := want[s.Name]; known {
			got[s.Name] = s.IsSwitch()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAddrIsReadFromSettingsThatLoadRefuses(t *testing.T) {
	t.Parallel()
	refused := file(t, "addr: 0.0.0.0:80") // open to other machines, without keys
	if addr, err := config.Addr(config.Sources{File: refused}); err != nil || addr != "0.0.0.0:80" {
		t.Errorf("got %q, %v", addr, err)
	}
	if addr, err := config.Addr(config.Sources{File: file(t, "adr: x")}); err == nil {
		t.Errorf("got %q for a file with an unknown setting; want an error", addr)
	}
}

func TestAFileThatAnOptionNeedsIsNamedWhenItIsMissing(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	for _, setting := range []string{"key_file", "rate_card"} {
		c := load(t, config.Sources{File: file(t, setting+": "+missing)})
		if _, err := c.Options(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v; want an error that the file is missing", setting, err)
		}
	}
	c := load(t, config.Sources{File: file(t, "store: "+t.TempDir()+"\nstore_key_file: "+missing)})
	if _, err := c.StoreKey(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("store_key_file: got %v; want an error that the file is missing", err)
	}
}

func TestAPromptForSummariesMustBeText(t *testing.T) {
	t.Parallel()
	c := load(t, config.Sources{File: file(t, "compaction_prompt: "+file(t, "Sum it up \xff"))})
	const want = "is not text in UTF-8"
	if _, err := c.Options(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("options: %v", err)
	}
	problems := c.Problems()
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "compaction_prompt: ") ||
		!strings.Contains(problems[0].Error(), want) {
		t.Errorf("problems: %v", problems)
	}
}
