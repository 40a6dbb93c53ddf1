package config_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
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

func TestProblemsAreAliasCyclesMissingModelsAndMissingFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing")
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"nothing is set": {"strict: true", nil},
		"two aliases of each other": {
			"alias: {a: b, b: a}", []string{"alias: aliases form a cycle: a → b → a"},
		},
		"a circle of three": {
			"alias: {b: c, c: a, a: b}", []string{"alias: aliases form a cycle: a → b → c → a"},
		},
		"two circles": {
			"alias: {d: c, c: d, a: b, b: a}", []string{
				"alias: aliases form a cycle: a → b → a",
				"alias: aliases form a cycle: c → d → c",
			},
		},
		"an alias that leads into a circle": {
			"alias: {0: a, a: b, b: a}", []string{"alias: aliases form a cycle: a → b → a"},
		},
		"an alias of an alias": {"alias: {a: b, b: c}", nil},
		"an alias of itself":   {"alias: {a: a}", nil},
		"a model with a slip": {
			"model: gemini-3.6-falsh",
			[]string{`model: "gemini-3.6-falsh" is not offered by the Gemini API; did you mean gemini-3.6-flash?`},
		},
		"an alias with a slip": {
			"alias: {smart: gemini-2.5-pto, fast: samrt}",
			[]string{
				`alias: fast: "samrt" is not offered by the Gemini API; did you mean smart?`,
				`alias: smart: "gemini-2.5-pto" is not offered by the Gemini API; did you mean gemini-2.5-pro?`,
			},
		},
		"a fallback that was shut down": {
			"fallback: {gemini-2.5-pro: [gemini-2.0-flash]}",
			[]string{`fallback: gemini-2.5-pro: "gemini-2.0-flash" is not offered by the Gemini API; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place`},
		},
		"a slip on Vertex AI": {
			"upstream: vertex\nvertex: p\nlocation: global\nmodel: gemini-2.5-por",
			[]string{`model: "gemini-2.5-por" is not offered by Vertex AI; did you mean gemini-2.5-pro?`},
		},
		"models that are newer than the table": {
			"model: gemini-9.9-flash\nalias: {a: tunedModels/mine, b: gpt-9}", nil,
		},
		"models of another server": {
			"upstream: openai\nbase_url: https://example.test/v1\nmodel: gemini-2.0-flash", nil,
		},
		"memory has no folder":  {"response_store: memory\nbulk_store: memory", nil},
		"a server is no folder": {"bulk_store: nats://127.0.0.1:4222", nil},
		"a file in a folder":    {"response_store: " + filepath.Join(folder, "responses.db"), nil},
		"a folder in a folder":  {"bulk_store: " + missing, nil},
		"files in missing folders": {
			"response_store: " + filepath.Join(missing, "responses.db") +
				"\nbulk_store: " + filepath.Join(missing, "bulk"),
			[]string{
				"bulk_store: the folder " + missing + " does not exist",
				"response_store: the folder " + missing + " does not exist",
			},
		},
		"a server before a missing folder": {
			"bulk_store: nats://127.0.0.1:4222\nresponse_store: " + filepath.Join(missing, "a.db"),
			[]string{"response_store: the folder " + missing + " does not exist"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 8 { // maps have no order
				var got []string
				for _, err := range load(t, config.Sources{File: file(t, test.content)}).Problems() {
					got = append(got, err.Error())
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Fatal(diff)
				}
			}
		})
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
		"addr": false, "max_body_size": false, // take a value
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
	c := load(t, config.Sources{File: file(t, "response_store: "+filepath.Join(missing, "a.db"))})
	if store, err := c.OpenResponseStore(); err == nil || store != nil {
		t.Errorf("got %v, %v; want an error", store, err)
	}
}
