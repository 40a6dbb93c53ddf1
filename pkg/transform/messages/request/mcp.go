package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// Gemini accepts no MCP calls and no MCP results from a client. Both become texts in the model's
// turn, so that the model still knows them.

const detailMCP = "converted to a text, because Gemini accepts no MCP calls from clients"

// addMCPCall adds the call of an MCP tool as a text.
func (a *answer) addMCPCall(block *anthropicapi.ContentBlock, at conversation.Location) {
	a.loseBlockMembers(block, at, inMCPCall)
	tool := "the tool " + strconv.Quote(jsonx.Deref(block.Name))
	if server := jsonx.Deref(block.ServerName); server != "" {
		tool += " of the MCP server " + strconv.Quote(server)
	}
	if a.mcpTools == nil {
		a.mcpTools = map[string]string{}
	}
	a.mcpTools[jsonx.Deref(block.ID)] = tool
	text := "Call of " + tool
	if input := jsonx.NonNull(block.Input); input != nil {
		text += " with the input:\n" + string(input)
	}
	a.Report.Add(report.Approximated, at.Pointer("/type"), detailMCP)
	a.turn.Parts = append(a.turn.Parts, geminiapi.Part{Text: &text})
}

// addMCPResult adds the result of an MCP call as a text, followed by its media.
func (a *answer) addMCPResult(block *anthropicapi.ContentBlock, at conversation.Location) error {
	a.loseBlockMembers(block, at, inMCPResult)
	given, err := a.given(block, at)
	if err != nil {
		return err
	}
	tool, isKnown := a.mcpTools[jsonx.Deref(block.ToolUseID)]
	if !isKnown {
		tool = "a tool of an MCP server"
	}
	text := "Result of " + tool + ":\n"
	if jsonx.Deref(block.IsError) {
		text = "Error of " + tool + ":\n"
	}
	text += given.text()
	a.Report.Add(report.Approximated, at.Pointer("/type"), detailMCP)
	a.turn.Parts = append(a.turn.Parts, geminiapi.Part{Text: &text})
	for i := range given.media {
		a.turn.Parts = append(a.turn.Parts, given.media[i].part)
	}
	return nil
}
