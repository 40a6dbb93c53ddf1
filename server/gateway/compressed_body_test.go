package gateway_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/klauspost/compress/zstd"
)

// compressed returns a text in an encoding.
func compressed(t *testing.T, encoding, text string) string {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "raw deflate":
		w, err = flate.NewWriter(&out, flate.BestSpeed)
	case "zstd":
		w, err = zstd.NewWriter(&out)
	}
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCompressedBodiesAreAnsweredLikePlainOnes(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	gzipped := compressed(t, "gzip", hello)
	textOf := func(answer *httptest.ResponseRecorder) string {
		return jsonx.Deref(completionOf(t, answer).Choices[0].Message.Content)
	}
	want := textOf(post(handler, chatPath, hello))
	for name, tt := range map[string]struct{ encoding, body string }{
		"gzip":             {"gzip", gzipped},
		"gzip, old name":   {"X-GZIP", gzipped},
		"deflate":          {"deflate", compressed(t, "deflate", hello)},
		"deflate, raw":     {"deflate", compressed(t, "raw deflate", hello)},
		"zstd":             {"zstd", compressed(t, "zstd", hello)},
		"identity":         {"identity", hello},
		"one in another":   {"gzip, zstd", compressed(t, "zstd", gzipped)},
		"with white space": {" gzip , identity", gzipped},
	} {
		if got := textOf(post(handler, chatPath, tt.body, "Content-Encoding",
			tt.encoding)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestABodyOfUnknownEncodingIsRefusedWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, path := range []string{chatPath, embeddingsPath} {
		for _, encoding := range []string{"br", "gzip, br", "gzip, gzip, gzip"} {
			answer := post(handler, path, hello, "Content-Encoding", encoding)
			e := errorOf(t, answer, http.StatusUnsupportedMediaType)
			if jsonx.Deref(e.Code) != "unsupported_content_encoding" ||
				!strings.Contains(e.Message, "gzip, deflate, zstd") ||
				answer.Header().Get("Accept-Encoding") != "gzip, deflate, zstd" {
				t.Errorf("%s, %s: %+v", path, encoding, e)
			}
		}
	}
}

func TestABodyThatIsNotInItsEncodingIsRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, encoding := range []string{"gzip", "deflate", "zstd"} {
		whole := compressed(t, encoding, strings.Repeat(hello, 100))
		for name, body := range map[string]string{
			"plain": hello, "empty": " ", "cut": whole[:len(whole)/2],
		} {
			e := errorOf(t, post(handler, chatPath, body, "Content-Encoding", encoding),
				http.StatusBadRequest)
			if jsonx.Deref(e.Code) != "invalid_content_encoding" {
				t.Errorf("%s, %s: %+v", encoding, name, e)
			}
		}
	}
}

// All bodies together may take two MiB, so a body that took more would be a 503.
func TestABodyThatGrowsAboveTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithMaxBodySize(1<<20), gateway.WithMaxBytesInFlight(2<<20))
	for _, encoding := range []string{"gzip", "deflate", "zstd"} {
		bomb := compressed(t, encoding, `{"x":"`+strings.Repeat("a", 200<<20)+`"}`)
		e := errorOf(t, post(handler, chatPath, bomb, "Content-Encoding", encoding),
			http.StatusRequestEntityTooLarge)
		if jsonx.Deref(e.Code) != "request_too_large" {
			t.Errorf("%s: %+v", encoding, e)
		}
	}
}

// repeated is a body that repeats a piece until the gateway stops to read it. It counts its bytes.
type repeated struct {
	piece string
	size  int
}

func (e *repeated) Read(p []byte) (int, error) {
	if e.size > 1<<30 {
		return 0, io.EOF
	}
	n := copy(p, e.piece[e.size%len(e.piece):])
	e.size += n
	return n, nil
}

func TestAnEndlessBodyWithoutContentIsRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithMaxBodySize(8<<20))
	skipped := "\x50\x2a\x4d\x18\x00\x01\x00\x00" + strings.Repeat("x", 256)
	for name, tt := range map[string]struct{ encoding, piece string }{
		"empty members":    {"gzip", compressed(t, "gzip", "")},
		"skipped frames":   {"zstd", skipped},
		"empty frames":     {"zstd", "\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51"},
		"in another":       {"gzip, identity", compressed(t, "gzip", "")},
		"empty raw blocks": {"deflate", "\x00\x00\x00\xff\xff"},
	} {
		body := &repeated{piece: tt.piece}
		request := httptest.NewRequest(http.MethodPost, chatPath, body)
		request.ContentLength = -1
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Content-Encoding", tt.encoding)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		e := errorOf(t, answer, http.StatusBadRequest)
		// the rest is read within the limits of a refused body
		if jsonx.Deref(e.Code) != "invalid_content_encoding" || body.size > 32<<20 {
			t.Errorf("%s: %+v after %d bytes", name, e, body.size)
		}
	}
}

func TestACompressedBodyAboveTheLimitIsTooLargeAlsoWithItsEncoding(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithMaxBodySize(1<<20))
	var stored bytes.Buffer // without compression, so that the encoded body is too large first
	w, _ := gzip.NewWriterLevel(&stored, gzip.NoCompression)
	_, _ = io.WriteString(w, strings.Repeat(" ", 4<<20))
	_ = w.Close()
	request := httptest.NewRequest(http.MethodPost, chatPath, io.MultiReader(&stored))
	request.ContentLength = -1
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Content-Encoding", "gzip")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	e := errorOf(t, answer, http.StatusRequestEntityTooLarge)
	if jsonx.Deref(e.Code) != "request_too_large" {
		t.Errorf("%+v", e)
	}
}

func TestAZstdBodyWithALargeWindowIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // written in pieces, so that the size is not in the header
		_, _ = io.WriteString(w, strings.Repeat(hello, 10_000))
	}
	_ = w.Close()
	e := errorOf(t, post(newGateway(t), chatPath, out.String(), "Content-Encoding", "zstd"),
		http.StatusBadRequest)
	if jsonx.Deref(e.Code) != "invalid_content_encoding" || !strings.Contains(e.Message, "8 MiB") {
		t.Errorf("%+v", e)
	}
}
