package gemini_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// writtenMedia is what a call has written, by the types of the media in their order.
type writtenMedia struct {
	types []string
	data  []*bytes.Buffer
}

func (w *writtenMedia) open(mimeType string) io.Writer {
	if mimeType == "text/plain" {
		return nil
	}
	w.types, w.data = append(w.types, mimeType), append(w.data, &bytes.Buffer{})
	return w.data[len(w.data)-1]
}

// inlineData returns the JSON of a part with media.
func inlineData(mimeType, data string) string {
	return `{"inlineData":{"mimeType":"` + mimeType + `","data":"` + data + `"}}`
}

// answering returns a client whose answers have these parts, whole and streamed, and the number of its calls.
func answering(t *testing.T, parts string) (client *gemini.Client, calls *int) {
	t.Helper()
	body := `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},"finishReason":"STOP"}]}`
	calls = new(int)
	return newClient(t, gemini.WithHTTPClient(gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		*calls++
		if strings.Contains(r.URL.Path, ":stream") {
			return httpReply(200, "text/event-stream", "data: "+body+"\r\n\r\n"), nil
		}
		return httpReply(200, "application/json", body), nil
	}))), calls
}

// bothWays asks for a whole answer and for a stream of one chunk.
var bothWays = map[string]func(*testing.T, *gemini.Client, ...gemini.Option) (*geminiapi.GenerateContentResponse, error){
	"whole": func(t *testing.T, c *gemini.Client, opts ...gemini.Option) (*geminiapi.GenerateContentResponse, error) {
		return c.GenerateContent(t.Context(), prompt("m"), opts...)
	},
	"streamed": func(t *testing.T, c *gemini.Client, opts ...gemini.Option) (out *geminiapi.GenerateContentResponse, err error) {
		for chunk, err := range c.StreamGenerateContent(t.Context(), prompt("m"), opts...) {
			if err != nil {
				return nil, err
			}
			out = chunk
		}
		return out, nil
	},
}

func TestMediaAreWrittenInPlaceOfTheirBase64(t *testing.T) {
	t.Parallel()
	odd := []byte{0xfb, 0xff, 0xbf, 1, 2} // has both characters in which the alphabets differ, and padding
	large := bytes.Repeat([]byte{0xfb, 1, 2, 3, 4, 5, 6}, 200_000)
	encode := base64.StdEncoding.EncodeToString
	for name, test := range map[string]struct {
		parts string
		types []string
		want  [][]byte
		kept  int // blobs whose data is still there
	}{
		"standard":               {inlineData("image/png", encode(odd)), []string{"image/png"}, [][]byte{odd}, 0},
		"without padding":        {inlineData("image/png", base64.RawStdEncoding.EncodeToString(odd)), []string{"image/png"}, [][]byte{odd}, 0},
		"URL-safe":               {inlineData("image/png", base64.URLEncoding.EncodeToString(odd)), []string{"image/png"}, [][]byte{odd}, 0},
		"URL-safe, no padding":   {inlineData("image/png", base64.RawURLEncoding.EncodeToString(odd)), []string{"image/png"}, [][]byte{odd}, 0},
		"nothing":                {inlineData("image/png", ""), []string{"image/png"}, [][]byte{nil}, 0},
		"a large one":            {inlineData("image/png", encode(large)), []string{"image/png"}, [][]byte{large}, 0},
		"a large one, URL-safe":  {inlineData("image/png", base64.RawURLEncoding.EncodeToString(large)), []string{"image/png"}, [][]byte{large}, 0},
		"several, in order":      {inlineData("a/b", encode(odd)) + "," + inlineData("c/d", encode(large)) + "," + inlineData("e/f", encode(odd)), []string{"a/b", "c/d", "e/f"}, [][]byte{odd, large, odd}, 0},
		"two large ones":         {inlineData("a/b", encode(large)) + "," + inlineData("c/d", encode(large)), []string{"a/b", "c/d"}, [][]byte{large, large}, 0},
		"one that is to stay":    {inlineData("text/plain", encode(odd)) + "," + inlineData("a/b", encode(odd)), []string{"a/b"}, [][]byte{odd}, 1},
		"a large one that stays": {inlineData("text/plain", encode(large)), nil, nil, 1},
		"none":                   {`{"text":"hello"}`, nil, nil, 0},
	} {
		for way, ask := range bothWays {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				client, _ := answering(t, test.parts)
				var written writtenMedia
				answer, err := ask(t, client, gemini.WithMediaWriter(written.open))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.types, written.types); diff != "" {
					t.Fatal(diff)
				}
				for i, want := range test.want {
					if !bytes.Equal(want, written.data[i].Bytes()) {
						t.Errorf("medium %d: %d bytes that differ from the %d wanted", i, written.data[i].Len(), len(want))
					}
				}
				kept := 0
				for _, part := range answer.Candidates[0].Content.Parts {
					if blob := part.InlineData; blob != nil && jsonx.Deref(blob.Data) != "" {
						kept++
					}
				}
				if kept != test.kept {
					t.Errorf("%d media are still in the answer, want %d", kept, test.kept)
				}
			})
		}
	}
}

// closedWriter fails as a connection does, which alone would be tried again.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, net.ErrClosed }

// storingWriter fails as a store does that is called by a client of this package, which alone would be tried again.
type storingWriter struct{}

func (storingWriter) Write([]byte) (int, error) {
	return 0, fmt.Errorf("store: %w", &gemini.Error{HTTPStatus: http.StatusServiceUnavailable, Message: "overloaded"})
}

func isOfTheStore(err error) bool {
	reported, ok := errors.AsType[*gemini.Error](err)
	return ok && reported.HTTPStatus == http.StatusServiceUnavailable
}

func TestMediaThatCannotBeWrittenEndTheCall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		data string
		w    io.Writer
		want func(error) bool
	}{
		"a writer that fails": {"aGVsbG8=", closedWriter{}, func(err error) bool { return errors.Is(err, net.ErrClosed) }},
		"a store that fails":  {"aGVsbG8=", storingWriter{}, isOfTheStore},
		"no base64":           {"%%%%", io.Discard, func(err error) bool { _, ok := errors.AsType[base64.CorruptInputError](err); return ok }},
		"base64 that is cut":  {"aGVsbG8==", io.Discard, func(err error) bool { return err != nil }},
	} {
		for way, ask := range bothWays {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				client, calls := answering(t, inlineData("image/png", test.data))
				_, err := ask(t, client, gemini.WithMediaWriter(func(string) io.Writer { return test.w }))
				if call, ok := errors.AsType[*gemini.CallError](err); !ok || !test.want(err) || call.Attempts != 1 || *calls != 1 {
					t.Errorf("%v behind %d calls", err, *calls)
				}
			})
		}
	}
}

// It measures memory, so it does not run beside others.
func TestAnImageThatIsWrittenIsNotHeld(t *testing.T) {
	const size, calls = 5 << 20, 8
	client, _ := answering(t, inlineData("image/png", strings.Repeat("iVBORw0K", size/8)))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would empty the pool of what answers are read into
	var before uint64
	for call := range calls + 1 {
		if call == 1 { // the first fills the pool
			before = totalAlloc()
		}
		_, err := client.GenerateContent(t.Context(), prompt("m"), gemini.WithMediaWriter(func(string) io.Writer { return io.Discard }))
		if err != nil {
			t.Fatal(err)
		}
	}
	// The race detector has pools lose a part of what they hold.
	if each := (totalAlloc() - before) / calls; each > size*3/4 {
		t.Errorf("an answer with %d bytes of base64 takes %d", size, each)
	} else {
		t.Logf("%d bytes for %d of base64", each, size)
	}
}
