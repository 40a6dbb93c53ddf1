package conversation

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// UnsignedCall stands for the thought signature of a call that has none, for example because
// another provider's model made the call. Google documents this word to skip the check. It is sent
// as it is, not in base64.
const UnsignedCall = "skip_thought_signature_validator"

// Sign completes the calls for models that refuse unsigned ones. These models require a signature
// on the first call of each model turn. member is the pointer of a call's signature in the form.
func (c *Conversation) Sign(member string) {
	if !c.Traits.RequiresSignatures {
		return
	}
	unsigned := new(UnsignedCall)
	for i := range c.turns {
		if t := &c.turns[i]; len(t.Calls) > 0 {
			c.signTurn(t, unsigned, member)
		}
	}
}

func (c *Conversation) signTurn(t *Turn, unsigned *string, member string) {
	first := FirstCall(t.Parts)
	if first == nil || jsonx.Deref(first.ThoughtSignature) != "" {
		return
	}
	first.ThoughtSignature = unsigned
	c.Report.Add(report.Added, t.Calls[0].At.Pointer(member),
		"a placeholder that skips Gemini's check, because the call has no thought signature")
}

// ReportDamaged reports a thought signature that was changed in transit. It is lost, unless it has
// arrived in another member too.
func (c *Conversation) ReportDamaged(pointer string, isElsewhere bool) {
	kind := report.Lost
	if isElsewhere {
		kind = report.Approximated
	}
	c.Report.Add(kind, pointer, DetailDamaged)
}

// DetailDamaged is the detail for a carrier of thought signatures that was changed in transit.
const DetailDamaged = "it was damaged in transit, and its thought signatures cannot be read"
