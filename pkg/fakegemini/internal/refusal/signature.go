package refusal

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// CorruptedSignature is the answer to a changed thought signature, from the reports
// google-gemini/gemini-cli#13467 and decolua/9router#301.
func CorruptedSignature(backend models.Backends) *Refusal {
	if backend == models.VertexAI {
		return New(geminiapi.ErrorStatusInvalidArgument,
			"Unable to submit request because Thought signature is not valid."+vertexReference)
	}
	return New(geminiapi.ErrorStatusInvalidArgument, "Corrupted thought signature.")
}
