package interactions

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../tools/codecgen described .:Interaction,StreamEvent ../../api/openapi/interactions.yaml

// CheckResponse checks the body of a whole interaction and returns the violations, or nil. It
// applies [ValidateResponse], and checks the original bytes against Google's documentation, before
// any decoder corrects them. Each violation has its position in the body.
//
// An error is something that Google never sends. A warning is a member or an enum value that the
// description does not know, or a member that no recorded answer lacks. An error body violates the
// rule "error". An interaction of the revision before May 2026 violates the rule "revision".
// CheckResponse is for tests.
func CheckResponse(body []byte) []validation.Violation {
	if payloadcheck.IsError(body) {
		return []validation.Violation{{Rule: ruleError,
			Want: "must be an interaction, not an error"}}
	}
	table := payloadcheck.Check(described, "Interaction", body)
	r, err := DecodeResponse(body)
	if err != nil {
		return payloadcheck.Undecodable(body, table, err)
	}
	if OldRevision(r) {
		return []validation.Violation{{Pointer: "/outputs", Rule: "revision",
			Want: "must be steps; outputs are of the revision before May 2026"}}
	}
	return payloadcheck.Join(body, table, ValidateResponse(r), unusual(r))
}

// ruleError is the rule that a body which is an error breaks.
const ruleError = "error"

// unusual returns warnings about a whole interaction: members that each recorded answer has and
// that Google does not promise.
func unusual(r *interactionsapi.Interaction) error {
	var v violations
	if r.Object == nil {
		v.report("/object", "required", "must be set; each recorded answer has it")
	}
	if jsonx.Deref(r.Model) == "" && jsonx.Deref(r.Agent) == "" {
		v.report("/model", "required", "must be set, unless agent is set")
	}
	if r.Status == interactionsapi.InteractionStatusRequiresAction && len(Calls(r)) == 0 {
		v.report("/status", "requires_action",
			"must not be requires_action, because no function call waits for its result")
	}
	if v == nil {
		return nil
	}
	for i := range v {
		v[i].Severity = validation.SeverityWarning
	}
	return &validation.Error{Prefix: "interactions", Violations: v}
}

// CheckStream checks the body of a streamed interaction. It reports for each event what
// [CheckResponse] reports of an interaction, and what [Sequence] reports of the events together. A
// pointer such as "/3/delta" begins with the index of the event.
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
		table := payloadcheck.Check(described, "StreamEvent", data)
		order := payloadcheck.Within(count, sequence.Push(event))
		inEvent := payloadcheck.Join(data, table, ValidateEvent(event), order)
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
