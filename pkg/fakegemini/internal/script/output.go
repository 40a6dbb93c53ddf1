package script

import (
	"context"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// output writes an answer: the chunks of a stream as they come, or one response at the end.
type output struct {
	ctx     context.Context
	request *received.Request
	answer  *Answer
	w       *fault.Writer
	// cachedTokens is the number of tokens in the cached content that the request names.
	cachedTokens int
	when         time.Time // of the request

	stream *framing.Stream // nil if the answer is not a stream
	form   framing.Form
	sent   int    // chunks of the stream
	whole  []step // chunks of the response
}

func newOutput(w http.ResponseWriter, r *http.Request, request *received.Request,
	answer *Answer) *output {
	out := &output{ctx: r.Context(), request: request, answer: answer, form: framing.FormOf(r)}
	out.w = &fault.Writer{ResponseWriter: w, Context: r.Context()}
	if request.Stream {
		out.stream = framing.NewStream(out.w, out.form)
	}
	return out
}

// wait returns false if the client has disconnected.
func (out *output) wait(d time.Duration) bool {
	if fault.Wait(out.ctx, d) {
		return true
	}
	fault.Disconnect(out.w)
	return false
}

// chunk sends a chunk, or keeps it for the end. It returns false if the client has disconnected.
func (out *output) chunk(s step) bool {
	if out.stream == nil {
		out.whole = append(out.whole, s)
		return true
	}
	payload, err := out.payload(s)
	if err != nil {
		out.apiError(fault.Fault{Kind: fault.Internal, Message: "fakegemini: " + err.Error()})
		return false
	}
	out.sent++
	return out.stream.Chunk(payload) == nil
}

// end writes the end of the stream, or the response.
func (out *output) end() {
	if out.stream != nil {
		_ = out.stream.Close() // fails if the client has disconnected
		return
	}
	out.writeWhole()
}

// writeWhole writes the chunks so far as a response.
func (out *output) writeWhole() {
	payload, err := out.merged()
	if err != nil {
		out.whole = nil
		out.apiError(fault.Fault{Kind: fault.Internal, Message: "fakegemini: " + err.Error()})
		return
	}
	_ = framing.WriteWhole(out.w, http.StatusOK, payload) // fails if the client has disconnected
}

// merged returns the chunks so far as one response.
func (out *output) merged() (jsontext.Value, error) {
	if len(out.whole) == 1 && out.whole[0].exact != nil {
		return out.whole[0].exact, nil
	}
	response := mergedChunks(out.whole)
	if !hasExact(out.whole) {
		out.complete(response)
	}
	return out.payload(step{chunk: response})
}

// payload encodes a chunk. A verbatim chunk of the script stays unchanged.
func (out *output) payload(s step) (jsontext.Value, error) {
	if s.exact != nil {
		return s.exact, nil
	}
	return gemini.EncodeResponse(s.chunk)
}
