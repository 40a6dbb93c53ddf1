package gateway

import (
	"bytes"
	"cmp"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// nativeChunk is a chunk of a stream and its JSON.
type nativeChunk struct {
	data  []byte
	chunk *geminiapi.GenerateContentResponse
}

// nativeRepeats is the number of calls after an unusable answer of a method. Only answers of
// generateContent and streamGenerateContent can be unusable.
func (c *call) nativeRepeats(op native.Operation) int {
	if op.Verb != native.VerbGenerate && op.Verb != native.VerbStream {
		return 0
	}
	return c.maxRepeats()
}

// openStream reads the beginning of a stream up to the first chunk that shows something. It holds
// back chunks that show nothing, and the end of an unusable answer. If nothing follows them, the
// model is called again.
func (n *nativePassage) openStream(t *upstream.Try, reply *gemini.ForwardReply,
	reader *gemini.StreamReader) ([]nativeChunk, error) {
	var out []nativeChunk
	var unusable *upstream.UnusableError
	for room := maxHeldSize; ; {
		chunk, err := reader.Next()
		switch {
		case err == io.EOF && unusable != nil:
			n.discard(out)
			return nil, unusable
		case err == io.EOF && len(out) > 0:
			return out, nil // the reader returns the end again
		case err == io.EOF:
			return nil, wire.ErrTruncated
		case err != nil:
			n.discard(out)
			return nil, err
		case len(out) == 0:
			n.observeReply(reply, nil)
		}
		n.by.note(chunk)
		room -= len(reader.Bytes())
		again := n.unusableEnd(t, chunk)
		if room < 0 || n.maxRepeats() == 0 || !mayHold(len(out), again != nil, chunk) {
			return append(out, nativeChunk{reader.Bytes(), chunk}), nil
		}
		unusable = cmp.Or(again, unusable)
		out = append(out, nativeChunk{bytes.Clone(reader.Bytes()), chunk})
	}
}

// unusableEnd returns the error of a chunk that ends an unusable answer, or nil.
func (n *nativePassage) unusableEnd(t *upstream.Try,
	chunk *geminiapi.GenerateContentResponse) *upstream.UnusableError {
	if !hasEnd(chunk) {
		return nil
	}
	return n.unusable(t, chunk)
}

// nextChunk returns the next chunk of a stream in place of others.
func nextChunk(before []nativeChunk, reader *gemini.StreamReader) ([]nativeChunk, error) {
	chunk, err := reader.Next()
	if err != nil {
		return nil, err
	}
	clear(before) // or they would stay in memory
	return append(before[:0], nativeChunk{reader.Bytes(), chunk}), nil
}

// unusable returns an error for an unusable answer while the model may be called again with the
// same request. The last answer is passed on as it is.
func (n *nativePassage) unusable(t *upstream.Try,
	answer *geminiapi.GenerateContentResponse) *upstream.UnusableError {
	if !t.MayRepeat() {
		return nil
	}
	p, isCall := problem.Unusable(answer)
	if p == nil || p.Code == problem.CodeEmptyAnswer && n.mayBeEmpty() {
		return nil
	}
	return t.Again(p, isCall)
}

// mayBeEmpty reports whether an empty answer can be right, also for a request that cannot be read.
func (n *nativePassage) mayBeEmpty() bool {
	request, err := gemini.DecodeRequest(n.body)
	return err != nil || mayAnswerEmpty(request)
}

// discard counts and reports chunks that the client does not get.
func (n *nativePassage) discard(chunks []nativeChunk) {
	var usage *geminiapi.UsageMetadata // the last one covers all chunks
	for i := range chunks {
		usage = cmp.Or(chunks[i].chunk.UsageMetadata, usage)
		if n.recorders.WantsBodies() && !n.recorders.IsBetween {
			n.recorders.Chunk(exchange.Upstream, chunks[i].data)
		}
	}
	n.keepEarlier(&n.by, nil, usage)
}
