package gemini_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// replies is a Doer that answers with one reply after another, and stores the requests.
type replies struct {
	list     []*http.Response
	requests []*http.Request
}

func (r *replies) Do(request *http.Request) (*http.Response, error) {
	r.requests = append(r.requests, request)
	next := r.list[0]
	if len(r.list) > 1 {
		r.list = r.list[1:]
	}
	return next, nil
}

func redirectTo(address string) *http.Response {
	reply := httpReply(302, "application/json",
		`{"error":{"code":302,"message":"Unknown Error.","status":"UNKNOWN"}}`)
	reply.Header.Set("Location", address)
	return reply
}

func TestADownloadFollowsItsServerWithTheKey(t *testing.T) {
	t.Parallel()
	doer := &replies{list: []*http.Response{redirectTo("/download/v1beta/files/f:download?alt=media"),
		httpReply(200, "video/mp4", "bytes")}}
	var out bytes.Buffer
	n, err := newClient(t, gemini.WithHTTPClient(doer)).Files.Download(t.Context(), "files/f", &out)
	if err != nil || n != 5 || out.String() != "bytes" {
		t.Fatalf("got %d, %q, %v", n, out.String(), err)
	}
	if got := doer.requests[0].URL.String(); got != apiAddress+"files/f:download?alt=media" {
		t.Error(got)
	}
	second := doer.requests[1]
	if second.URL.String() != "https://generativelanguage.googleapis.com/download/v1beta/files/f:download?alt=media" ||
		second.Header.Get("X-Goog-Api-Key") != "k-secret" {
		t.Errorf("got %s with %v", second.URL, second.Header)
	}
}

func TestNothingOfTheCallersFollowsADownloadElsewhere(t *testing.T) {
	t.Parallel()
	doer := &replies{list: []*http.Response{redirectTo("https://storage.example/bucket/f?sig=1"),
		httpReply(200, "video/mp4", "bytes")}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithHeader("X-Own", "secret"),
		gemini.WithQuery("own", "secret"))
	if _, err := client.Files.Download(t.Context(), "f", io.Discard); err != nil {
		t.Fatal(err)
	}
	second := doer.requests[1]
	if got := second.URL.String(); got != "https://storage.example/bucket/f?sig=1" {
		t.Error(got)
	}
	for name, values := range second.Header {
		if strings.Contains(values[0], "secret") {
			t.Errorf("%s: %s", name, values)
		}
	}
}

func TestAFailedDownloadWritesNothing(t *testing.T) {
	t.Parallel()
	for name, list := range map[string][]*http.Response{
		"not found":           {httpReply(404, "application/json", `{"error":{"code":404,"message":"no file","status":"NOT_FOUND"}}`)},
		"a page":              {httpReply(404, "text/html", "<html><title>Not Found</title></html>")},
		"an uploaded file":    {httpReply(400, "application/json", `{"error":{"code":400,"status":"INVALID_ARGUMENT"}}`)},
		"redirects for ever":  {redirectTo("/a")},
		"to plain http":       {redirectTo("http://storage.example/f"), httpReply(200, "video/mp4", "bytes")},
		"to no address":       {redirectTo(":"), httpReply(200, "video/mp4", "bytes")},
		"to nowhere":          {httpReply(302, "text/plain", "moved")},
		"larger than allowed": {withSize(httpReply(200, "video/mp4", "0123456789"), 10)},
	} {
		var out bytes.Buffer
		client := newClient(t, gemini.WithHTTPClient(&replies{list: list}),
			gemini.WithMaxBodySize(9))
		if n, err := client.Files.Download(t.Context(), "f", &out); err == nil || n != 0 ||
			out.Len() != 0 {
			t.Errorf("%s: got %d, %q, %v", name, n, out.String(), err)
		}
	}
}

func withSize(reply *http.Response, size int64) *http.Response {
	reply.ContentLength = size
	return reply
}

func TestTheStatusOfAFailedDownloadIsReported(t *testing.T) {
	t.Parallel()
	list := []*http.Response{httpReply(404, "application/json",
		`{"error":{"code":404,"message":"no file","status":"NOT_FOUND"}}`)}
	_, err := newClient(t, gemini.WithHTTPClient(&replies{list: list})).Files.Download(t.Context(),
		"f", io.Discard)
	if reported, ok := errors.AsType[*gemini.Error](err); !ok || reported.HTTPStatus != 404 ||
		reported.Message != "no file" {
		t.Errorf("got %v", err)
	}
}

func TestADownloadIsLimited(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limit int64
		want  error
	}{{9, gemini.ErrBodyTooLarge}, {10, nil}, {11, nil}, {0, nil}} {
		doer := &replies{list: []*http.Response{httpReply(200, "video/mp4", "0123456789")}}
		client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithMaxBodySize(tt.limit))
		var out bytes.Buffer
		n, err := client.Files.Download(t.Context(), "f", &out)
		if !errors.Is(err, tt.want) || n != int64(out.Len()) || tt.want == nil && n != 10 {
			t.Errorf("limit %d: got %d, %v", tt.limit, n, err)
		}
	}
}

func TestADownloadThatEndsTooEarlyIsAnError(t *testing.T) {
	t.Parallel()
	broken := httpReply(200, "video/mp4", "")
	broken.Body = io.NopCloser(io.MultiReader(strings.NewReader("0123"),
		iotest.ErrReader(io.ErrUnexpectedEOF)))
	for _, tt := range []struct {
		name  string
		reply *http.Response
		limit int64
	}{
		{"shorter than announced", withSize(httpReply(200, "video/mp4", "0123"), 5), 5},
		{"broken where the limit is", broken, 4},
	} {
		client := newClient(t, gemini.WithHTTPClient(&replies{list: []*http.Response{tt.reply}}),
			gemini.WithMaxBodySize(tt.limit))
		var out bytes.Buffer
		if n, err := client.Files.Download(t.Context(), "f", &out); !errors.Is(err,
			io.ErrUnexpectedEOF) || n != 4 {
			t.Errorf("%s: got %d, %v", tt.name, n, err)
		}
	}
}

func TestADownloadThatBreaksOffIsNotBegunAgain(t *testing.T) {
	t.Parallel()
	broken := httpReply(200, "video/mp4", "")
	broken.Body = io.NopCloser(io.MultiReader(strings.NewReader("half"),
		iotest.ErrReader(io.ErrUnexpectedEOF)))
	doer := &replies{list: []*http.Response{httpReply(503, "text/plain", "busy"), broken}}
	var waited time.Duration
	var out bytes.Buffer
	n, err := newClient(t, gemini.WithHTTPClient(doer), atOnce(&waited)).Files.Download(t.Context(),
		"f", &out)
	if n != 4 || out.String() != "half" || !errors.Is(err, io.ErrUnexpectedEOF) ||
		len(doer.requests) != 2 {
		t.Errorf("got %d, %q, %v after %d requests", n, out.String(), err, len(doer.requests))
	}
}
