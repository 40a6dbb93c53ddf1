package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
)

const detailNoCounterpart = "Gemini has no member for it"

// turn converts the steps of an answer, one after the other.
type turn struct {
	options
	entries report.Report
	convert steps.Parts
	sources sources
	calls   calls
	// stepFailure is the message of a step that failed, or "".
	stepFailure string
}

// begin prepares a turn for its first step.
func (t *turn) begin() {
	t.convert.Extension, t.convert.Report = !t.noExtension, &t.entries
}

// add appends the parts of a step. pointer is its pointer.
func (t *turn) add(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	t.note(s, pointer)
	if steps.IsDerived(s) {
		t.entries.Add(report.Approximated, pointer, detailDerived)
		return parts
	}
	switch s.Type {
	case interactionsapi.StepTypeUserInput: // the prompt, which is no part of the answer
		return t.convert.Keep(parts, s, pointer)
	case interactionsapi.StepTypeThought:
		if t.noThoughts && len(s.Summary) > 0 {
			t.entries.Add(report.Lost, pointer+"/summary", detailNoThoughts)
			if s = withoutSummary(s); s == nil {
				return parts
			}
		}
	}
	parts = t.convert.Add(parts, s, pointer,
		func(i int) string { return blockPointer(s, pointer, i) })
	return append(parts, t.sources.takeSpoken()...)
}

const detailNoThoughts = "thoughts are omitted"

// withoutSummary returns a thought without its summary, or nil if it has nothing else.
func withoutSummary(s *interactionsapi.Step) *interactionsapi.Step {
	out := *s
	out.Type, out.Summary, out.Signature = "", nil, jsonx.NonEmpty(jsonx.Deref(s.Signature))
	if out.IsEmpty() {
		return nil
	}
	out.Type = s.Type
	return &out
}

// blockPointer returns the pointer of a block of content.
func blockPointer(s *interactionsapi.Step, pointer string, i int) string {
	if _, isText := s.Content.AsString(); isText {
		return pointer + "/content"
	}
	return pointer + "/content/" + strconv.Itoa(i)
}

// note takes what a step says about the answer as a whole.
func (t *turn) note(s *interactionsapi.Step, pointer string) {
	t.calls.add(s)
	t.tool(s, pointer)
	if s.Error != nil && t.stepFailure == "" {
		t.stepFailure = jsonx.Deref(s.Error.Message)
	}
	if s.Error != nil && t.noExtension && s.Type == interactionsapi.StepTypeModelOutput {
		t.entries.Add(report.Lost, pointer+"/error", detailNoCounterpart)
	}
	if s.Role != nil {
		t.entries.Add(report.Lost, pointer+"/role", detailNoCounterpart)
	}
}

// calls are the function calls of an answer.
type calls struct {
	waiting map[string]bool // ids of the calls without a result
	some    bool            // there was a call
}

func (c *calls) add(s *interactionsapi.Step) {
	switch s.Type {
	case interactionsapi.StepTypeFunctionCall:
		if c.some = true; c.waiting == nil {
			c.waiting = map[string]bool{}
		}
		c.waiting[jsonx.Deref(s.ID)] = true
	case interactionsapi.StepTypeFunctionResult:
		delete(c.waiting, jsonx.Deref(s.CallID))
	}
}

// wait reports whether a call waits for the client.
func (c *calls) wait() bool { return len(c.waiting) > 0 }
