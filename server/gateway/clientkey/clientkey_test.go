package clientkey_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

func TestRequestsAreLimitedByTheMinute(t *testing.T) {
	t.Parallel()
	key := keyOf(t, `,"requests_per_minute":60`)
	now := time.Unix(1_000_000, 0)
	for i := range 60 {
		if _, err := key.Take(now, 1_000_000); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	_, err := key.Take(now, 1)
	limited, ok := errors.AsType[*clientkey.LimitError](err)
	if !ok || limited.Unit != "requests" || limited.Limit != 60 || limited.Wait != time.Second {
		t.Fatalf("the 61st: %v", err)
	}
	if got, want := key.Requests(now),
		(clientkey.Standing{Limit: 60, Remaining: 0, Reset: time.Minute}); got != want {
		t.Errorf("stands at %+v", got)
	}
	if got := key.Tokens(now); got != (clientkey.Standing{}) {
		t.Errorf("tokens stand at %+v without a limit", got)
	}
	now = now.Add(time.Second)
	if _, err := key.Take(now, 1); err != nil {
		t.Errorf("a second later: %v", err)
	}
	if _, err := key.Take(now, 1); err == nil {
		t.Error("two a second are let through")
	}
	if got := key.Requests(now.Add(time.Hour)); got.Remaining != 60 || got.Reset != 0 {
		t.Errorf("an hour later it stands at %+v", got)
	}
}

func TestTokensAreReservedAndThenCorrected(t *testing.T) {
	t.Parallel()
	key := keyOf(t, `,"tokens_per_minute":1000`)
	now := time.Unix(1_000_000, 0)
	first, err := key.Take(now, 1_000_000) // a picture
	if err != nil {
		t.Fatal(err)
	}
	if got := key.Tokens(now).Remaining; got != 900 {
		t.Errorf("%d tokens remain after a reservation", got)
	}
	first.Correct(now, 250)
	if got := key.Tokens(now).Remaining; got != 750 {
		t.Errorf("%d tokens remain after the correction", got)
	}
	second, err := key.Take(now, 40)
	if err != nil {
		t.Fatal(err)
	}
	second.Correct(now, 1750) // more than there was
	_, err = key.Take(now, 1)
	limited, ok := errors.AsType[*clientkey.LimitError](err)
	if !ok || limited.Unit != "tokens" || limited.Wait < time.Minute ||
		limited.Wait > time.Minute+time.Second {
		t.Errorf("below empty: %v", err)
	}
	third, err := key.Take(now.Add(2*time.Minute), 50)
	if err != nil {
		t.Fatal(err)
	}
	third.Correct(now.Add(2*time.Minute), 0) // it failed
	if got := key.Tokens(now.Add(2 * time.Minute)).Remaining; got != 1000 {
		t.Errorf("%d tokens remain after a request that failed", got)
	}
}

func TestARequestAboveItsLimitTakesNoTokens(t *testing.T) {
	t.Parallel()
	key := keyOf(t, `,"tokens_per_minute":1000,"requests_per_minute":1`)
	now := time.Unix(1_000_000, 0)
	if _, err := key.Take(now, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := key.Take(now, 10); err == nil || key.Tokens(now).Remaining != 990 {
		t.Errorf("error %v, %d tokens remain", err, key.Tokens(now).Remaining)
	}
}

func TestUsedQuotaOutlivesTheFile(t *testing.T) {
	t.Parallel()
	file := func(limit int) *clientkey.Keys {
		return keysOf(t,
			fmt.Sprintf(`{"keys":[{"name":"a","hash":%q,"requests_per_minute":%d}]}`,
				clientkey.Hash("secret"), limit))
	}
	now := time.Unix(1_000_000, 0)
	old := file(1)
	if _, err := old.Find("secret").Take(now, 1); err != nil {
		t.Fatal(err)
	}
	same, other := file(1), file(2)
	same.Inherit(old)
	other.Inherit(old)
	if _, err := same.Find("secret").Take(now, 1); err == nil {
		t.Error("a file that is read again gives the limit anew")
	}
	if _, err := other.Find("secret").Take(now, 1); err != nil {
		t.Errorf("another limit is not in force: %v", err)
	}
}

func TestNoKeysInheritAndLeaveNothing(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	keys := keysOf(t, `{"keys":[{"name":"a","hash":"`+clientkey.Hash("secret")+
		`","requests_per_minute":1}]}`)
	if _, err := keys.Find("secret").Take(now, 1); err != nil {
		t.Fatal(err)
	}
	(*clientkey.Keys)(nil).Inherit(keys)
	keys.Inherit(nil)
	keys.Inherit(keys)
	if _, err := keys.Find("secret").Take(now, 1); err == nil {
		t.Error("the limit is given anew")
	}
}

func TestALimitThatChangesLeavesTheOtherAsItIs(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	file := func(members string) *clientkey.Keys {
		return keysOf(t,
			`{"keys":[{"name":"alice","hash":"`+clientkey.Hash("secret")+`"`+members+`}]}`)
	}
	before := file(`,"requests_per_minute":60,"tokens_per_minute":1000`)
	if _, err := before.Find("secret").Take(now, 100); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		members          string
		requests, tokens int
	}{
		{`,"requests_per_minute":60,"tokens_per_minute":1000`, 59, 900},
		{`,"requests_per_minute":90,"tokens_per_minute":1000`, 90, 900},
		{`,"requests_per_minute":60,"tokens_per_minute":5000`, 59, 5000},
		{`,"tokens_per_minute":1000`, 0, 900},
	} {
		keys := file(tt.members)
		keys.Inherit(before)
		key := keys.Find("secret")
		if requests, tokens := key.Requests(now).Remaining,
			key.Tokens(now).Remaining; requests != tt.requests || tokens != tt.tokens {
			t.Errorf("%s: %d requests and %d tokens remain, expected %d and %d", tt.members,
				requests, tokens, tt.requests, tt.tokens)
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
