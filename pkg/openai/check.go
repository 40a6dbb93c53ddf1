package openai

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../tools/codecgen described .:CreateChatCompletionResponse,CreateChatCompletionStreamResponse ../../api/openapi/openai.yaml

// CheckResponse checks the body of a whole completion and returns the violations, or nil. It
// applies [ValidateResponse], and checks the original bytes against OpenAI's description, before
// any decoder corrects them. Each violation has its position in the body.
//
// An error is something that OpenAI never sends. A warning is a member or an enum value that the
// description does not know; other servers of this format send many. A body that is an error breaks
// the rule error. CheckResponse is for tests.
func CheckResponse(body []byte) []validation.Violation {
	if payloadcheck.IsError(body) {
		return []validation.Violation{{Rule: ruleError, Want: "must be a completion, not an error"}}
	}
	table := payloadcheck.Check(described, "CreateChatCompletionResponse", body)
	r, err := DecodeResponse(body)
	if err != nil {
		return payloadcheck.Undecodable(body, table, err)
	}
	var found []validation.Violation
	for i := range r.Choices {
		found = append(found,
			checkLogprobs("/choices/"+strconv.Itoa(i)+"/logprobs", r.Choices[i].Logprobs)...)
	}
	return payloadcheck.Join(body, table, ValidateResponse(r), checkCallIDs(r), invalid(found))
}

// invalid returns violations as an error, or nil without violations.
func invalid(found []validation.Violation) error {
	if found == nil {
		return nil
	}
	return &validation.Error{Prefix: "openai", Violations: found}
}

// maxLogprob limits log probabilities. They are at most 0, but OpenAI rounds: 0.00003 was recorded.
const maxLogprob = 0.001

// checkLogprobs checks that no probability is above 1. [ValidateResponse] does not, because Gemini
// answers with such numbers are converted unchanged.
func checkLogprobs(at string, l *openaiapi.ChoiceLogprobs) (out []validation.Violation) {
	if l == nil {
		return nil
	}
	check := func(list string, i int, value float64) {
		if value > maxLogprob {
			out = append(out,
				violation(list, i, "/logprob", "range", "must be at most 0, the logarithm of 1"))
		}
	}
	for _, of := range []struct {
		name   string
		tokens []openaiapi.TokenLogprob
	}{{"/content", l.Content}, {"/refusal", l.Refusal}} {
		for i := range of.tokens {
			check(at+of.name, i, of.tokens[i].Logprob)
			for j := range of.tokens[i].TopLogprobs {
				check(at+of.name+"/"+strconv.Itoa(i)+"/top_logprobs", j,
					of.tokens[i].TopLogprobs[j].Logprob)
			}
		}
	}
	return out
}

// checkCallIDs checks that the calls of a message have unique ids. [ValidateResponse] does not,
// because Gemini answers whose calls share an id are converted unchanged.
func checkCallIDs(r *openaiapi.CreateChatCompletionResponse) error {
	var found []validation.Violation
	for i := range r.Choices {
		taken := map[string]bool{}
		calls := r.Choices[i].Message.ToolCalls
		for j := range calls {
			if id := calls[j].ID; id != "" && taken[id] {
				at := "/choices/" + strconv.Itoa(i) + "/message/tool_calls"
				found = append(found,
					violation(at, j, "/id", "unique",
						"must differ from the id of any earlier call"))
			}
			taken[calls[j].ID] = true
		}
	}
	return invalid(found)
}

// ruleError is the rule that an error body breaks.
const ruleError = "error"

// CheckStream checks the body of a streamed completion. It reports for each chunk what
// [CheckResponse] reports of a completion. It also checks the chunks together: they have one id and
// one model, calls begin with an id and a name, and each choice has one finish reason and no
// content after it. A pointer such as "/3/choices/0" begins with the index of the chunk.
func CheckStream(body []byte) []validation.Violation {
	reader := NewStreamReader(bytes.NewReader(body))
	var stream sequence
	all := payloadcheck.NewStream(body)
	for count := 0; ; count++ {
		chunk, err := reader.Next()
		if err == io.EOF {
			break
		}
		if _, ok := errors.AsType[*Error](err); ok {
			return append(all.Found,
				validation.Violation{Pointer: "/" + strconv.Itoa(count), Rule: ruleError,
					Want: "must be a chunk, not an error"})
		}
		if err != nil {
			return append(all.Found, payloadcheck.StreamFault(body, err))
		}
		table := payloadcheck.Check(described, "CreateChatCompletionStreamResponse", reader.Bytes())
		err = ValidateChunk(chunk)
		if isOfFilters(chunk) {
			err = nil
		}
		inChunk := payloadcheck.Join(reader.Bytes(), table, err, stream.push(chunk))
		if !all.Add(count, reader.reader.Scanner.Event.Offset, inChunk) {
			return all.Found
		}
	}
	all.Found = append(all.Found, stream.close()...)
	if err := reader.CheckEnd(); err != nil {
		all.Found = append(all.Found, payloadcheck.StreamFault(body, err))
	}
	return append(all.Found, payloadcheck.Skipped(reader.Report())...)
}

// isOfFilters reports whether a chunk is the first chunk of Azure, which has the results of the
// prompt filters. It names neither the completion nor the model.
func isOfFilters(c *openaiapi.CreateChatCompletionStreamResponse) bool {
	return c.ID == "" && c.Model == "" && len(c.Choices) == 0
}
