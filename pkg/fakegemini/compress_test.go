package fakegemini_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

const (
	wholePath  = "/v1beta/models/gemini-2.5-flash:generateContent"
	streamPath = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
	askHello   = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`
)

// encoded requests an answer in an encoding from a server, and returns the answer with its body.
func encoded(t testing.TB, server *geminitest.Server, path, encoding string) (*http.Response,
	string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://gemini.example"+path, strings.NewReader(askHello))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Goog-Api-Key", "k")
	if encoding != "" {
		request.Header.Set("Accept-Encoding", encoding)
	}
	reply, err := server.HTTPClient().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(body)
}

func TestWholeAnswersAreCompressedForWhoAsks(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Header("X-Goog-Api-Client",
			"page")).Reply(geminitest.HTMLPage(502))))
	_, plain := encoded(t, server, wholePath, "")
	for encoding, want := range map[string]string{
		"gzip": "gzip", "deflate, GZIP;q=0.5": "gzip", "br": "", "gzip;q=0": "",
		"identity, gzip; q=0.0": "", "": "",
	} {
		reply, body := encoded(t, server, wholePath, encoding)
		if got := reply.Header.Get("Content-Encoding"); got != want {
			t.Errorf("%q: encoded by %q, expected %q", encoding, got, want)
			continue
		}
		if want == "gzip" {
			reader, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(reader)
			if err != nil {
				t.Fatal(err)
			}
			body = string(text)
		}
		if body != plain {
			t.Errorf("%q: %s, expected %s", encoding, body, plain)
		}
	}
	for path, status := range map[string]int{streamPath: 200,
		"/v1beta/models/none:generateContent": 404} {
		reply, body := encoded(t, server, path, "gzip")
		isCompressed := strings.HasPrefix(body, "\x1f\x8b")
		if reply.StatusCode != status || isCompressed != (status == 404) ||
			isCompressed != (reply.Header.Get("Content-Encoding") == "gzip") {
			t.Errorf("%s: HTTP %d, %v: %q", path, reply.StatusCode, reply.Header, body)
		}
	}
}

// Faults within an answer also work within a compressed answer.
func TestFaultsWithinACompressedAnswerAreSeen(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]geminitest.Block{"cut": geminitest.Cut(),
		"reset": geminitest.Reset()} {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("some"), block).Times(9)))
		client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithBaseURL(server.URL()),
			gemini.WithMaxAttempts(1), gemini.WithHTTPClient(&http.Client{}))
		if err != nil {
			t.Fatal(err)
		}
		request := &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"),
			Contents: []geminiapi.Content{gemini.UserText("x")}}
		if answer, err := client.GenerateContent(t.Context(), request); err == nil {
			t.Errorf("%s: answered %+v", name, answer)
		}
	}
}

// unending is a body without an end.
type unending struct{ gone <-chan struct{} }

func (u unending) Read([]byte) (int, error) {
	<-u.gone
	return 0, io.ErrUnexpectedEOF
}

func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t)
		begin := time.Now()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			"https://gemini.example"+wholePath,
			io.MultiReader(strings.NewReader(`{"contents":`), unending{t.Context().Done()}))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := server.HTTPClient().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		if waited := time.Since(begin); reply.StatusCode != http.StatusRequestTimeout ||
			waited != 5*time.Minute {
			t.Errorf("HTTP %d after %s", reply.StatusCode, waited)
		}
	})
}
