package request

import (
	"cmp"

	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// validate refuses a result that Gemini is known to refuse.
func (c *converter) validate() error {
	if c.config().IsEmpty() {
		c.out.GenerationConfig = nil
	}
	if c.unvalidated {
		return nil
	}
	if err := c.checkCachedContent(); err != nil {
		return err
	}
	backend := gemini.ForGeminiAPI()
	if c.vertex {
		backend = gemini.ForVertexAI()
	}
	err := gemini.ValidateRequest(c.out, gemini.ForModel(cmp.Or(c.model, c.in.Model)), backend)
	if err != nil {
		return c.refused(err)
	}
	return nil
}

// checkCachedContent refuses members beside an explicit cache that must be in the cache itself.
func (c *converter) checkCachedContent() error {
	if optional.Value(c.out.CachedContent) == "" {
		return nil
	}
	var beside string
	switch {
	case c.out.SystemInstruction != nil:
		beside = "messages of the system"
	case len(c.out.Tools) > 0:
		beside = "tools"
	case c.out.ToolConfig != nil:
		beside = "a tool choice"
	default:
		return nil
	}
	return &Error{Pointer: c.extraBodyPointers["cachedcontent"], Problem: "excludes " + beside + ", which must be in the cache itself"}
}
