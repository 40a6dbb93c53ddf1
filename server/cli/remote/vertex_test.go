package remote_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json"
)

// This test does not run in parallel, because it changes the environment.
func TestVertexAIIsCalledWithTheCredentialsOfTheMachine(t *testing.T) {
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, secret)
	}))
	defer tokens.Close()
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS",
		writeFile(t, "account.json", serviceAccount(t, tokens.URL)))
	server := geminitest.NewServer(t)
	got := gemwire(t, "", "generate", "--quiet", "--vertex", "my-project", "--location",
		"europe-west4", "--base-url", server.URL(), "hello")
	wantResult(t, got, 0, "You said: hello\n", "")
	request := server.Requests()[0]
	if want := "/projects/my-project/locations/europe-west4/publishers/google/models/"; !strings.Contains(request.URL.Path,
		want) {
		t.Errorf("%s", request.URL.Path)
	}
	large := writeFile(t, "large.txt", strings.Repeat("0123456789abcde\n", 1<<20))
	got = gemwire(t, "", "generate", "--vertex", "my-project", "--base-url", server.URL(), "--file",
		large, "hello")
	wantResult(t, got, 1, "",
		"gemwire: "+large+": is too large for a request, and Vertex AI has no uploads; ...")

	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", writeFile(t, "broken.json", "{"))
	got = gemwire(t, "", "generate", "--vertex", "my-project", "hello")
	if got.code != 1 || strings.Count(got.stderr, "\n") != 1 ||
		!strings.Contains(got.stderr, "no credentials") {
		t.Errorf("%+v", got)
	}
}

// serviceAccount returns the file of a service account that gets its tokens from an address.
func serviceAccount(t *testing.T, tokenURL string) string {
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
	return string(file)
}
