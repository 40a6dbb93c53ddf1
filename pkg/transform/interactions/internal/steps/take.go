package steps

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/go-json-experiment/json/jsontext"
)

// Take returns the steps since the last call of Take, and forgets them, but not the ids of calls.
// No later content joins these steps. The result is valid until the next call of Add.
func (b *Steps) Take() []interactionsapi.Step {
	out := b.steps
	b.steps, b.pointer, b.open = b.steps[:0], b.pointer[:0], false
	return out
}

// Joining says how a part joins the steps before it.
type Joining struct {
	// NewStep is true if the part begins a step, although the part before has one of the same type.
	NewStep bool
	// SignatureBefore is true if the signature of the part was before the step of the part.
	SignatureBefore bool
}

// JoiningOf returns what the extension in the unknown members of a part says about its steps.
func JoiningOf(unknown jsontext.Value) Joining {
	if Extension(unknown) == nil {
		return Joining{}
	}
	e := extensionOf(&geminiapi.Part{Unknown: unknown})
	return Joining{NewStep: e.NewStep, SignatureBefore: e.Signature == beforeOutput}
}
