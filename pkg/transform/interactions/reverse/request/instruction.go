package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
)

const instructionPointer = "/systemInstruction"

// detailEmpty is the detail for an empty part.
const detailEmpty = "omitted, because it is empty"

// setInstruction sets the instruction. It is one text, so the texts of several parts are joined.
func (c *converter) setInstruction() error {
	in := c.rest.SystemInstruction
	c.rest.SystemInstruction = nil
	if in == nil {
		return nil
	}
	if in.Role != nil {
		c.report.Add(report.Approximated, instructionPointer+"/role",
			"omitted, because an instruction has no role")
	}
	c.loseRest(instructionPointer, &geminiapi.Content{Unknown: in.Unknown})
	var texts []string
	for i := range in.Parts {
		p, at := &in.Parts[i], instructionPointer+"/parts/"+strconv.Itoa(i)
		rest := *p
		rest.Text = nil
		c.loseRest(at, &rest)
		switch text := jsonx.Deref(p.Text); {
		case text != "":
			texts = append(texts, text)
		case p.Text != nil:
			c.report.Add(report.Approximated, at, detailEmpty)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	if len(texts) > 1 {
		c.report.Add(report.Approximated, instructionPointer+"/parts",
			"joined with line breaks, because the instruction of an interaction is one text")
	}
	instruction := strings.Join(texts, "\n")
	if c.isAgentOf(interactions.AgentDeepResearch) {
		c.report.Add(report.Approximated, instructionPointer,
			"moved to the input, because deep research has no instruction")
		c.instruction = instruction
		return nil
	}
	c.out.SystemInstruction = &instruction
	return nil
}
