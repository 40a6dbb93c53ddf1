package responses

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// ToolWithoutSecrets returns a tool without what it has for the MCP server that it calls:
// authorization, headers, and in the address of the server a password and all that stands behind
// the path. Tools of a namespace are copied so, too; what else the tool has is shared.
func ToolWithoutSecrets(tool openaiapi.ResponseTool) openaiapi.ResponseTool {
	tool.Authorization, tool.Headers, tool.ServerURL = "", nil, withoutSecrets(tool.ServerURL)
	tool.Tools = toolsWithoutSecrets(tool.Tools)
	return tool
}

// ItemWithoutSecrets returns an item whose tools, if it brings any, are those of
// [ToolWithoutSecrets].
func ItemWithoutSecrets(item openaiapi.ResponseItem) openaiapi.ResponseItem {
	item.Tools = toolsWithoutSecrets(item.Tools)
	return item
}

// toolsWithoutSecrets copies tools if there are any.
func toolsWithoutSecrets(tools []openaiapi.ResponseTool) []openaiapi.ResponseTool {
	if len(tools) == 0 {
		return tools
	}
	out := slices.Clone(tools)
	for i := range out {
		out[i] = ToolWithoutSecrets(out[i])
	}
	return out
}

// withoutSecrets returns an address without what it may have of a password or a key, and nothing
// for what is none.
func withoutSecrets(address string) string {
	if !strings.ContainsAny(address, "@?#") {
		return address
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parsed.User, parsed.RawQuery, parsed.ForceQuery, parsed.Fragment = nil, "", false, ""
	return parsed.String()
}
