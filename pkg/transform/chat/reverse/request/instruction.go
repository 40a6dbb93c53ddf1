package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const instructionPointer = "/systemInstruction"

// setInstruction makes the instruction the first message. Only its texts are used.
func (c *converter) setInstruction() error {
	in := c.rest.SystemInstruction
	c.rest.SystemInstruction = nil
	if in == nil {
		return nil
	}
	if in.Role != nil {
		c.report.Add(report.Approximated, instructionPointer+"/role",
			"an instruction always has the role of the system")
	}
	c.loseRest(instructionPointer, &geminiapi.Content{Unknown: in.Unknown})
	var texts []openaiapi.ContentPart
	for i := range in.Parts {
		at := instructionPointer + "/parts/" + strconv.Itoa(i)
		if text := c.instructionText(&in.Parts[i], at); text != "" {
			texts = append(texts,
				openaiapi.ContentPart{Type: openaiapi.ContentPartTypeText, Text: &text})
		}
	}
	if len(texts) > 0 {
		c.out.Messages = append(c.out.Messages,
			openaiapi.ChatMessage{Role: c.instructionRole(), Content: contentOf(texts)})
	}
	return nil
}

func (c *converter) instructionText(p *geminiapi.Part, at string) string {
	rest := *p
	rest.Text = nil
	c.loseRest(at, &rest)
	text := jsonx.Deref(p.Text)
	if p.Text != nil && text == "" {
		c.report.Add(report.Approximated, at, detailEmpty)
	}
	return text
}

// detailEmpty is the detail for an empty part.
const detailEmpty = "omitted, because it is empty"

// instructionRole returns the role of instructions. OpenAI's o-series models, such as o3-mini, use
// developer.
func (c *converter) instructionRole() openaiapi.Role {
	name := c.out.Model[strings.LastIndexByte(c.out.Model, '/')+1:]
	if len(name) > 1 && name[0] == 'o' && '0' < name[1] && name[1] <= '9' {
		return openaiapi.RoleDeveloper
	}
	return openaiapi.RoleSystem
}

// contentOf returns the parts of a message. A single text becomes a string.
func contentOf(parts []openaiapi.ContentPart) wiretype.StringOr[[]openaiapi.ContentPart] {
	if len(parts) == 1 && parts[0].Type == openaiapi.ContentPartTypeText &&
		parts[0].ExtraContent == nil {
		return wiretype.StringOf[[]openaiapi.ContentPart](*parts[0].Text)
	}
	return wiretype.ValueOf(parts)
}
