package responses

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// ToolWithoutSecrets returns a tool without the secrets for its MCP server: authorization, headers,
// and in the server's address a password and everything after the path. Tools of a namespace are
// copied in the same way. Other members are shared with the tool.
func ToolWithoutSecrets(tool openaiapi.ResponseTool) openaiapi.ResponseTool {
	tool.Authorization, tool.Headers, tool.ServerURL = "", nil, withoutSecrets(tool.ServerURL)
	tool.Tools = toolsWithoutSecrets(tool.Tools)
	return tool
}

// ItemWithoutSecrets returns an item whose tools, if any, have no secrets, see
// [ToolWithoutSecrets].
func ItemWithoutSecrets(item openaiapi.ResponseItem) openaiapi.ResponseItem {
	item.Tools = toolsWithoutSecrets(item.Tools)
	return item
}

// toolsWithoutSecrets copies tools, if there are any.
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

// withoutSecrets returns an address without the parts that may hold a password or a key. It returns
// "" for an invalid address.
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
