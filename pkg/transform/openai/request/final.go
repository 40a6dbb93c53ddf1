package request

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
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
	if c.orphans {
		err = withoutOrphans(err, c.out.Contents)
	}
	if err != nil {
		return &Error{Problem: "Gemini would refuse the converted request", Err: err}
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

// withoutOrphans removes the violations of results before the first call: their calls may be in a part of
// the conversation that the request does not have. The report has an entry for each.
func withoutOrphans(err error, contents []geminiapi.Content) error {
	refusal, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return err
	}
	orphans := orphanNames(contents)
	violations := slices.DeleteFunc(slices.Clone(refusal.Violations), func(v validation.Violation) bool {
		name, ok := orphans[v.Pointer]
		quoted, _ := jsontext.AppendQuote(nil, name)
		return ok && v.Value == string(quoted)
	})
	if len(violations) == 0 {
		return nil
	}
	return &validation.Error{Prefix: "gemini", Violations: violations}
}

// orphanNames returns the names of the results before the first call, by the pointers of their parts.
func orphanNames(contents []geminiapi.Content) map[string]string {
	out := map[string]string{}
	for i := range contents {
		for j := range contents[i].Parts {
			part := &contents[i].Parts[j]
			if part.FunctionCall != nil {
				return out
			}
			if part.FunctionResponse != nil {
				out["/contents/"+strconv.Itoa(i)+"/parts/"+strconv.Itoa(j)] = optional.Value(part.FunctionResponse.Name)
			}
		}
	}
	return out
}
