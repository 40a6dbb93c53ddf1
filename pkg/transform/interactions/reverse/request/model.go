package request

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// setModel sets the model or the agent.
func (c *converter) setModel() error {
	named, asked := plainName(jsonx.Deref(c.rest.Model)), plainName(cmp.Or(c.agent, c.model))
	if asked != "" && named != "" && asked != named {
		c.report.Add(report.Approximated, "/model", "an option sets another model")
	}
	name := cmp.Or(asked, named)
	c.rest.Model = nil
	switch {
	case name == "" && !c.unvalidated:
		return &Error{Pointer: "/model",
			Problem: "must be set, because neither the request nor an option names a model"}
	case strings.HasPrefix(name, "tunedModels/"):
		return &Error{Pointer: "/model",
			Problem: "must not be a tuned model, because the Interactions API has none"}
	case name == "":
	case c.agent != "" || interactions.IsAgent(name):
		c.out.Agent = new(interactionsapi.AgentName(name))
	default:
		c.out.Model = &name
	}
	c.setTraits(name)
	if c.stream {
		c.out.Stream = new(true)
	}
	return c.setAgent()
}

// plainName returns the name of a model without its collection, which may be models/ or
// publishers/google/models/.
func plainName(name string) string {
	const collection = "models/"
	if i := strings.LastIndex(name, collection); i >= 0 {
		return name[i+len(collection):]
	}
	return name
}

// setTraits sets the traits of the model. An agent has a model that Google chooses.
func (c *converter) setTraits(name string) {
	service, when := models.GeminiAPI, c.when
	if c.vertex {
		service = models.VertexAI
	}
	if when.IsZero() {
		when = clock.Now()
	}
	c.traits = &new(models.At(name, service, when)).Traits
}

// isAgentOf reports whether the request is for an agent whose name has a prefix.
func (c *converter) isAgentOf(prefix string) bool {
	return c.out.Agent != nil && strings.HasPrefix(string(*c.out.Agent), prefix)
}

// setAgent sets what an agent cannot do without. Deep research runs only in the background, and
// antigravity only in a sandbox.
func (c *converter) setAgent() error {
	switch {
	case c.isAgentOf(interactions.AgentDeepResearch):
		if !c.background {
			c.report.Add(report.Added, "", "background, because deep research runs only there")
		}
		c.background = true
	case c.isAgentOf(interactions.AgentAntigravity):
		c.report.Add(report.Added, "",
			"environment remote, because the agent works only in a sandbox")
		c.out.Environment = wiretype.StringOf[interactionsapi.Environment]("remote")
	}
	if c.background {
		c.out.Background = new(true)
	}
	return nil
}
