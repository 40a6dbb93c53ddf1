package conversation

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// UnsignedCall stands for the thought signature of a call that has none, such as one that another
// provider's model made: the word by which Google documents that the check is to be skipped, as it
// is, not in base64.
const UnsignedCall = "skip_thought_signature_validator"

// Sign completes the calls for models that refuse unsigned ones. They ask for a signature on the
// first call of each of the model's turns. member is where a call of the form would have its
// signature, as a pointer.
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
		"the call has no thought signature; Gemini is asked not to check it")
}

// ReportDamaged reports that the thought signature in a member has changed on its way. It is lost,
// unless it has come by another way, too.
func (c *Conversation) ReportDamaged(pointer string, isElsewhere bool) {
	kind := report.Lost
	if isElsewhere {
		kind = report.Approximated
	}
	c.Report.Add(kind, pointer, DetailDamaged)
}

// DetailDamaged is the detail for what carries thought signatures and has changed on its way.
const DetailDamaged = "it has been damaged on its way, and its thought signatures are left out"
