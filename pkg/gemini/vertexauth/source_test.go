package vertexauth_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/vertexauth"
)

// tokenServer issues tokens with a lifetime. It counts them.
func tokenServer(t *testing.T, lasts time.Duration) (url string, given *atomic.Int64) {
	given = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("assertion") == "" {
			t.Errorf("the request has no assertion: %v", r.Form)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":"t-secret-%d","token_type":"Bearer","expires_in":%d}`,
			given.Add(1), int(lasts.Seconds()))
	}))
	t.Cleanup(server.Close)
	return server.URL, given
}

// serviceAccount returns the key file of a service account with a token address.
func serviceAccount(t *testing.T, tokenURL string) []byte {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "my-project",
		"client_email": "robot@my-project.example", "private_key_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"token_uri":   tokenURL,
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestATokenIsKeptUntilShortlyBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for lasts, want := range map[time.Duration]int64{time.Hour: 1, 3 * time.Minute: 3} {
		url, given := tokenServer(t, lasts)
		source, err := vertexauth.FromServiceAccount(serviceAccount(t, url))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			token, err := source.Token(t.Context())
			if want := fmt.Sprint("t-secret-", given.Load()); err != nil || token != want {
				t.Errorf("got %q, %v, want %q", token, err, want)
			}
		}
		if given.Load() != want {
			t.Errorf("%d tokens that last %v, want %d", given.Load(), lasts, want)
		}
	}
}

func TestCallsAtOnceFetchOneToken(t *testing.T) {
	t.Parallel()
	url, given := tokenServer(t, time.Hour)
	source, err := vertexauth.FromServiceAccount(serviceAccount(t, url))
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if _, err := source.Token(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if given.Load() != 1 {
		t.Errorf("%d tokens were fetched", given.Load())
	}
}

func TestWhoWaitsForATokenHeedsItsContext(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	stalled := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(asked)
		<-r.Context().Done()
	}))
	t.Cleanup(stalled.Close)
	source, err := vertexauth.FromServiceAccount(serviceAccount(t, stalled.URL))
	if err != nil {
		t.Fatal(err)
	}
	first, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := source.Token(first)
		done <- err
	}()
	<-asked
	second, cancelSecond := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancelSecond()
	if _, err := source.Token(second); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDefaultCredentialsCallVertexAI(t *testing.T) {
	url, _ := tokenServer(t, time.Hour)
	file := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(file, serviceAccount(t, url), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", file)
	source, err := vertexauth.New()
	if err != nil {
		t.Fatal(err)
	}
	project, err := source.Project(t.Context())
	if err != nil || project != "my-project" {
		t.Fatal(project, err)
	}
	var got *http.Request
	server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		got = r
		body := `{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`
		return &http.Response{StatusCode: 200, ContentLength: -1,
			Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	client, err := gemini.NewClient(gemini.WithVertexAI(project, ""),
		gemini.WithTokenSource(source), gemini.WithHTTPClient(server))
	if err != nil {
		t.Fatal(err)
	}
	req := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("Hello")}}
	if _, err := client.GenerateContent(t.Context(), req,
		gemini.WithModel("gemini-3.6-flash")); err != nil {
		t.Fatal(err)
	}
	if got.Header.Get("Authorization") != "Bearer t-secret-1" ||
		got.Header.Get("X-Goog-Api-Key") != "" {
		t.Error(got.Header)
	}
	for _, value := range []any{source, *source, client} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "t-secret") ||
				strings.Contains(text, "PRIVATE") {
				t.Errorf("%s of %T: %.200s", verb, value, text)
			}
		}
	}
}

func TestATokenServerIsNotQuoted(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"invalid_grant","error_description":"p-quoted"}`,
			http.StatusUnauthorized)
	}))
	t.Cleanup(refusing.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for url, status := range map[string]int{refusing.URL: 401, closed.URL: 0} {
		source, err := vertexauth.FromServiceAccount(serviceAccount(t, url))
		if err != nil {
			t.Fatal(err)
		}
		_, err = source.Token(t.Context())
		failure, ok := errors.AsType[*vertexauth.Error](err)
		if !ok || failure.HTTPStatus != status {
			t.Fatal(err)
		}
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "p-quoted") ||
			strings.Contains(text, "127.0.0.1") {
			t.Error(text)
		}
	}
	if _, err := vertexauth.FromServiceAccount([]byte(`{"type":"authorized_user"}`)); err == nil {
		t.Error("a key of another kind is taken")
	}
}

func TestTokensAreFetchedByAnyDoer(t *testing.T) {
	t.Parallel()
	url, given := tokenServer(t, time.Hour)
	fetched := 0
	source, err := vertexauth.FromServiceAccount(serviceAccount(t, url),
		vertexauth.WithHTTPClient(gemini.DoerFunc(
			func(r *http.Request) (*http.Response, error) {
				fetched++
				return http.DefaultClient.Do(r)
			})))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Token(t.Context()); err != nil || fetched != 1 || given.Load() != 1 {
		t.Errorf("%d tokens by %d requests: %v", given.Load(), fetched, err)
	}
}
