package anthropic

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../tools/codecgen described .:Message,StreamEvent ../../api/openapi/anthropic.yaml

// CheckResponse checks the body of a whole message and returns the violations, or nil. It applies
// [ValidateResponse], and checks the original bytes against Anthropic's documentation, before any
// decoder corrects them. Each violation has its position in the body.
//
// An error is something that Anthropic never sends. A warning is a member or an enum value that the
// description does not know. An error body violates the rule "error". CheckResponse is for
// tests.
func CheckResponse(body []byte) []validation.Violation {
	if payloadcheck.IsError(body) {
		return []validation.Violation{{Rule: ruleError, Want: "must be a message, not an error"}}
	}
	table := payloadcheck.Check(described, "Message", body)
	r, err := DecodeResponse(body)
	if err != nil {
		return payloadcheck.Undecodable(body, table, err)
	}
	return payloadcheck.Join(body, table, ValidateResponse(r))
}

// ruleError is the rule that an error body breaks.
const ruleError = "error"

// CheckStream checks the body of a streamed message. It reports for each event what [CheckResponse]
// reports of a message, and what [Sequence] reports of the events together. A pointer such as
// "/3/delta" begins with the index of the event.
func CheckStream(body []byte) []validation.Violation {
	reader := NewStreamReader(bytes.NewReader(body))
	var sequence Sequence
	var counts outputCounts
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
		table := payloadcheck.Check(described, "StreamEvent", data)
		order := payloadcheck.Within(count, sequence.Push(event))
		inEvent := payloadcheck.Join(data, table, ValidateEvent(event), order, counts.push(event))
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

// outputCounts are the output tokens of a streamed answer, counted from the beginning of the
// message.
type outputCounts struct{ last int }

// push checks the count of an event against earlier counts.
func (c *outputCounts) push(e *anthropicapi.StreamEvent) error {
	usage := e.Usage
	if e.Message != nil {
		usage = &e.Message.Usage
	}
	if usage == nil {
		return nil
	}
	before := c.last
	c.last = max(usage.OutputTokens, before)
	if e.Message != nil || usage.OutputTokens >= before {
		return nil
	}
	return &validation.Error{Prefix: "anthropic", Violations: []validation.Violation{{
		Pointer: "/usage/output_tokens", Rule: "order",
		Want: "must be at least " + strconv.Itoa(before) + ", as in earlier events",
	}}}
}
