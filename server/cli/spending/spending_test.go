package spending_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/store"
	"github.com/gemwire/gemwire/server/usage"
)

func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// good runs a command that succeeds.
func good(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := run(t, args...)
	if code != 0 {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// count counts the requests of the tests.
func count(book *usage.Book) {
	for _, row := range []usage.Row{
		{Key: usage.Key{Client: "bob", Model: "pro", Currency: "USD"},
			Counts: usage.Counts{Requests: 2, InputTokens: 10, OutputTokens: 5, Cost: 1_500_000_000}},
		{Key: usage.Key{Client: "alice", Model: "flash", Currency: "USD"},
			Counts: usage.Counts{Requests: 1, InputTokens: 7, CachedTokens: 3, Cost: 2_000_000_000}},
		{Key: usage.Key{Client: "alice", Model: "mystery", Unpriced: "mystery has no price"},
			Counts: usage.Counts{Requests: 1, Failures: 1, ThinkingTokens: 9, UnpricedTokens: 9}},
	} {
		book.Add(row.Key, &row.Counts)
	}
}

// want compares the output, whose columns are separated by single spaces.
func wantText(t *testing.T, what, want, got string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(got) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	if diff := cmp.Diff(want, strings.Join(lines, "\n")); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

const byKey = `KEY REQUESTS FAILED INPUT CACHED OUTPUT THINKING UNPRICED COST
alice 2 1 7 3 0 9 9 2 USD
bob 2 0 10 0 5 0 0 1.5 USD

Without a price:
9 tokens of 1 request: mystery has no price`

func TestUsageIsReadFromAStore(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	opened, err := store.Open(t.Context(), store.InFolder(folder))
	if err != nil {
		t.Fatal(err)
	}
	book, err := usage.Open(t.Context(), usage.In(opened.Engine()))
	if err != nil {
		t.Fatal(err)
	}
	count(book)
	if err := book.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	wantText(t, "by key", byKey, good(t, "usage", "--store", folder))
	today := time.Now().UTC().Format(time.DateOnly)
	wantText(t, "CSV", `day,model,requests,failures,input_tokens,cached_tokens,output_tokens,thinking_tokens,unpriced_tokens,cost,currency
`+today+`,flash,1,0,7,3,0,0,0,2,USD
`+today+`,mystery,1,1,0,0,0,9,9,0,
`+today+`,pro,2,0,10,0,5,0,0,1.5,USD`,
		good(t, "usage", "--store", folder, "--by", "day,model", "--csv", "--since", "1d"))
	if text := good(t, "usage", "--store", folder, "--json"); !strings.Contains(text,
		`"cost_nano": 1500000000`) {
		t.Error(text)
	}
	if text := good(t, "usage", "--store", folder, "--until", "2020-01-01"); text !=
		"no usage in these days\n" {
		t.Error(text)
	}
}

func TestUsageIsReadFromAGateway(t *testing.T) {
	book, err := usage.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close(t.Context()) })
	count(book)
	keys, err := clientkey.Read([]byte(`[{name: admin, admin: true, hash: "` +
		clientkey.Hash("secret") + `"}]`))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := gateway.New(gateway.WithUsage(book), gateway.WithClientKeys(keys))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	server := httptest.NewServer(http.Handler(handler))
	t.Cleanup(server.Close)
	if code, _, stderr := run(t, "usage", "--url", server.URL); code == 0 ||
		!strings.Contains(stderr, "set GEMWIRE_ADMIN_KEY") {
		t.Errorf("%d: %s", code, stderr)
	}
	t.Setenv("GEMWIRE_ADMIN_KEY", "secret")
	wantText(t, "by key", byKey, good(t, "usage", "--url", server.URL+"/v1"))
}

func TestUsageOfAMissingStoreMakesNone(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	code, _, stderr := run(t, "usage", "--store", folder)
	if want := "the folder " + folder + " does not exist; set --store"; code != 1 ||
		!strings.Contains(stderr, want) {
		t.Errorf("%d: %s", code, stderr)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
}

func TestUsageOfAGatewayThatDoesNotRunSaysSo(t *testing.T) {
	t.Parallel()
	code, _, stderr := run(t, "usage", "--url", "http://127.0.0.1:9")
	if code != 1 || !strings.Contains(stderr, "no gateway answers at http://127.0.0.1:9; ") {
		t.Errorf("%d: %s", code, stderr)
	}
}

func TestInvalidFlagsOfUsageAreReported(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"set --store":               {},
		`"keys" is unknown`:         {"--by", "keys"},
		`"yesterday" is not a day`:  {"--since", "yesterday"},
		`"0d" is not a day`:         {"--since", "0d"},
		"if any flags in the group": {"--csv", "--json"},
	} {
		if code, _, stderr := run(t, append([]string{"usage"}, args...)...); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%q: %d: %s", args, code, stderr)
		}
	}
}

func TestKeysAreMadeChangedAndRevoked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(path, []byte("# ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := []string{"--key-file", path}
	of := func(args ...string) string { t.Helper(); return good(t, append(args, file...)...) }
	key := strings.TrimSpace(of("keys", "new", "alice", "--budget", "5USD/month", "--token-budget",
		"1000/month", "--models", "gemini-*,gpt-4o"))
	of("keys", "new", "the boss", "--admin", "--concurrent", "3")
	wantText(t, "list", `NAME REQUESTS/MIN TOKENS/MIN AT A TIME BUDGET MODELS ADMIN
alice - - - 5 USD per month, 1000 tokens per month gemini-*, gpt-4o -
the boss - - 3 - all yes`, of("keys", "list"))
	keys, err := clientkey.ReadFile(path)
	if err != nil || keys.Find(key) == nil || keys.Find(key).Name() != "alice" {
		t.Fatalf("%v, %v", keys, err)
	}
	of("keys", "set", "alice", "--budget", "none", "--models", "none", "--requests-per-minute", "9")
	if text := of("keys", "list", "--output", "json"); !strings.Contains(text,
		"\"name\": \"alice\",\n    \"requests_per_minute\": 9\n") {
		t.Error(text)
	}
	of("keys", "revoke", "alice")
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "alice") || !strings.HasPrefix(string(text),
		"# ours\n") {
		t.Errorf("%s, %v", text, err)
	}
	for want, args := range map[string][]string{
		`there is no key named "alice"`: {"revoke", "alice"},
		"is the last key":               {"revoke", "the boss"},
		`there is a key named "the boss"; change it with gemwire keys set`: {"new", "the boss"},
		"the same period":            {"new", "x", "--budget", "5USD/day", "--token-budget", "5/week"},
		"--budget: \"5\" is not":     {"new", "x", "--budget", "5"},
		"--concurrent: \"0\" is not": {"set", "the boss", "--concurrent", "0"},
		"nothing to change":          {"set", "the boss"},
	} {
		if code, _, stderr := run(t, append(append([]string{"keys"}, args...), file...)...); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%q: %d: %s", args, code, stderr)
		}
	}
	if code, _, stderr := run(t, "keys", "list"); code == 0 || !strings.Contains(stderr,
		"set --key-file") {
		t.Errorf("%d: %s", code, stderr)
	}
}

func TestAKeyFileThatIsNotOneIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(path, []byte("null\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, said := run(t, "keys", "list", "--key-file", path)
	if code == 0 || !strings.Contains(said, path+": line 1: ") {
		t.Errorf("%d: %s", code, said)
	}
}
