package script

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/go-json-experiment/json/jsontext"
)

// step is one step of an answer: a wait, then a chunk or a fault.
type step struct {
	wait  time.Duration
	chunk *geminiapi.GenerateContentResponse
	// exact is the verbatim chunk of the script.
	exact jsontext.Value
	fault *fault.Fault
}

// stepsOf returns the steps of an answer.
func stepsOf(r *received.Request, t turn) []step {
	c := composer{request: r, known: models.At(r.Model, r.Backend, t.when), answer: &t.answer,
		random: t.random, id: responseID(t.seed, t.number)}
	for i := range t.answer.Blocks {
		c.block(&t.answer.Blocks[i])
	}
	c.finish()
	return c.steps
}

// composer makes the steps of an answer from its blocks.
type composer struct {
	request *received.Request
	known   models.Model // the requested model, at the time of the request
	answer  *Answer
	random  *rand.Rand
	id      string

	candidate int // of the current block
	steps     []step
	pause     time.Duration      // before the next step
	parts     int                // so far
	calls     [maxCandidates]int // of each candidate so far
}

func (c *composer) block(b *Block) {
	c.candidate = b.Candidate
	switch {
	case b.Pause > 0:
		c.pause += time.Duration(b.Pause)
	case b.Fault != nil && b.Fault.Kind == fault.Large:
		c.part(geminiapi.Part{Text: new(strings.Repeat("large ", b.Fault.Bytes/len("large ")+1))})
	case b.Fault != nil:
		c.add(step{fault: b.Fault})
	case b.Chunk != nil:
		c.exact(b.Chunk)
	case b.Grounding != nil:
		c.grounding(b.Grounding)
	case b.Text != nil:
		c.text(b.Text, nil, b.Signature)
	case b.JSON != nil:
		c.text(Pieces{string(b.JSON)}, nil, b.Signature)
	case b.Thought != nil:
		c.text(b.Thought, new(true), b.Signature)
	case b.Call != nil:
		c.call(b.Call, b.Signature)
	case b.Data != nil:
		blob := &geminiapi.Blob{MIMEType: &b.Data.MIMEType, Data: &b.Data.Data}
		c.part(geminiapi.Part{InlineData: blob, ThoughtSignature: b.Signature})
	default:
		c.part(*b.Part)
	}
}

// text adds the pieces of a text. The last one has the signature.
func (c *composer) text(pieces Pieces, thought *bool, signature *string) {
	chunks := splitPieces(pieces, c.answer.ChunkTokens)
	for i, piece := range chunks {
		part := geminiapi.Part{Text: &piece, Thought: thought}
		if i == len(chunks)-1 {
			part.ThoughtSignature = signature
		}
		c.part(part)
	}
}

// splitPieces splits the pieces of a text after a number of tokens. Four bytes count as one token.
func splitPieces(pieces Pieces, tokens int) []string {
	if tokens == 0 {
		return pieces
	}
	var chunks []string
	for _, piece := range pieces {
		var chunk strings.Builder
		for _, word := range strings.SplitAfter(piece, " ") {
			chunk.WriteString(word)
			if chunk.Len() >= 4*tokens {
				chunks = append(chunks, chunk.String())
				chunk.Reset()
			}
		}
		if chunk.Len() > 0 || piece == "" {
			chunks = append(chunks, chunk.String())
		}
	}
	return chunks
}

func (c *composer) call(call *Call, signature *string) {
	c.calls[c.candidate]++
	made := &geminiapi.FunctionCall{Name: &call.Name, Args: call.Args}
	if call.Args == nil {
		made.Args = jsontext.Value("{}")
	}
	switch {
	case call.ID != "":
		made.ID = &call.ID
	case !c.isVertex() && c.known.Traits.FunctionResponseParts: // since Gemini 3
		made.ID = new(c.callID())
	}
	c.part(geminiapi.Part{FunctionCall: made, ThoughtSignature: signature})
}

// callID makes an id for the last call of the candidate.
func (c *composer) callID() string {
	id := fmt.Sprintf("%s%d", c.id[:8], c.calls[c.candidate])
	if c.candidate > 0 {
		id += fmt.Sprintf("c%d", c.candidate)
	}
	return id
}

func (c *composer) isVertex() bool { return c.request.Backend == models.VertexAI }

// part adds a part as a separate chunk.
func (c *composer) part(part geminiapi.Part) {
	if part.ThoughtSignature != nil && *part.ThoughtSignature == "" {
		part.ThoughtSignature = nil
	}
	c.parts++
	c.pause += c.pace(&part)
	c.add(step{chunk: c.chunk(part)})
}

// chunk returns a chunk with a part. Vertex AI omits an index of 0, and adds the time of the
// request.
func (c *composer) chunk(part geminiapi.Part) *geminiapi.GenerateContentResponse {
	chunk := &geminiapi.GenerateContentResponse{
		Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part},
			Role: new("model")}}},
		ModelVersion: new(answer.AnsweringModel(c.request.Model, &c.known)),
		ResponseID:   &c.id,
	}
	if c.isVertex() {
		chunk.CreateTime = new(c.request.Time.UTC().Format(time.RFC3339Nano))
	}
	if !c.isVertex() || c.candidate > 0 {
		chunk.Candidates[0].Index = new(c.candidate)
	}
	return chunk
}

// pace returns the wait before a part, which is 0 for the first.
func (c *composer) pace(part *geminiapi.Part) time.Duration {
	if c.answer.TokensPerSecond == 0 || c.parts == 1 {
		return 0
	}
	size := 16 // for a part that is not a text
	if part.Text != nil {
		size = len(*part.Text)
	}
	tokens := max(float64(size)/4, 1)
	factor := 1 + c.answer.Jitter*(2*c.random.Float64()-1)
	return time.Duration(tokens / c.answer.TokensPerSecond * factor * float64(time.Second))
}

// exact adds a verbatim chunk of the script.
func (c *composer) exact(text jsontext.Value) {
	chunk, err := gemini.DecodeResponse(text)
	if err != nil { // It is sent unchanged anyway.
		chunk = &geminiapi.GenerateContentResponse{}
	}
	c.add(step{chunk: chunk, exact: text})
}

// grounding is added to the previous chunk, or to a new one.
func (c *composer) grounding(g *geminiapi.GroundingMetadata) {
	if last := c.lastChunk(); last != nil && indexOf(last) == c.candidate &&
		last.Candidates[0].GroundingMetadata == nil {
		last.Candidates[0].GroundingMetadata = g
		return
	}
	c.part(geminiapi.Part{Text: new("")})
	c.lastChunk().Candidates[0].GroundingMetadata = g
}

// lastChunk returns the last chunk that is not verbatim, or nil if the last step is not such a
// chunk.
func (c *composer) lastChunk() *geminiapi.GenerateContentResponse {
	if len(c.steps) == 0 || c.steps[len(c.steps)-1].exact != nil {
		return nil
	}
	return c.steps[len(c.steps)-1].chunk
}

func (c *composer) add(s step) {
	s.wait = c.pause
	c.pause = 0
	c.steps = append(c.steps, s)
}

// finish adds the finish reason to the last chunk of each candidate. An answer that a fault ends
// has none.
func (c *composer) finish() {
	if len(c.answer.Blocks) == 0 {
		chunk := c.chunk(geminiapi.Part{})
		chunk.Candidates[0].Content = nil
		c.add(step{chunk: chunk})
	}
	if c.pause > 0 {
		c.add(step{})
	}
	reason := cmp.Or(c.answer.FinishReason, geminiapi.FinishReasonStop)
	if c.answer.ContinuationToken != "" {
		reason = cmp.Or(c.answer.FinishReason, geminiapi.FinishReasonContinuation)
		c.setToken()
	}
	for _, candidate := range c.lastOfEach() {
		candidate.FinishReason = new(reason)
		if c.calls[jsonx.Deref(candidate.Index)] > 0 &&
			*candidate.FinishReason == geminiapi.FinishReasonStop && !c.isVertex() {
			candidate.FinishMessage = new("Model generated function call(s).")
		}
	}
}

// setToken adds the token with which a client requests the rest to the last chunk.
func (c *composer) setToken() {
	for _, s := range slices.Backward(c.steps) {
		if s.chunk != nil && len(s.chunk.Candidates) > 0 {
			s.chunk.Candidates[0].ContinuationToken = &c.answer.ContinuationToken
			return
		}
	}
}

// lastOfEach returns the last piece of each candidate, or nil if a fault or a verbatim chunk ends
// the answer.
func (c *composer) lastOfEach() []*geminiapi.Candidate {
	var last []*geminiapi.Candidate
	var isFound [maxCandidates]bool
	for _, s := range slices.Backward(c.steps) {
		if s.exact != nil || s.fault != nil && s.fault.EndsAnswer() {
			break
		}
		if s.chunk != nil && !isFound[indexOf(s.chunk)] {
			isFound[indexOf(s.chunk)] = true
			last = append(last, &s.chunk.Candidates[0])
		}
	}
	return last
}

// indexOf returns the index of the candidate in a chunk. Vertex AI omits 0.
func indexOf(chunk *geminiapi.GenerateContentResponse) int {
	return jsonx.Deref(chunk.Candidates[0].Index)
}

// responseID makes an id with the length of real ids that differs for each answer of a script.
func responseID(seed uint64, number int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d", seed, number))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
