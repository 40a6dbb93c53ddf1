package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/batches"
)

// idPath is a path with ID in place of an id.
type idPath struct {
	path    string
	isError envelope
}

// idPaths are the paths of all forms that contain an id.
func idPaths() []idPath {
	var out []idPath
	for _, path := range []string{
		"files/ID", "files/ID:download", "cachedContents/ID", "batches/ID", "batches/ID:cancel",
		"operations/ID", "generatedFiles/ID",
		"generatedFiles/g/operations/ID", "fileSearchStores/ID",
		"fileSearchStores/ID:uploadToFileSearchStore", "fileSearchStores/s/documents/ID",
		"models/ID", "models/ID:generateContent", "models/gemini-2.5-flash:ID",
		"models/m/operations/ID", "tunedModels/ID",
		"dynamic/ID:generateContent", "corpora/c/permissions/ID", "ID", "ID/files",
	} {
		out = append(out, idPath{"/v1beta/" + path, googleEnvelope})
	}
	for _, path := range []string{
		"/upload/v1beta/files/ID", "/upload/v1beta/fileSearchStores/ID:uploadToFileSearchStore",
		"/upload/ID/files", "/download/v1beta/files/ID:download",
		"/v1beta1/projects/p/locations/l/cachedContents/ID",
		"/v1/projects/ID/locations/l/cachedContents", "/v1/projects/p/locations/ID/files/f",
		"/v1/publishers/google/models/ID:generateContent", "/v1/tunedModels/ID:generateContent",
	} {
		out = append(out, idPath{path, googleEnvelope})
	}
	for _, path := range []string{
		"/v1/files/ID", "/v1/files/ID/content", "/v1/batches/ID", "/v1/batches/ID/cancel",
		"/v1/responses/ID", "/v1/responses/ID/cancel",
		"/v1/responses/ID/input_items", "/v1/conversations/ID", "/v1/conversations/ID/items",
		"/v1/conversations/conv_1/items/ID", "/v1/models/ID",
	} {
		out = append(out, idPath{path, openAIEnvelope})
	}
	for _, path := range []string{
		"/v1beta/interactions/ID", "/v1beta/interactions/ID/cancel", "/v1/interactions/ID",
	} {
		out = append(out, idPath{path, interactionsEnvelope})
	}
	return out
}

// hostileIDs are ids that could make a server, or a proxy in front of it, use another resource.
func hostileIDs() []string {
	slashes := []string{
		"%2F", "%2f", "%5C", "%5c", `\`, "%252F", "%25252f", "%c0%af", "%e0%80%af", "%E2%88%95",
		"%EF%BC%8F", "%2F%2F", ";/", "%3B%2F", "%00%2F", "%0d%0a", "%09%2F",
	}
	dots := []string{
		"..", "%2e%2e", ".%2E", "%252e%252e", "%c0%ae%c0%ae", "%E2%80%A4%E2%80%A4",
		"%EF%BC%8E%EF%BC%8E", "..;", "..%00", ".", "...", "x",
	}
	out := []string{"%", "%zz", "%00", "%20", "x%23y", "x%3Fkey=y", "x;y", "\u2025", "%ff"}
	for _, slash := range slashes {
		for _, dot := range dots {
			out = append(out, dot+slash+"models"+slash+"secret",
				"f"+slash+dot+slash+dot+slash+"models"+slash+"secret:generateContent")
		}
	}
	return append(out, dots[:len(dots)-1]...)
}

// seenPaths records the paths that an upstream receives.
type seenPaths struct {
	mu    sync.Mutex
	paths []string
}

func (s *seenPaths) answer(r *http.Request) *http.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths = append(s.paths, r.URL.EscapedPath())
	return replyOf(200, wholeAnswer)
}

// take returns the recorded paths that could mean other resources, and clears the record.
func (s *seenPaths) take() (hostile []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range s.paths {
		// model names on other servers may have an escaped slash
		before, name, _ := strings.Cut(path, "/models/")
		meant, err := url.PathUnescape(name)
		path := before + "/models/" + meant
		if err != nil || strings.ContainsAny(path, `%;\?#`) || strings.Contains(path+"/", "/../") ||
			strings.Contains(path+"/", "/./") || strings.Contains(path, "//") {
			hostile = append(hostile, path)
		}
	}
	s.paths = nil
	return hostile
}

// idKeeper is an empty service that reports invalid ids.
type idKeeper struct {
	batches.Service
	mu    sync.Mutex
	asked []string
}

func (k *idKeeper) note(id string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = append(k.asked, id)
	return batches.ErrNotFound
}

func (k *idKeeper) File(_ context.Context, _ batches.Owner, id string) (*openaiapi.File, error) {
	return nil, k.note(id)
}

func (k *idKeeper) DeleteFile(_ context.Context, _ batches.Owner,
	id string) error {
	return k.note(id)
}

func (k *idKeeper) OpenFile(_ context.Context, _ batches.Owner, id string) (io.ReadCloser, int64,
	error) {
	return nil, 0, k.note(id)
}

func (k *idKeeper) Batch(_ context.Context, _ batches.Owner, id string) (*openaiapi.Batch, error) {
	return nil, k.note(id)
}

func (k *idKeeper) CancelBatch(_ context.Context, _ batches.Owner, id string) (*openaiapi.Batch,
	error) {
	return nil, k.note(id)
}

func TestOnlyIDsPassInTheirPlaces(t *testing.T) {
	t.Parallel()
	seen, kept := &seenPaths{}, &idKeeper{}
	keys := keysOf(t, `alice,"models":["fast","gemini-2.5-flash","f*","x*",".*"]`, "bob")
	handler := gatewayAnswering(t, seen.answer, gateway.WithClientKeys(keys),
		gateway.WithBatches(kept))
	step := 1
	if testing.Short() {
		step = 5
	}
	ids := hostileIDs()
	for i, path := range idPaths() {
		for at := i % step; at < len(ids); at += step {
			for _, request := range []struct{ method, client string }{{"GET", "alice"},
				{"POST", "alice"}, {"GET", "bob"}, {"DELETE", "bob"}} {
				checkHostile(t, handler, seen, path, request.method, ids[at], request.client)
			}
		}
	}
	for _, id := range kept.asked {
		if strings.Trim(id,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("the service is asked for %q", id)
		}
	}
}

// checkHostile sends a request with a hostile id. The gateway must refuse it, or must not use
// another resource.
func checkHostile(t *testing.T, handler http.Handler, seen *seenPaths, path idPath, method, id,
	name string) {
	request := formRequest{
		method: method, path: strings.Replace(path.path, "ID", id, 1),
		headers: []string{"Authorization", "Bearer key-of-" + name},
	}
	isError := path.isError
	if method == "POST" {
		request.body = "{}"
		if strings.HasPrefix(path.path, "/v1/models/") { // where OpenAI's API has no method
			isError = googleEnvelope
		}
	}
	answer := request.send(handler)
	if hostile := seen.take(); hostile != nil {
		t.Errorf("%s %s by %s: sent %q", method, request.path, name, hostile)
	}
	switch {
	case answer.Code == http.StatusOK:
		// The id is also part of another name, such as "x" or "..." within a longer name.
	case answer.Code == 400 || answer.Code == 403 || answer.Code == 404:
		isError(t, answer.Body.Bytes())
	default:
		t.Errorf("%s %s by %s: HTTP %d: %.300s", method, request.path, name, answer.Code,
			answer.Body)
	}
}

func TestDocumentedPathsPass(t *testing.T) {
	t.Parallel()
	seen := &seenPaths{}
	handler := gatewayAnswering(t, seen.answer,
		gateway.WithClientKeys(keysOf(t, `alice,"models":["fast"]`)))
	for _, path := range []string{
		"/v1beta/files/abc-123", "/v1beta/files/abc:download", "/v1beta/files/abc%3Adownload",
		"/v1beta/cachedContents/x_y", "/v1beta/batches/b1:cancel",
		"/v1beta/fileSearchStores/s-1/documents/d",
		"/v1beta/fileSearchStores/s-1/upload/operations/o", "/v1beta/generatedFiles/g/operations/o",
		"/v1beta1/projects/p/locations/us-central1/cachedContents/1", "/v1beta/operations/o",
		"/upload/v1beta/files", "/download/v1beta/files/a:download",
	} {
		answer := (&formRequest{method: "GET", path: path,
			headers: []string{"X-Goog-Api-Key", "key-of-alice"}}).send(handler)
		if answer.Code != http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
	if got, want := len(seen.paths),
		12; got != want || seen.paths[2] != "/v1beta/files/abc:download" {
		t.Errorf("sent %q", seen.paths)
	}
}

// FuzzAnyPathOfGooglesIsOneThatWasChecked sends arbitrary paths with a key for one model, and with
// a key for all models.
func FuzzAnyPathOfGooglesIsOneThatWasChecked(f *testing.F) {
	seen := &seenPaths{}
	handler := gatewayAnswering(f, seen.answer,
		gateway.WithClientKeys(keysOf(f, `alice,"models":["fast"]`, "bob")))
	for i, path := range idPaths() {
		if strings.HasPrefix(path.path, "/v1beta/") {
			f.Add(strings.TrimPrefix(strings.Replace(path.path, "ID", hostileIDs()[i], 1),
				"/v1beta/"), "POST")
		}
	}
	f.Add("models/fast:generateContent", "POST")
	f.Add("files/a%2Db", "GET")
	f.Fuzz(func(t *testing.T, path, method string) {
		if strings.ContainsAny(path, "?# ") ||
			method != "GET" && method != "POST" && method != "DELETE" {
			t.Skip()
		}
		for _, name := range []string{"alice", "bob"} {
			request := formRequest{method: method, path: "/v1beta/" + path,
				headers: []string{"X-Goog-Api-Key", "key-of-" + name}}
			answer := request.send(handler)
			if hostile := seen.take(); hostile != nil {
				t.Errorf("%s by %s: sent %q", path, name, hostile)
			}
			if answer.Code >= 500 {
				t.Errorf("%s by %s: %s", path, name, fmt.Sprint(answer.Code, answer.Body))
			}
		}
	})
}
