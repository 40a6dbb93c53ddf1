package responses

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../../tools/codecgen described .:Response,ResponseEvent ../../../api/openapi/openai.yaml

// CheckResponse checks the body of a whole response and returns the violations, or nil. It applies
// [ValidateResponse], and checks the original bytes against OpenAI's description, before any
// decoder corrects them. Each violation has its position in the body.
//
// An error is something that OpenAI never sends. A warning is a member or an enum value that the
// description does not know. An error body violates the rule "error". CheckResponse is for tests.
func CheckResponse(body []byte) []validation.Violation {
	if payloadcheck.IsError(body) {
		return []validation.Violation{{Rule: ruleError, Want: "must be a response, not an error"}}
	}
	table := payloadcheck.Check(described, "Response", body)
	r, err := DecodeResponse(body)
	if err != nil {
		return payloadcheck.Undecodable(body, table, err)
	}
	return payloadcheck.Join(body, table, ValidateResponse(r),
		invalid(outputLogprobs("/output", r.Output)))
}

// invalid returns violations as an error, or nil without violations.
func invalid(found []validation.Violation) error {
	if found == nil {
		return nil
	}
	return &validation.Error{Prefix: "responses", Violations: found}
}

// outputLogprobs checks the log probabilities of items.
func outputLogprobs(list string, items []openaiapi.ResponseItem) (out []validation.Violation) {
	for i := range items {
		out = append(out, itemLogprobs(list+"/"+strconv.Itoa(i), &items[i])...)
	}
	return out
}

func itemLogprobs(at string, item *openaiapi.ResponseItem) (out []validation.Violation) {
	parts, _ := item.Content.AsValue()
	for i := range parts {
		out = append(out,
			checkLogprobs(at+"/content/"+strconv.Itoa(i)+"/logprobs", parts[i].Logprobs)...)
	}
	return out
}

// eventLogprobs checks the log probabilities of an event.
func eventLogprobs(e *openaiapi.ResponseEvent) []validation.Violation {
	out := checkLogprobs("/logprobs", e.Logprobs)
	if e.Part != nil {
		out = append(out, checkLogprobs("/part/logprobs", e.Part.Logprobs)...)
	}
	if e.Item != nil {
		out = append(out, itemLogprobs("/item", e.Item)...)
	}
	if e.Response != nil {
		out = append(out, outputLogprobs("/response/output", e.Response.Output)...)
	}
	return out
}

// maxLogprob limits log probabilities. They are at most 0, but OpenAI rounds: 0.00003 was recorded.
const maxLogprob = 0.001

// checkLogprobs checks that no probability is above 1. [ValidateResponse] does not, because Gemini
// answers with such numbers are converted unchanged.
func checkLogprobs(list string, tokens []openaiapi.ResponseLogprob) (out []validation.Violation) {
	check := func(list string, i int, value float64) {
		if value > maxLogprob {
			out = append(out,
				violation(list, i, "/logprob", "range", "must be at most 0, the logarithm of 1"))
		}
	}
	for i := range tokens {
		check(list, i, tokens[i].Logprob)
		for j := range tokens[i].TopLogprobs {
			check(list+"/"+strconv.Itoa(i)+"/top_logprobs", j, tokens[i].TopLogprobs[j].Logprob)
		}
	}
	return out
}

// ruleError is the rule that an error body breaks.
const ruleError = "error"

// soften turns violations that are typical of OpenAI's streams before mid-2025 into warnings:
// missing numbers and logprobs.
func soften(e *openaiapi.ResponseEvent, found []validation.Violation) {
	for i := range found {
		isOfNumber := found[i].Pointer == "/sequence_number" && e.SequenceNumber == 0
		if isOfNumber || found[i].Pointer == "/logprobs" && found[i].Rule == "required" {
			found[i].Severity = validation.SeverityWarning
		}
	}
}

// CheckStream checks the body of a streamed response. It reports for each event what
// [CheckResponse] reports of a response, and what [Sequence] reports of the events together. A
// pointer such as "/3/item" begins with the index of the event.
func CheckStream(body []byte) []validation.Violation {
	reader := NewStreamReader(bytes.NewReader(body))
	var sequence Sequence
	all := payloadcheck.NewStream(body)
	for count := 0; ; count++ {
		event, err := reader.Next()
		if err == io.EOF {
			break
		}
		if _, ok := errors.AsType[*Error](err); ok {
			return append(all.Found,
				validation.Violation{Pointer: "/" + strconv.Itoa(count), Rule: ruleError,
					Want: "must be an event, not an error"})
		}
		if err != nil {
			return append(all.Found, payloadcheck.StreamFault(body, err))
		}
		data := reader.reader.Scanner.Event.Bytes()
		table := payloadcheck.Check(described, "ResponseEvent", data)
		order := payloadcheck.Within(count, sequence.Push(event))
		inEvent := payloadcheck.Join(data, table, ValidateEvent(event), order,
			invalid(eventLogprobs(event)))
		soften(event, inEvent)
		if !all.Add(count, reader.reader.Scanner.Event.Offset, inEvent) {
			return all.Found
		}
	}
	all.Found = append(all.Found, sequence.Close()...)
	if err := reader.CheckEnd(); err != nil {
		all.Found = append(all.Found, payloadcheck.StreamFault(body, err))
	}
	return append(all.Found, payloadcheck.Skipped(reader.Report())...)
}
