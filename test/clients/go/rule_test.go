package clients_test

import "fmt"

// rule names one thing that a stream of chat completion chunks must fulfil.
type rule string

// The rules. Each of them is broken by a case of testdata/openai/broken.json.
const (
	// Each event is one line that begins with "data: ", and a blank line.
	ruleFraming rule = "framing"
	// [DONE] comes once, as the last event; after an error it does not come.
	ruleDone rule = "done"
	// An error object has a message, and nothing follows it.
	ruleError rule = "error"
	// Every chunk has object, id, created and model, the same ones in all.
	ruleEnvelope rule = "envelope"
	// A choice has an index, a delta, which may be empty, and a finish_reason, which may be null.
	ruleDelta rule = "delta"
	// The first delta of a choice, and no other, has the role.
	ruleRole rule = "role"
	// A choice finishes once, and nothing of it follows.
	ruleFinish rule = "finish"
	// The reason is stop, length, tool_calls or content_filter, and tool_calls if it is not length
	// or content_filter and there were calls.
	ruleReason rule = "finish reason"
	// The calls of a choice are numbered 0, 1, 2 over the whole stream, and a finished one is not
	// taken up again.
	ruleCallIndex rule = "call index"
	// The first delta of a call, and no other, has an id, which no other call of the stream has, a
	// name and the type "function".
	ruleCallHead rule = "call head"
	// The arguments of a call join to a JSON object.
	ruleArguments rule = "call arguments"
	// Usage comes in the last chunk only, which has no choices, and adds up.
	ruleUsage rule = "usage"
)

// rules lists all of them.
var rules = []rule{
	ruleFraming, ruleDone, ruleError, ruleEnvelope, ruleDelta, ruleRole, ruleFinish, ruleReason,
	ruleCallIndex, ruleCallHead, ruleArguments, ruleUsage,
}

// finding is a rule that a stream breaks, and where.
type finding struct {
	rule   rule
	event  int // counted from 1
	detail string
}

func (f finding) String() string {
	return fmt.Sprintf("event %d breaks the rule %q: %s", f.event, f.rule, f.detail)
}
