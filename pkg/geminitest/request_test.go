package geminitest_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/clock/clocktest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"go.uber.org/goleak"
)

// The tests use the models of one day.
var _ = clocktest.Fix()

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const generate = "/v1beta/models/gemini-2.5-flash:generateContent"

const hello = `{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}`

// toolTurn is a conversation whose last turn is the result of a call.
const toolTurn = `{"contents":[
	{"role":"user","parts":[{"text":"How is the weather?"}]},
	{"role":"model","parts":[{"functionCall":{"id":"c1","name":"get_weather","args":{}}}]},
	{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"get_weather","response":{"degrees": 21}}}]}],
	"tools":[{"functionDeclarations":[{"name":"get_weather"},{"name":"get_time"}]}]}`

// ask returns the request hello with more members.
func ask(members string) string { return strings.TrimSuffix(hello, "}") + "," + members + "}" }

// post sends a body to a path of a server and returns the status and the body of the reply.
func post(t *testing.T, srv *geminitest.Server, path, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://gemini.example"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Goog-Api-Key", "secret")
	reply, err := srv.HTTPClient().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(data)
}

// answerTo sends a request and returns the text of the answer.
func answerTo(t *testing.T, srv *geminitest.Server, path, body string) string {
	t.Helper()
	status, text := post(t, srv, path, body)
	response, err := gemini.DecodeResponse([]byte(text))
	if status != http.StatusOK || err != nil {
		t.Fatalf("%d %s: %v", status, text, err)
	}
	return *response.Candidates[0].Content.Parts[0].Text
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
