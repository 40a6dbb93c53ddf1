package websearch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
)

// env returns a function like os.LookupEnv for the given variables.
func env(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

// homeWith creates a home directory with a credentials file that has the given content.
func homeWith(t *testing.T, credentials string) string {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, ".config", "ikigai")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "credentials.json"), []byte(credentials),
		0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

const bothInFile = `{"web_search": {"google": {"api_key": "file key", "engine_id": "file id"}, "brave": {"api_key": "other"}}}`

func TestCredentialsAreFound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env  map[string]string
		file string
		want websearch.Credentials
	}{
		"nowhere":                     {nil, `{}`, websearch.Credentials{}},
		"in the environment":          {map[string]string{"GOOGLE_SEARCH_API_KEY": "k", "GOOGLE_SEARCH_ENGINE_ID": "i"}, bothInFile, websearch.NewCredentials("k", "i")},
		"in the file":                 {nil, bothInFile, websearch.NewCredentials("file key", "file id")},
		"key here, id there":          {map[string]string{"GOOGLE_SEARCH_API_KEY": "k"}, bothInFile, websearch.NewCredentials("k", "file id")},
		"id here, key there":          {map[string]string{"GOOGLE_SEARCH_ENGINE_ID": "i"}, bothInFile, websearch.NewCredentials("file key", "i")},
		"set to nothing is found":     {map[string]string{"GOOGLE_SEARCH_API_KEY": ""}, bothInFile, websearch.NewCredentials("", "file id")},
		"only a key":                  {map[string]string{"GOOGLE_SEARCH_API_KEY": "k"}, `{}`, websearch.NewCredentials("k", "")},
		"of another type":             {nil, `{"web_search": {"google": {"api_key": 1, "engine_id": ["x"]}}}`, websearch.Credentials{}},
		"not JSON":                    {nil, `{"web_search": {"google": {"api_key": "k", "engine_id": "i"}}`, websearch.Credentials{}},
		"an older, flat form":         {nil, `{"api_key": "k", "engine_id": "i", "GOOGLE_SEARCH_API_KEY": "k"}`, websearch.Credentials{}},
		"web_search is not an object": {nil, `{"web_search": "google"}`, websearch.Credentials{}},
		"google is not an object":     {nil, `{"web_search": {"google": ["api_key"]}}`, websearch.Credentials{}},
		"a byte order mark":           {nil, "\uFEFF" + bothInFile, websearch.NewCredentials("file key", "file id")},
		"the file is a list":          {nil, `[]`, websearch.Credentials{}},
		"the file is empty":           {nil, ``, websearch.Credentials{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variables := map[string]string{"HOME": homeWith(t, test.file)}
			for name, value := range test.env {
				variables[name] = value
			}
			if got := websearch.FindCredentials(env(variables)); !got.Equal(test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestWithoutHomeTheAccountsOwnIsUsed(t *testing.T) {
	t.Parallel()
	home := homeWith(t, bothInFile)
	want := websearch.NewCredentials("file key", "file id")
	for _, variables := range []map[string]string{nil, {"HOME": ""}} {
		if got := websearch.FindCredentialsAt(env(variables), home); !got.Equal(want) {
			t.Errorf("%v: got %v", variables, got)
		}
	}
	if got := websearch.FindCredentialsAt(env(map[string]string{"HOME": t.TempDir()}),
		home); !got.Equal(websearch.Credentials{}) {
		t.Errorf("HOME is set, and still the account's was read: %v", got)
	}
	account, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	if !websearch.FindCredentials(env(nil)).Equal(websearch.FindCredentialsAt(env(nil),
		account.HomeDir)) {
		t.Error("the account's home is not " + account.HomeDir)
	}
}

// Without a home directory, a file in the working directory must not be used as the user's file.
func TestWithoutAnyHomeThereIsNoFile(t *testing.T) {
	t.Chdir(homeWith(t, bothInFile))
	if got := websearch.FindCredentialsAt(env(nil), ""); !got.Equal(websearch.Credentials{}) {
		t.Errorf("got %v", got)
	}
}

func TestIncompleteCredentialsMakeNoCall(t *testing.T) {
	t.Parallel()
	for name, credentials := range map[string]websearch.Credentials{
		"zero":      {},
		"no key":    websearch.NewCredentials("", engineID),
		"no engine": websearch.NewCredentials(apiKey, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if credentials.Complete() {
				t.Error("complete")
			}
			google := customsearchtest.New(t, nil)
			client, err := websearch.New(credentials, websearch.WithBaseURL(google.URL))
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Search(t.Context(), websearch.Request{Query: "test"})
			failure := failureOf(t, err)
			if failure.Code != websearch.CodeAuthMissing || failure.Event == nil ||
				failure.Event.Kind != "config_required" {
				t.Errorf("got %+v", failure)
			}
			if queries := google.Queries(); len(queries) > 0 {
				t.Errorf("called: %q", queries)
			}
		})
	}
}

func TestNothingPrintsACredential(t *testing.T) {
	t.Parallel()
	credentials := websearch.NewCredentials(apiKey, engineID)
	client, err := websearch.New(credentials)
	if err != nil {
		t.Fatal(err)
	}
	type owner struct {
		credentials websearch.Credentials
		Client      *websearch.Client
		copied      websearch.Client
	}
	var out bytes.Buffer
	for _, value := range []any{
		credentials, &credentials, client, *client, []websearch.Credentials{credentials},
		owner{credentials, client, *client}, &owner{credentials, client, *client},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%p"} {
			fmt.Fprintf(&out, verb+"\n", value)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("x", "value", value)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "value", value)
		if encoded, err := json.Marshal(value); err == nil {
			out.Write(encoded)
		}
	}
	out.WriteString(credentials.String() + credentials.GoString() + client.String() +
		client.GoString())
	text := out.String()
	for _, secret := range []string{apiKey, engineID, fmt.Sprintf("%x", apiKey),
		fmt.Sprintf("%x", engineID)} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("a credential is in %q", text[max(0, at-80):at+len(secret)])
		}
	}
	const want = "websearch.Client{https://customsearch.googleapis.com, websearch.Credentials{APIKey: REDACTED, EngineID: REDACTED}}"
	if got := fmt.Sprintf("%v", client); got != want {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(websearch.NewCredentials("",
		"x")); got != "websearch.Credentials{APIKey: missing, EngineID: REDACTED}" {
		t.Errorf("got %s", got)
	}
}
