package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// refuse makes the only account of a pool refused for a model.
func refuse(t testing.TB, p *Pool, model string, status int, body []byte) {
	t.Helper()
	_ = p.Run(t.Context(),
		&Call{Models: []string{model}, Method: "generateContent", Attempts: 1,
			Try: func(*Try) error {
				return gemini.DecodeError(status, nil, body)
			}})
}

// isAsked reports whether a call of a model reaches the account.
func isAsked(t testing.TB, p *Pool, model string) bool {
	t.Helper()
	asked := false
	_ = p.Run(t.Context(),
		&Call{Models: []string{model}, Method: "generateContent", Attempts: 1,
			Try: func(*Try) error {
				asked = true
				return errors.New("not answered")
			}})
	return asked
}

func newPool() *Pool { return NewPool([]*Account{{}}, time.Now) }

func TestEachWordOfTheTablePausesItsAccountOrModel(t *testing.T) {
	t.Parallel()
	for word, scope := range scopes {
		for form, body := range map[string]string{
			"reason": `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q}]}}`,
			"type":   `{"error":{"message":"m","type":%q}}`,
			"code":   `{"error":{"message":"m","type":"x","code":%q}}`,
		} {
			for _, status := range []int{401, 403} {
				p := newPool()
				refuse(t, p, "refused", status, fmt.Appendf(nil, body, word))
				wholeRests := scope == ofAccount || scope == ofProject
				if isAsked(t, p, "other") == wholeRests ||
					isAsked(t, p, "refused") != (scope < ofModel) {
					t.Errorf("%d with the %s %s: scope %d is not what rests", status, form, word,
						scope)
				}
			}
		}
	}
}

// Clients may use resource names of models with projects that the gateway's account does not know.
func TestAProjectThatTheClientNamesRestsForItself(t *testing.T) {
	t.Parallel()
	p := newPool()
	body := []byte(`{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED"}]}}`)
	refuse(t, p, "projects/other/locations/l/endpoints/e", 403, body)
	if !isAsked(t, p, "gemini-2.5-flash") ||
		isAsked(t, p, "projects/other/locations/l/endpoints/e") {
		t.Error("the other project's refusal is not that of its model")
	}
}

// Messages may quote the client. Only their beginning certainly comes from the server.
func TestAMessageThatQuotesTheClientRestsNoAccount(t *testing.T) {
	t.Parallel()
	for _, text := range accountMessages {
		p := newPool()
		refuse(t, p, "refused", 403,
			fmt.Appendf(nil, `{"error":{"message":%q}}`,
				"the model '"+text+"' is not for the caller"))
		if !isAsked(t, p, "other") {
			t.Errorf("%q in a message rests the account", text)
		}
	}
}

func TestTheMemoryOfRefusalsIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	p := NewPool([]*Account{{}}, func() time.Time { return now })
	large := append([]byte(`{"error":{"message":"m"}}`), bytes.Repeat([]byte(" "), largestKept)...)
	for i := range 10 * maxTargets {
		now = now.Add(time.Millisecond)
		refuse(t, p, fmt.Sprint("model-", i), 401, large)
		refuse(t, p, fmt.Sprint("used-up-", i), 429, large)
		refuse(t, p, strings.Repeat("n", longestName)+fmt.Sprint(i), 401, large)
		refuse(t, p, strings.Repeat("n", longestName)+fmt.Sprint(i), 429, large)
	}
	account := p.accounts[0]
	if len(account.targets) != maxTargets {
		t.Errorf("%d targets are remembered", len(account.targets))
	}
	for to, r := range account.targets {
		if len(to.model) > longestName || len(r.why.(*gemini.Error).RawBody()) > largestKept {
			t.Errorf("%q is remembered with %d bytes", to, len(r.why.(*gemini.Error).RawBody()))
		}
	}
	for key, b := range p.buckets {
		if len(key.model) > longestName || len(b.why.(*gemini.Error).RawBody()) > largestKept {
			t.Errorf("%q is remembered with %d bytes", key, len(b.why.(*gemini.Error).RawBody()))
		}
	}
	if account.targets[target{fmt.Sprint("model-", 10*maxTargets-1), "generateContent"}] == nil {
		t.Error("the newest refusal is forgotten")
	}
}

func TestABodyThatIsNotTooLargeIsKeptWhole(t *testing.T) {
	t.Parallel()
	const body = `{"error":{"message":"m"}}`
	for size, want := range map[int]int{
		len(body): len(body), largestKept: largestKept, largestKept + 1: 0,
	} {
		p := newPool()
		refuse(t, p, "m", 401, append([]byte(body), bytes.Repeat([]byte(" "), size-len(body))...))
		for _, r := range p.accounts[0].targets {
			if got := len(r.why.(*gemini.Error).RawBody()); got != want {
				t.Errorf("of %d bytes, %d are kept; want %d", size, got, want)
			}
		}
		if len(p.accounts[0].targets) != 1 {
			t.Errorf("%d targets are remembered", len(p.accounts[0].targets))
		}
	}
}

// FuzzARefusalOfOneModelLeavesTheOthersInUse refuses a model with any body. Another model is still
// called, unless the body names the credential.
func FuzzARefusalOfOneModelLeavesTheOthersInUse(f *testing.F) {
	for _, body := range []string{
		`{"error":{"code":403,"message":"The caller does not have permission","status":"PERMISSION_DENIED"}}`,
		`{"error":{"message":"m","type":"key_model_access_denied","param":"model","code":"401"}}`,
		`{"error":{"message":"m","type":"authentication_error","code":"key_model_access_denied"}}`,
		`[{"error":{"code":400,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]`,
		`{"error":{"errors":[{"reason":"keyInvalid"}]}}`, `{"detail":"no"}`, `<html>`, "",
		`{"error":null}`, `{"error":"invalid_api_key"}`,
	} {
		for _, status := range []int{400, 401, 403, 404, 500} {
			f.Add(status, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		p := newPool()
		refuse(t, p, "refused", status, body)
		if !isAsked(t, p, "other") && !namesCredential(body) {
			t.Errorf("%d %s rests the account", status, body)
		}
	})
}

// namesCredential reports whether a body may have a word or a message about the credential. Escapes
// may hide one.
func namesCredential(body []byte) bool {
	text := strings.ToLower(string(body))
	for word, scope := range scopes {
		if scope >= ofProject && strings.Contains(text, word) {
			return true
		}
	}
	for _, begin := range accountMessages {
		if strings.Contains(text, begin) {
			return true
		}
	}
	return strings.Contains(text, apiKeyReasons) || strings.Contains(text, `\`)
}
