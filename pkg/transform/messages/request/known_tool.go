package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// toolFamily is a group of tools that Anthropic defines by their type. The type ends in the date of
// the version. A family has a schema or add; a tool without either is omitted or refused.
type toolFamily struct {
	prefix string // of the type
	schema string // of the input, for tools that the client runs
	add    func(c *converter, tool *anthropicapi.Tool, at *codec.Location)
	detail string // why it is omitted
	// refused is why a request must not contain the tool, or "".
	refused string
}

// knownTool returns the family of a tool type.
func knownTool(kind string) (*toolFamily, bool) {
	for i := range toolFamilies {
		if strings.HasPrefix(kind, toolFamilies[i].prefix) {
			return &toolFamilies[i], true
		}
	}
	return nil, false
}

// prefixToolSearch is the prefix of the types of server tools that find other tools.
const prefixToolSearch = "tool_search_tool_"

const refusedScreen = "differs from Gemini's computer use in actions and pixel coordinates; declare the actions as functions"

// toolFamilies lists Anthropic's tools (platform.claude.com/docs/en/agents-and-tools/tool-use). We
// wrote the input descriptions of those that the client runs. It is never modified.
var toolFamilies = [...]toolFamily{
	{prefix: "web_search_", add: (*converter).addSearch},
	{prefix: "web_fetch_", add: (*converter).addFetch},
	{prefix: "code_execution_", add: (*converter).addCodeExecution},
	{prefix: "bash_", schema: bashSchema},
	{prefix: "text_editor_", schema: editorSchema},
	{prefix: "memory_", schema: memorySchema},
	{prefix: prefixToolSearch, detail: "sent at the start, where Gemini gets all tools"},
	{prefix: "mcp_toolset", detail: "Gemini gets all tools of a server"},
	{prefix: "computer_", refused: refusedScreen},
	{prefix: "browser_", refused: refusedScreen},
}

const (
	bashSchema = `{"type":"object","properties":{` +
		`"command":{"type":"string","description":"The command to run. Needed unless restart is true."},` +
		`"restart":{"type":"boolean","description":"True restarts the shell."}}}`
	editorSchema = `{"type":"object","properties":{` +
		`"command":{"type":"string","enum":["view","create","str_replace","insert","undo_edit"],"description":"What to do with the file."},` +
		`"path":{"type":"string","description":"The file or folder."},` +
		`"view_range":{"type":"array","items":{"type":"integer"},"description":"For view: the first and the last line, -1 for the end."},` +
		`"file_text":{"type":"string","description":"For create: the content of the file."},` +
		`"old_str":{"type":"string","description":"For str_replace: the text to replace, which must occur once."},` +
		`"new_str":{"type":"string","description":"For str_replace and insert: the new text."},` +
		`"insert_line":{"type":"integer","description":"For insert: the line after which the text goes, 0 for the beginning."},` +
		`"insert_text":{"type":"string","description":"For insert: the text, in newer versions."}},` +
		`"required":["command","path"]}`
	memorySchema = `{"type":"object","properties":{` +
		`"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"],"description":"What to do with the memory."},` +
		`"path":{"type":"string","description":"The file or folder below /memories."},` +
		`"view_range":{"type":"array","items":{"type":"integer"},"description":"For view: the first and the last line."},` +
		`"file_text":{"type":"string","description":"For create: the content of the file."},` +
		`"old_str":{"type":"string","description":"For str_replace: the text to replace."},` +
		`"new_str":{"type":"string","description":"For str_replace: the new text."},` +
		`"insert_line":{"type":"integer","description":"For insert: the line after which the text goes."},` +
		`"insert_text":{"type":"string","description":"For insert: the text."},` +
		`"old_path":{"type":"string","description":"For rename: the file."},` +
		`"new_path":{"type":"string","description":"For rename: its new name."}},` +
		`"required":["command"]}`
)

// addSearch enables Google Search. Vertex AI can exclude domains.
func (c *converter) addSearch(tool *anthropicapi.Tool, at *codec.Location) {
	functions.SetSearch(&c.Request)
	c.searches = append(c.searches, at.Pointer())
	if len(tool.BlockedDomains) == 0 || !c.VertexAI {
		return
	}
	for i := range c.Out.Tools {
		if search := c.Out.Tools[i].GoogleSearch; search != nil {
			search.ExcludeDomains = append(search.ExcludeDomains, tool.BlockedDomains...)
			return
		}
	}
	c.Report.Add(report.Lost, at.Pointer()+"/blocked_domains", detailNotHere)
}

// addFetch lets the model read the pages whose addresses are in the conversation.
func (c *converter) addFetch(*anthropicapi.Tool, *codec.Location) {
	for i := range c.Out.Tools {
		if c.Out.Tools[i].URLContext != nil {
			return
		}
	}
	c.Out.Tools = append(c.Out.Tools, geminiapi.Tool{URLContext: &geminiapi.URLContext{}})
}

// addCodeExecution lets the model run code.
func (c *converter) addCodeExecution(*anthropicapi.Tool, *codec.Location) {
	for i := range c.Out.Tools {
		if c.Out.Tools[i].CodeExecution != nil {
			return
		}
	}
	c.Out.Tools = append(c.Out.Tools, geminiapi.Tool{CodeExecution: &geminiapi.CodeExecution{}})
}
