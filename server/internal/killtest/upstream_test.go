package killtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Each answer of the fake server has these tokens.
const (
	inputTokens  = 10
	outputTokens = 5
	callTokens   = inputTokens + outputTokens
)

// upstream is a fake server of Gemini. It counts calls, and checks the signatures that come back.
// The text of each request is "KEY NAME". The first element of a path is the gateway that calls.
type upstream struct {
	*httptest.Server

	mu     sync.Mutex
	calls  []call
	proven map[string]bool // whether the signature of a name came back unchanged
}

// call is a call of a gateway for a client key.
type call struct {
	at           time.Time
	gateway, key string
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{proven: map[string]bool{}}
	u.Server = httptest.NewServer(u)
	t.Cleanup(u.Close)
	return u
}

// signatureOf returns the signature of a name. It does not fit into an id.
func signatureOf(name string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(name+"+", 3000)))
}

// geminiRequest has what the fake server reads.
type geminiRequest struct {
	Contents []struct {
		Parts []struct {
			Text             string          `json:"text"`
			FunctionCall     json.RawMessage `json:"functionCall"`
			ThoughtSignature string          `json:"thoughtSignature"`
		} `json:"parts"`
	} `json:"contents"`
	Tools json.RawMessage `json:"tools"`
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in geminiRequest
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var key, name, signature string
	isSecond := false
	for _, content := range in.Contents {
		for _, part := range content.Parts {
			if k, n, isText := strings.Cut(part.Text, " "); isText && !strings.Contains(n, " ") {
				key, name = k, n
			}
			if part.FunctionCall != nil {
				isSecond, signature = true, part.ThoughtSignature
			}
		}
	}
	gateway, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	u.mu.Lock()
	u.calls = append(u.calls, call{time.Now(), gateway, key})
	if isSecond {
		u.proven[name] = signature == signatureOf(name)
	}
	u.mu.Unlock()
	part := fmt.Sprintf(`{"text":"you said: %s"}`, name)
	if in.Tools != nil && !isSecond {
		part = fmt.Sprintf(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":%q}`,
			signatureOf(name))
	}
	answer := fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[%s]},`+
		`"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":%d,`+
		`"candidatesTokenCount":%d,"totalTokenCount":%d},"modelVersion":"gemini-3.6-flash"}`,
		part, inputTokens, outputTokens, callTokens)
	if strings.Contains(r.URL.Path, ":stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		answer = "data: " + answer + "\n\n"
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	_, _ = w.Write([]byte(answer))
}

// callsOf returns the number of calls for a key.
func (u *upstream) callsOf(key string) int {
	return u.count(func(c *call) bool { return c.key == key })
}

// count returns the number of calls for which a condition holds.
func (u *upstream) count(holds func(*call) bool) (n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range u.calls {
		if holds(&u.calls[i]) {
			n++
		}
	}
	return n
}

// proof returns whether the signature of a name came back, and whether it was unchanged.
func (u *upstream) proof(name string) (isBack, isSame bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	isSame, isBack = u.proven[name]
	return isBack, isSame
}
