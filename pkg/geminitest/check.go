package geminitest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/validation"
)

// CheckRequest fails the test when the API would refuse a request to generate, and says of each fault where it is and
// what would be right: gemini.ValidateRequest, for the body as it is sent. model is the one that the request is for,
// "" for the rules of all models; options say which service it is for.
func CheckRequest(t testing.TB, body []byte, model string, opts ...gemini.ValidateOption) {
	t.Helper()
	request, err := gemini.DecodeRequest(body)
	if err != nil {
		t.Error(err)
		return
	}
	report(t, "", gemini.ValidateRequest(request, append([]gemini.ValidateOption{gemini.ForModel(model)}, opts...)...))
}

// CheckResponse fails the test for a whole answer that the API would not give: with members or values that the
// description does not know, with counts that do not add up, without an end, or one that breaks an invariant of
// package normalize. A refused prompt is an answer; an error is not.
func CheckResponse(t testing.TB, body []byte) {
	t.Helper()
	response, err := gemini.DecodeResponse(body)
	switch {
	case err != nil:
		t.Error(err)
	case gemini.IsError(response):
		t.Errorf("the answer is an error: %v", gemini.DecodeError(0, nil, body))
	default:
		checkChunk(t, "", response)
		checkEnd(t, response)
		checkMeaning(t, response)
	}
}

// CheckStream fails the test for a stream that the API would not write, in either framing: what CheckResponse says of
// each chunk and of the whole, and that all chunks are of one answer, that nothing stands between the events, and that
// the stream ends.
func CheckStream(t testing.TB, body []byte) {
	t.Helper()
	reader := gemini.NewStreamReader(bytes.NewReader(body))
	var chunks []*geminiapi.GenerateContentResponse
	for chunk, err := range reader.All() {
		if err != nil {
			t.Errorf("chunk %d: %v", len(chunks), err)
			return
		}
		checkChunk(t, fmt.Sprintf("/%d", len(chunks)), chunk)
		chunks = append(chunks, chunk)
	}
	if err := reader.CheckEnd(); err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	for _, entry := range reader.Report() {
		t.Errorf("%s: %s", entry.Pointer, entry.Detail)
	}
	if len(chunks) == 0 {
		t.Error("the stream has no chunk")
		return
	}
	checkIdentity(t, chunks)
	whole, _ := normalize.MergeChunks(chunks...)
	checkEnd(t, whole)
	checkMeaning(t, whole)
}

// report fails the test with each violation, below a pointer.
func report(t testing.TB, below string, err error) {
	t.Helper()
	if invalid, ok := errors.AsType[*validation.Error](err); ok {
		for _, v := range invalid.Violations {
			v.Pointer = below + v.Pointer
			t.Error(v)
		}
		return
	}
	if err != nil {
		t.Error(err)
	}
}

// checkChunk holds a response or a chunk of one to the description.
func checkChunk(t testing.TB, below string, r *geminiapi.GenerateContentResponse) {
	t.Helper()
	report(t, below, gemini.ValidateResponse(r))
	for i := range r.Candidates {
		if r.Candidates[i].Content != nil {
			checkSignatures(t, fmt.Sprintf("%s/candidates/%d/content/parts", below, i), r.Candidates[i].Content.Parts)
		}
	}
	checkCounts(t, below+"/usageMetadata", r.UsageMetadata)
}

// checkSignatures: the servers write them in standard base64 with its padding (855 of 856 recorded ones hold a
// character that only this alphabet has).
func checkSignatures(t testing.TB, at string, parts []geminiapi.Part) {
	t.Helper()
	for i := range parts {
		if s := parts[i].ThoughtSignature; s != nil {
			if _, err := base64.StdEncoding.DecodeString(*s); err != nil {
				t.Errorf("%s/%d/thoughtSignature: must be standard base64 with padding", at, i)
			}
		}
	}
}

// checkCounts: the total is the sum of the four others, as in all 3,412 recorded counts.
func checkCounts(t testing.TB, at string, u *geminiapi.UsageMetadata) {
	t.Helper()
	if u == nil || u.TotalTokenCount == nil {
		return
	}
	sum := 0
	for _, count := range []*int{u.PromptTokenCount, u.CandidatesTokenCount, u.ThoughtsTokenCount, u.ToolUsePromptTokenCount} {
		if count != nil {
			sum += *count
		}
	}
	if sum != *u.TotalTokenCount {
		t.Errorf("%s/totalTokenCount: must be %d, the sum of prompt, candidates, thoughts and tool use; found %d", at, sum, *u.TotalTokenCount)
	}
}

// checkEnd: an answer has candidates that ended, or says that the prompt was refused.
func checkEnd(t testing.TB, r *geminiapi.GenerateContentResponse) {
	t.Helper()
	if len(r.Candidates) == 0 && (r.PromptFeedback == nil || r.PromptFeedback.BlockReason == nil) {
		t.Error("/candidates: must hold a candidate, or promptFeedback a blockReason")
	}
	for i := range r.Candidates {
		if r.Candidates[i].FinishReason == nil {
			t.Errorf("/candidates/%d/finishReason: must say why the candidate ended", i)
		}
	}
}

// checkMeaning holds what an answer means to the invariants.
func checkMeaning(t testing.TB, r *geminiapi.GenerateContentResponse) {
	t.Helper()
	normal, err := normalize.FromResponse(r)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok && blocked != nil {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	report(t, "", normalize.Validate(normal))
}

// checkIdentity: all chunks have the id and the model of the first.
func checkIdentity(t testing.TB, chunks []*geminiapi.GenerateContentResponse) {
	t.Helper()
	identity := func(r *geminiapi.GenerateContentResponse) string {
		return optional.Value(r.ResponseID) + " of " + optional.Value(r.ModelVersion)
	}
	first := identity(chunks[0])
	if i := slices.IndexFunc(chunks, func(r *geminiapi.GenerateContentResponse) bool { return identity(r) != first }); i > 0 {
		t.Errorf("/%d: must be a chunk of the response %q, is one of %q", i, first, identity(chunks[i]))
	}
}
