package clientkey_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// keysOf returns the keys of a file.
func keysOf(t testing.TB, text string) *clientkey.Keys {
	t.Helper()
	keys, err := clientkey.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// keyOf returns the only key of a file, "secret", with other members.
func keyOf(t testing.TB, members string) *clientkey.Key {
	t.Helper()
	return keysOf(t, `{"keys":[{"name":"alice","hash":"`+clientkey.Hash("secret")+`"`+members+
		`}]}`).Find("secret")
}

func TestAKeyIsFoundByWhatTheClientSends(t *testing.T) {
	t.Parallel()
	own := clientkey.New()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	text := "keys:\n- name: alice\n  hash: " + clientkey.Hash(own) + "\n- name: bob\n  hash: " +
		clientkey.Hash("other") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := clientkey.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for sent, want := range map[string]string{own: "alice", "other": "bob"} {
		if key := keys.Find(sent); key == nil || key.Name() != want {
			t.Errorf("%q is of %v", sent, key)
		}
	}
	for _, sent := range []string{"", own + "x", own[1:], clientkey.Hash(own), "alice"} {
		if key := keys.Find(sent); key != nil {
			t.Errorf("%q is of %v", sent, key)
		}
	}
	if len(own) != 46 || own == clientkey.New() {
		t.Errorf("a new key is %d characters long", len(own))
	}
}

func TestAFileMayBeAListHoweverItBegins(t *testing.T) {
	t.Parallel()
	entry := "name: alice\n  hash: " + clientkey.Hash("secret") + "\n"
	for _, text := range []string{
		"- " + entry, "-\n  " + entry, "\ufeff- " + entry, "--- # of May\n- " + entry,
		"---\n# of May\n\n- " + entry,
		`[{"name":"alice","hash":"` + clientkey.Hash("secret") + `"}]`,
	} {
		keys, err := clientkey.Read([]byte(text))
		if err != nil || keys.Find("secret") == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// printf %s secret | sha256sum
func TestAHashIsThatOfOtherPrograms(t *testing.T) {
	t.Parallel()
	if got := clientkey.Hash("secret"); got != "sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b" {
		t.Error(got)
	}
}

func TestErrorsOfAFileAreReportedWithTheirLines(t *testing.T) {
	t.Parallel()
	hash := clientkey.Hash("secret")
	for text, want := range map[string]string{
		"":                                    "empty",
		"keys: []":                            "no keys",
		"keys:\n- name: a\n  hash: secret":    "line 3: /keys/0/hash: must be sha256:",
		"keys:\n- name: a\n  hash: sha256:12": "line 3: /keys/0/hash",
		"keys:\n- hash: " + hash:              "line 2: /keys/0: the key needs a name",
		"keys:\n- name: a\n  hsh: x":          `did you mean "hash"?`,
		"keys:\n- name: a\n  hash: " + hash +
			"\n  requests_per_minute: -1": "line 4: /keys/0/requests_per_minute",
		"keys:\n- name: a\n  hash: " + hash +
			"\n  tokens_per_minute: -1": "/keys/0/tokens_per_minute",
		"keys:\n- name: a\n  hash: " + hash + "\n- name: b\n  hash: " +
			hash: "line 5: /keys/1/hash: another key",
		"keys:\n- name: a\n  hash: " + hash + "\n- name: a\n  hash: " +
			clientkey.Hash("other"): "line 4: /keys/1/name: another key",
		"keys:\n- name: a\n  hash: " + hash +
			"\n  requests_per_minute: many": "line 4",
	} {
		_, err := clientkey.Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error quotes what may be a key: %v", err)
		}
	}
}

func TestAKeyIsForItsModels(t *testing.T) {
	t.Parallel()
	key := keyOf(t, `,"models":["gpt-4o","gemini-2.5-*"]`)
	for model, want := range map[string]bool{
		"gpt-4o": true, "gemini-2.5-flash": true, "models/gemini-2.5-pro": true,
		"gpt-4o-mini": false, "gemini-3-pro": false, "": false, "GPT-4o": false,
		"publishers/google/models/gemini-2.5-pro": false,
	} {
		if key.Permits(model) != want {
			t.Errorf("%q is permitted: %v", model, !want)
		}
	}
	if !keyOf(t, "").Permits("anything") {
		t.Error("a key without a list is not for all models")
	}
}

func TestAKeyHasLimitsAndABudget(t *testing.T) {
	t.Parallel()
	key := keyOf(t, `,"requests_per_minute":60,"tokens_per_minute":1000,"concurrent":3,"admin":true`+
		`,"budget":{"amount":12.5,"tokens":7,"period":"month"}`)
	if key.Limits() != (clientkey.Limits{RequestsPerMinute: 60, TokensPerMinute: 1000,
		Concurrent: 3}) || !key.IsAdmin() {
		t.Errorf("%+v, admin: %v", key.Limits(), key.IsAdmin())
	}
	if got := key.Budget(); got.MoneyText() != "12.5 USD per month" || got.Tokens != 7 {
		t.Errorf("%+v", got)
	}
	for members, want := range map[string]string{
		`,"concurrent":-1`:                            "/keys/0/concurrent",
		`,"budget":{"amount":5}`:                      "/keys/0/budget/period",
		`,"budget":{"amount":5,"period":"year"}`:      "/keys/0/budget/period",
		`,"budget":{"amount":-5,"period":"day"}`:      "/keys/0/budget/amount",
		`,"budget":{"currency":"USD","period":"day"}`: "/keys/0/budget",
		`,"budget":{"period":"day"}`:                  "/keys/0/budget",
		`,"budget":{"tokens":-1,"period":"day"}`:      "/keys/0/budget/tokens",
		`,"budget":"5USD/day"`: "/keys/0/budget: want a table such as " +
			"{amount: 5, currency: USD, period: day}; found a text",
		`,"budget":{"amont":5}`: `did you mean "amount"?`,
	} {
		_, err := clientkey.Read([]byte(`{"keys":[{"name":"a","hash":"` + clientkey.Hash("secret") +
			`"` + members + `}]}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", members, err, want)
		}
	}
}

func TestKeysPrintNothingOfThemselves(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, `{"keys":[{"name":"alice","hash":"`+clientkey.Hash("secret")+`"}]}`)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(verb, keys); text != "1 client keys" {
			t.Errorf("%s: %s", verb, text)
		}
		if text := fmt.Sprintf(verb, keys.Find("secret")); text != "alice" {
			t.Errorf("%s: %s", verb, text)
		}
	}
}
