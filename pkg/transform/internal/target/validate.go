package target

import (
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// Finish removes an empty generationConfig.
func (r *Request) Finish() {
	if r.Config().IsEmpty() {
		r.Out.GenerationConfig = nil
	}
}

// Validate returns an error if the model is known to refuse the request.
func (r *Request) Validate(model string, places *Places) error {
	if err := r.checkCachedContent(); err != nil {
		return err
	}
	backend := gemini.ForGeminiAPI()
	if r.VertexAI {
		backend = gemini.ForVertexAI()
	}
	if err := gemini.ValidateRequest(r.Out, gemini.ForModel(model), gemini.ForTime(r.when),
		backend); err != nil {
		return r.refused(err, places)
	}
	return nil
}

// checkCachedContent returns an error for members that are not allowed together with an explicit
// cache. They must be in the cache itself.
func (r *Request) checkCachedContent() error {
	if !r.IsCached() {
		return nil
	}
	var other string
	switch {
	case r.Out.SystemInstruction != nil:
		other = "an instruction"
	case len(r.Out.Tools) > 0:
		other = "a tool"
	case r.Out.ToolConfig != nil:
		other = "a tool choice"
	default:
		return nil
	}
	return &refusal.Error{Pointer: r.ExtraBody["cachedcontent"],
		Problem: "must not be combined with " + other + ", which belongs in the cache itself"}
}
