package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/google/go-cmp/cmp"
)

// file writes a file of settings and returns its path.
func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gateway.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// environment returns a function that looks variables up. The arguments are names and values in
// turn.
func environment(variables ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(variables); i += 2 {
			if variables[i] == name {
				return variables[i+1], true
			}
		}
		return "", false
	}
}

func load(t *testing.T, from config.Sources) *config.Config {
	t.Helper()
	c, err := config.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// samples has two values for each setting with a flag, as text and as in a file.
var samples = map[string][2]string{
	"addr": {"127.0.0.1:1", "127.0.0.1:2"}, "upstream": {"gemini", "vertex"}, "base_url": {"http://a", "http://b"}, "extensions": {"true", "false"}, "accumulated_deltas": {"true", "false"}, "older_server": {"true", "false"},
	"api_version": {"v1", "v2"}, "api_key_file": {"a", "b"}, "vertex": {"a", "b"}, "location": {"a", "b"},
	"effort_with_tools": {"true", "false"},
	"upstream_api":      {"interactions", "generate_content"}, "store_at_google": {"on", "project"},
	"callers_key": {"true", "false"}, "model": {"a", "b"}, "alias": {"a=b", "a=c"}, "fallback": {"a=b+c", "a=c"},
	"max_attempts": {"3", "4"}, "retry_malformed": {"0", "3"}, "compaction_prompt": {"a", "b"}, "key_file": {"a", "b"}, "allowed_hosts": {"a,b", "c"}, "allowed_origins": {"a", "b"},
	"strict": {"true", "false"}, "signatures": {"id", "extension"}, "signature_memory": {"1MiB", "2MiB"}, "signature_length": {"1", "2"}, "chat_reasoning": {"always", "never"}, "heartbeat": {"chunk", "off"}, "heartbeat_every": {"1s", "2s"},
	"grace": {"1s", "2s"}, "count_tokens": {"estimate", "gemini"}, "store": {"memory", "/a"}, "store_required": {"false", "true"}, "done_mark": {"true", "false"}, "websocket": {"false", "true"},
	"store_count": {"1", "2"}, "store_size": {"1MiB", "2MiB"}, "store_total_size": {"1MiB", "2MiB"}, "store_age": {"1h0m0s", "2h0m0s"},
	"store_key_file": {"a", "b"}, "store_replicas": {"1", "3"},
	"usage_days": {"1", "2"}, "budget": {"5USD/month", "12.5EUR/day"}, "token_budget": {"1/day", "2/total"},
	"unpriced": {"allow", "refuse"}, "limits_without_store": {"refuse", "local"}, "bulk_concurrency": {"1", "2"},
	"bulk_limit_requests": {"1", "2"}, "bulk_limit_tokens": {"1", "2"}, "bulk_limit_output_tokens": {"1", "2"},
	"max_body_size": {"1MiB", "2KiB"}, "max_bytes_in_flight": {"1MiB", "2GiB"}, "max_answer_size": {"1MiB", "2MiB"}, "background_per_client": {"1", "2"}, "max_concurrent": {"1", "2"},
	"queue_wait": {"1s", "2s"}, "body_timeout": {"1s", "2s"}, "body_rate": {"1KiB", "2KiB"}, "write_timeout": {"1s", "2s"},
	"header_timeout": {"1s", "2s"}, "idle_timeout": {"1s", "2s"},
	"rate_card": {"a", "b"}, "cost_in_usage": {"true", "false"}, "inspect": {"true", "false"}, "inspect_addr": {"127.0.0.1:1", "[::1]:2"},
	"inspect_bodies": {"true", "false"}, "inspect_store": {"/a", "/b"}, "inspect_count": {"1", "2"},
	"inspect_max_memory": {"1MiB", "2MiB"}, "inspect_max_body": {"1KiB", "2KiB"}, "inspect_max_string": {"1KiB", "2KiB"},
	"metrics": {"false", "true"}, "metrics_addr": {"127.0.0.1:1", "127.0.0.1:2"},
	"log_level": {"debug", "warn"}, "log_format": {"json", "text"}, "shutdown_grace": {"1s", "2s"}, "shutdown_delay": {"1s", "2s"},
}

// needed are the flags that other settings need.
var needed = map[string][]config.Flag{
	"store_key_file": {{Name: "store", Text: "/a"}},
	"store_replicas": {{Name: "store", Text: "nats://a:4222"}},
}

// inFile returns a setting in the form of a file.
func inFile(name, text string) string {
	switch name {
	case "alias":
		return "alias: {" + strings.ReplaceAll(text, "=", ": ") + "}"
	case "fallback":
		model, chain, _ := strings.Cut(text, "=")
		return "fallback: {" + model + ": [" + strings.ReplaceAll(chain, "+", ", ") + "]}"
	case "allowed_hosts", "allowed_origins":
		return name + ": [" + text + "]"
	default:
		return name + ": " + text
	}
}

func TestAFlagOverridesTheEnvironmentWhichOverridesTheFile(t *testing.T) {
	t.Parallel()
	for _, s := range config.Settings() {
		if s.Flag() == "" {
			continue
		}
		sample, ok := samples[s.Name]
		if !ok {
			t.Errorf("%s has no sample", s.Name)
			continue
		}
		first, second := sample[0], sample[1]
		from := config.Sources{Flags: needed[s.Name]}
		want := func(how, value string) {
			t.Helper()
			c, err := config.Load(from)
			if err != nil {
				t.Errorf("%s %s: %v", s.Name, how, err)
			} else if got := s.Of(c); got != value {
				t.Errorf("%s %s is %q, want %q", s.Name, how, got, value)
			}
		}
		from.File = file(t, inFile(s.Name, first))
		want("in the file", first)
		from.LookupEnv = environment(s.Variable(), second)
		want("in the environment", second)
		from.Flags = append(slices.Clone(needed[s.Name]), config.Flag{Name: s.Name, Text: first})
		want("by a flag", first)
		from.Flags = append(from.Flags, config.Flag{Name: s.Name, Text: second})
		want("by a flag that is there twice", second)
	}
}

func TestTablesAreLaidOverEachOther(t *testing.T) {
	t.Parallel()
	c := load(t, config.Sources{
		File:      file(t, "alias: {a: one, b: one, c: one}\nfallback: {m: [n, o], p: [q]}"),
		LookupEnv: environment("GEMWIRE_ALIAS", "b=2,c=2"),
		Flags: []config.Flag{{Name: "alias", Text: "c=3"}, {Name: "alias", Text: "d=3"},
			{Name: "fallback", Text: "m=x+y"}},
	})
	if diff := cmp.Diff(map[string]string{"a": "one", "b": "2", "c": "3", "d": "3"},
		c.Alias); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{"m": {"x", "y"}, "p": {"q"}}, c.Fallback); diff != "" {
		t.Error(diff)
	}
}

func TestAMistakeNamesItsPlaceAndWhatMayHaveBeenMeant(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"\n\nadr: x":                               `gateway.yaml:3: unknown setting "adr"; did you mean "addr"?`,
		"max-body-size: 1":                         `gateway.yaml:1: unknown setting "max-body-size"; did you mean "max_body_size"?`,
		"xyzzy: 1":                                 `gateway.yaml:1: unknown setting "xyzzy"`,
		"models:\n  m: {fist_byte: 1s}":            `gateway.yaml:2: unknown limit of a model "fist_byte"; did you mean "first_byte"?`,
		"accounts:\n- {projekt: a}":                `gateway.yaml:2: unknown member of an account "projekt"; did you mean "project"?`,
		"accounts:\n- {token: a}":                  `expected one of project, location, key, key_file`,
		"grace: soon":                              `gateway.yaml:1: grace: "soon" is not a duration; want one such as 10s or 1m30s`,
		"grace: -1s":                               `"-1s" is not a duration`,
		"addr: 127.0.0.1:1\nmax_body_size: much":   `gateway.yaml:2: max_body_size: "much" is not a size; want one such as 64MiB`,
		"max_body_size: 10":                        `gateway.yaml:1: max_body_size: want a size, for example 64MiB; found a number`,
		"models:\n  m: {idle: 2}":                  `gateway.yaml:2: models/m/idle: want a duration, for example 10s or 1m30s; found a number`,
		"max_body_size: 9999999999GiB":             `is not a size`,
		"strict: maybe":                            `gateway.yaml:1: strict: want true or false; found a text`,
		"log_level: info\nsignatures: none":        `gateway.yaml:2: signatures: "none" is not one of extension, id, both`,
		"upstream: opneai":                         `"opneai" is not one of embedded, gemini, vertex, vertex-express, openai`,
		"addr: a\naddr: b":                         `addr`,
		"max_attempts: -1":                         `"-1" is not a whole number of at least 0; want one such as 4`,
		"retry_malformed: 4":                       `"4" is not a number from 0 to 3`,
		"max_concurrent: -1":                       `"-1" is not a whole number of at least 0; want one such as 4`,
		"addr: 8080x":                              `"8080x" is not an address; want "host:port", for example "127.0.0.1:8080"`,
		"addr: 127.0.0.1:1\nmetrics_addr: metrics": `gateway.yaml:2: metrics_addr: "metrics" is not an address`,
		"accounts: [{key: a, key_file: b}]":        `gateway.yaml:1: accounts/0/key: a settings file must not contain a key`,
		"accounts: [{key: \"${A}\", key_file: b}]": `gateway.yaml:1: accounts/0/key: want one of key and key_file`,
		"vertex: p\napi_key_file: f":               `gateway.yaml:1: vertex: a Vertex AI project takes no API key`,
		"vertex: p\naccounts: [{project: q}]":      `gateway.yaml:2: accounts: use either accounts, or one of vertex and api_key_file`,
		"strict: true\n: bad":                      `gateway.yaml:`,
	} {
		_, err := config.Load(config.Sources{File: file(t, content)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", content, err, want)
		}
	}
	for _, test := range []struct {
		from config.Sources
		want string
	}{
		{config.Sources{LookupEnv: environment("GEMWIRE_GRACE", "soon")}, `GEMWIRE_GRACE: "soon" is not a duration`},
		{config.Sources{LookupEnv: environment("GEMWIRE_STRICT", "maybe")}, `GEMWIRE_STRICT: "maybe" is not a boolean; want true or false`},
		{config.Sources{Flags: []config.Flag{{Name: "max_concurrent", Text: "many"}}}, `--max-concurrent: "many" is not a whole number of at least 0; want one such as 4`},
		{config.Sources{Flags: []config.Flag{{Name: "alias", Text: "a"}}}, `--alias: want NAME=MODEL, for example fast=gemini-3.6-flash; commas separate several`},
		{config.Sources{Flags: []config.Flag{{Name: "fallback", Text: "a="}}}, `--fallback: want MODEL=FIRST+SECOND, for example gemini-3.6-flash=gemini-3.1-pro-preview`},
		{config.Sources{Flags: []config.Flag{{Name: "addres", Text: "a"}}}, `did you mean "addr"?`},
		{config.Sources{Flags: []config.Flag{{Name: "accounts", Text: "a"}}}, `unknown setting`},
		{config.Sources{File: "nowhere.yaml"}, "nowhere.yaml"},
	} {
		_, err := config.Load(test.from)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	// Kubernetes sets such variables for a service named gemwire.
	load(t, config.Sources{LookupEnv: environment("GEMWIRE_SERVICE_HOST", "10.0.0.1",
		"GEMWIRE_PORT", "tcp://10.0.0.1:80", "GEMWIRE_GRACE", "")})
}

// TestAValueOfTheWrongKindIsAnsweredWithWhatIsWantedAndAnExample covers each setting: a new one
// needs an entry in the table of what is wanted.
func TestAValueOfTheWrongKindIsAnsweredWithWhatIsWantedAndAnExample(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"addr: 5":                            `addr: want "host:port", for example "127.0.0.1:8080"; found a number`,
		"addr:":                              `addr: it has no value; want "host:port", for example "127.0.0.1:8080"`,
		"inspect_addr: [a]":                  `inspect_addr: want "host:port", for example "127.0.0.1:8080"; found a list`,
		"base_url: true":                     `base_url: want a URL, for example "https://server.example/v1"; found a truth value`,
		"key_file: {a: b}":                   `key_file: want the path of a file, or store, for example "/etc/gemwire/keys.yaml"; found a table`,
		"grace: 10":                          `grace: want a duration, for example 10s or 1m30s; found a number`,
		"grace:":                             `grace: it has no value; want a duration, for example 10s or 1m30s`,
		"body_rate: [1]":                     `body_rate: want a size, for example 64MiB; found a list`,
		"strict: yes":                        `strict: want true or false; found a text`,
		"strict: 1":                          `strict: want true or false; found a number`,
		"max_attempts: many":                 `max_attempts: want a whole number of at least 0, for example 4; found a text`,
		"max_attempts: 1.5":                  `max_attempts: want a whole number of at least 0, for example 4; found 1.5`,
		"max_attempts: 99999999999999999999": `max_attempts: want a whole number of at least 0, for example 4; found 99999999999999999999`,
		"max_attempts:":                      `max_attempts: it has no value; want a whole number of at least 0, for example 4`,
		"background_per_client: -1":          `background_per_client: "-1" is not a whole number of at least 0`,
		"allowed_hosts: a.example":           `allowed_hosts: want a list of host names, for example [gateway.example.com]; found a text`,
		"allowed_origins: [1]":               `allowed_origins/0: want a text; found a number`,
		"log_level: 3":                       `log_level: want one of debug, info, warn, error; found a number`,
		"upstream:":                          `upstream: it has no value; want one of embedded, gemini`,
		"model: 4":                           `model: want the name of a model, for example gemini-3.6-flash; found a number`,
		"alias: gpt-4o=gemini":               `alias: want names with models, for example {fast: gemini-3.6-flash}; found a text`,
		"alias: {a: 4}":                      `alias/a: want the name of a model, for example gemini-3.6-flash; found a number`,
		"alias: {a: }":                       `alias/a: it has no value; want the name of a model`,
		"fallback: {a: b}":                   `fallback/a: want a list of models, for example [gemini-3.1-pro-preview]; found a text`,
		"fallback: {a: [4]}":                 `fallback/a/0: want the name of a model, for example gemini-3.6-flash; found a number`,
		"fallback: [a]":                      `fallback: want models with lists of models, for example {gemini-3.6-flash: [gemini-3.1-pro-preview]}; found a list`,
		"models: [a]":                        `models: want models with limits, for example {default: {idle: 5m}}; found a list`,
		"models: {a: 5m}":                    `models/a: want limits, for example {idle: 5m}; found a text`,
		"models: {a: {idle: }}":              `models/a/idle: it has no value; want a duration`,
		"accounts: {a: b}":                   `accounts: want a list of accounts, for example [{project: team-a, key: "${GEMINI_API_KEY_A}"}]; found a table`,
		"accounts: [a]":                      `accounts/0: want an account, for example {project: team-a, key: "${GEMINI_API_KEY_A}"}; found a text`,
		"accounts: [{key: 4}]":               `accounts/0/key: want a variable of the environment, for example "${GEMINI_API_KEY_A}"; found a number`,
		"accounts: [{project: 4}]":           `accounts/0/project: want a text; found a number`,
		"[addr]":                             `want settings with their values, for example addr: 127.0.0.1:8080; found a list`,
		"addr":                               `want settings with their values, for example addr: 127.0.0.1:8080; found a text`,
		"null":                               `it has no value; want settings with their values`,
	} {
		_, err := config.Load(config.Sources{File: file(t, content)})
		if err == nil || !strings.Contains(err.Error(), "gateway.yaml:1: "+want) {
			t.Errorf("%q: %v\nwant %s", content, err, want)
		}
	}
	for _, s := range config.Settings() {
		if s.Name == "$schema" {
			continue
		}
		_, err := config.Load(config.Sources{File: file(t, s.Name+":")})
		if err == nil || !strings.Contains(err.Error(), s.Name+": it has no value; want ") ||
			strings.HasSuffix(err.Error(), "want ") || strings.HasSuffix(err.Error(), "want a text") {
			t.Errorf("%s: got %v; want what the setting needs", s.Name, err)
		}
	}
}

func TestListeningBeyondThisMachineWantsKeys(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":8080", "0.0.0.0:8080", "[::]:8080", "192.0.2.1:80",
		"gateway.example.test:80"} {
		_, err := config.Load(config.Sources{Flags: []config.Flag{{Name: "addr", Text: addr}}})
		if located, ok := errors.AsType[*config.Error](err); !ok || located.Setting != "addr" ||
			!strings.Contains(err.Error(), "key_file") {
			t.Errorf("%s: %v", addr, err)
		}
		for _, with := range []config.Flag{{Name: "key_file", Text: "keys.yaml"},
			{Name: "callers_key", Text: "true"}} {
			if c := load(t,
				config.Sources{Flags: []config.Flag{{Name: "addr", Text: addr},
					with}}); !c.IsOpen() {
				t.Errorf("%s is said to be this machine alone", addr)
			}
		}
		if _, err := config.Load(config.Sources{Flags: []config.Flag{{Name: "inspect",
			Text: "true"}, {Name: "inspect_addr", Text: addr}}}); err == nil {
			t.Errorf("the inspector listens at %s", addr)
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "[::1]:8080", "localhost:8080"} {
		if c := load(t, config.Sources{Flags: []config.Flag{{Name: "addr",
			Text: addr}}}); c.IsOpen() {
			t.Errorf("%s is said to be open", addr)
		}
	}
}

func TestTheUpstreamIsTheServiceThatHasCredentials(t *testing.T) {
	t.Parallel()
	keyFile := file(t, "key-in-a-file\n")
	for _, test := range []struct {
		content     string
		environment []string
		want        gateway.Service
		secrets     []string
	}{
		{"strict: true", nil, gateway.Embedded, nil},
		{"strict: true", []string{"GEMINI_API_KEY", "key-1"}, gateway.GeminiAPI, []string{"key-1"}},
		{"strict: true", []string{"GOOGLE_API_KEY", " key-2\n"}, gateway.GeminiAPI, []string{"key-2"}},
		{"upstream: embedded", []string{"GEMINI_API_KEY", "key-1"}, gateway.Embedded, nil},
		{"upstream: vertex-express", []string{"GEMINI_API_KEY", "key-1"}, gateway.VertexAIExpress, []string{"key-1"}},
		{"api_key_file: " + keyFile, []string{"GEMINI_API_KEY", "key-1"}, gateway.GeminiAPI, []string{"key-in-a-file"}},
		{"callers_key: true", nil, gateway.GeminiAPI, nil},
		// the variable is only for accounts of the gateway
		{"callers_key: true", []string{"GEMINI_API_KEY", "key-1"}, gateway.GeminiAPI, nil},
		{"accounts: [{project: a, key: \"${KEY_A}\"}, {project: b, key_file: " + keyFile + "}]", []string{"KEY_A", "key-a"}, gateway.GeminiAPI, []string{"key-a", "key-in-a-file"}},
		{"vertex: p", nil, gateway.VertexAI, nil},
		{"upstream: openai\nbase_url: http://127.0.0.1:1/v1", []string{"GEMINI_API_KEY", "key-1", "OPENAI_API_KEY", "key-2"}, gateway.OpenAI, []string{"key-2"}},
		{"upstream: openai\nbase_url: http://127.0.0.1:1/v1", nil, gateway.OpenAI, nil},
	} {
		c := load(t, config.Sources{File: file(t, test.content),
			LookupEnv: environment(test.environment...)})
		secrets, err := c.Secrets()
		if err != nil || c.Service() != test.want ||
			!slices.Equal(secrets, test.secrets) && len(secrets)+len(test.secrets) > 0 {
			t.Errorf("%s: %s, %v, %v", test.content, c.Service(), secrets, err)
		}
		if c.Service() == gateway.VertexAI {
			continue // which looks for credentials of the machine
		}
		opts, err := c.Options()
		if err != nil {
			t.Errorf("%s: %v", test.content, err)
			continue
		}
		handler, err := gateway.New(opts...)
		if err != nil {
			t.Errorf("%s: %v", test.content, err)
			continue
		}
		handler.Close()
	}
}

func TestMissingSettingsOfAnUpstreamAreNamed(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"upstream: gemini":                                 "no API key; set GEMINI_API_KEY",
		"base_url: http://127.0.0.1:1":                     "no API key",
		"upstream: vertex":                                 "upstream vertex needs a project",
		"upstream: embedded\nbase_url: http://127.0.0.1:1": "upstream embedded takes no base_url",
		"accounts: [{key: \"${NOT_THERE}\"}]":              "accounts/0: the environment variable NOT_THERE is not set",
		"accounts: [{project: a}]":                         "accounts/0: the account needs key or key_file",
		"api_key_file: /nowhere/at/all":                    "/nowhere/at/all",
		"api_key_file: " +
			file(t, "two words"): "does not contain an API key; expected one word",
	} {
		c := load(t, config.Sources{File: file(t, content)})
		if _, err := c.Options(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", content, err, want)
		}
	}
	c := load(t, config.Sources{File: file(t, "rate_card: "+file(t, "prizes: []"))})
	if _, err := c.Options(); err == nil ||
		!strings.Contains(err.Error(), `did you mean "prices"?`) {
		t.Error(err)
	}
}

func TestAConfigurationShowsNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "AIzaHiddenHiddenHidden"
	c := load(t, config.Sources{
		File: file(t,
			"accounts: [{project: a, key: \"${KEY_A}\"}, {project: b, key_file: "+file(t, secret)+
				"}]"),
		LookupEnv: environment("KEY_A", secret, "GEMINI_API_KEY", secret),
	})
	opts, err := c.Options()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&out, format, c)
		fmt.Fprintf(&out, format, *c)
		fmt.Fprintf(&out, format, opts)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("c", "config", c)
	slog.New(slog.NewTextHandler(&out, nil)).Info("c", "config", *c)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	_, err = config.Load(config.Sources{File: file(t, "accounts: [{key: "+secret+"}]")})
	fmt.Fprint(&out, err)
	if strings.Contains(out.String(), "Hidden") {
		t.Error(out.String())
	}
}

func TestSizesAndTimesAreWrittenAsTheyAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"64MiB": "64MiB", "1024KiB": "1MiB", "1048576": "1MiB", "1500": "1500", "2 GiB": "2GiB",
		"5KB": "5000", "1MB": "1000000", "3GB": "3000000000", "7B": "7", "0": "",
	} {
		var size config.Size
		if err := size.Set(text); err != nil || size.String() != want {
			t.Errorf("%s: %s, %v", text, &size, err)
		}
		again, err := size.MarshalText()
		if err != nil || string(again) != want {
			t.Errorf("%s, %v", again, err)
		}
	}
	var d config.Duration
	if err := d.UnmarshalText([]byte("90s")); err != nil || d.String() != "1m30s" {
		t.Error(d.String(), err)
	}
}

func TestTimesAndSizesHaveBounds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"0": true, "0s": true, "1ns": true, "-1ns": false,
		"-1h": false, "1": false, "": false} {
		var d config.Duration
		if err := d.Set(text); (err == nil) != want {
			t.Errorf("a time of %q: %v", text, err)
		}
	}
	for text, want := range map[string]int64{
		"0": 0, "0B": 0, "1": 1, "1 KiB": 1 << 10, "4611686018427387904": 1 << 62,
		"4294967296GiB": 1 << 62,
		"-1":            -1, "-1MiB": -1, "4611686018427387905": -1, "4294967297GiB": -1,
		"9999999999999999999": -1, "1.5MiB": -1, "MiB": -1, "": -1,
	} { // -1 is for none
		var size config.Size
		if err := size.Set(text); (err == nil) != (want >= 0) || err == nil && int64(size) != want {
			t.Errorf("a size of %q: %d, %v", text, size, err)
		}
	}
}

func TestLimitsOfTheInspectorThatKeepNothingAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"inspect_max_memory": "1000", "inspect_max_body": "10",
		"inspect_max_string": "63", "inspect_count": "-1"} {
		_, err := config.Load(config.Sources{Flags: []config.Flag{{Name: name, Text: text}}})
		if located, ok := errors.AsType[*config.Error](err); !ok || located.Setting != name {
			t.Errorf("%s %s: %v", name, text, err)
		}
	}
}
