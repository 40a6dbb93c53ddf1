package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// cachedContent already holds the instruction and the tools, so both backends refuse them in the
// request ("CachedContent can not be used with GenerateContent request setting system_instruction,
// tools or tool_config").
func (v *checker) cachedContent(root *codec.Location, r *geminiapi.GenerateContentRequest) {
	name := textOf(r.CachedContent)
	if name == "" {
		return
	}
	if !strings.HasPrefix(name, "cachedContents/") && !strings.Contains(name, "/cachedContents/") {
		v.reportMember(root, "cachedContent", ruleFormat, shortString(name),
			quote(name)+" is not a cache name; must look like cachedContents/ID")
	}
	if v.traits != nil && v.isAt(v.traits.RefusesCachedContent) {
		v.reportMember(root, "cachedContent", ruleModel, shortString(name),
			v.modelName()+" does not accept cachedContent; put the contents of the cache into the request")
	}
	const message = "must be absent, because cachedContent has its own; put it into the cache"
	if r.SystemInstruction != nil {
		v.reportMember(root, "systemInstruction", ruleExcluded, "", message)
	}
	if len(r.Tools) > 0 {
		v.reportMember(root, "tools", ruleExcluded, "", message)
	}
	if r.ToolConfig != nil {
		v.reportMember(root, "toolConfig", ruleExcluded, "", message)
	}
}
