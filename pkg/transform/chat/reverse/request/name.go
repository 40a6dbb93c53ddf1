package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// OriginalNames returns the function names that [FromGemini] with [WithoutExtensions] replaces, by
// the names that it sends. It returns nil if no name is replaced. The answer to the request calls
// functions by the sent names.
func OriginalNames(in *geminiapi.GenerateContentRequest) map[string]string {
	var out map[string]string
	for name := range functionNames(in) {
		if sent := sentName(name); sent != name {
			if out == nil {
				out = map[string]string{}
			}
			out[sent] = name
		}
	}
	return out
}

// setNames decides which function names are sent. A server that reads the extensions accepts
// Gemini's names.
func (c *converter) setNames() error {
	if !c.plain {
		return nil
	}
	for sent, name := range OriginalNames(c.in) {
		if c.sent == nil {
			c.sent = map[string]string{}
		}
		c.sent[name] = sent
	}
	return nil
}

// nameOf returns the name of a function as it is sent. It reports a name that is replaced.
func (c *converter) nameOf(name, pointer string) string {
	sent, replaced := c.sent[name]
	if !replaced {
		return name
	}
	c.report.Add(report.Approximated, pointer,
		"replaced, because OpenAI accepts only names of 1 to 64 letters, digits, underscores and dashes")
	return sent
}

// functionNames returns the names of all functions that a request declares or calls.
func functionNames(in *geminiapi.GenerateContentRequest) map[string]bool {
	out := map[string]bool{}
	for i := range in.Tools {
		for j := range in.Tools[i].FunctionDeclarations {
			out[jsonx.Deref(in.Tools[i].FunctionDeclarations[j].Name)] = true
		}
	}
	for i := range in.Contents {
		for j := range in.Contents[i].Parts {
			if call := in.Contents[i].Parts[j].FunctionCall; call != nil {
				out[jsonx.Deref(call.Name)] = true
			}
		}
	}
	delete(out, "")
	return out
}

// longestName is OpenAI's limit for the length of function names and call ids.
const longestName = 64

// sentName returns a name that OpenAI accepts. A changed name ends in a checksum of the whole name,
// so that different names stay different.
func sentName(name string) string {
	allowed := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		default:
			return '_'
		}
	}, name)
	if allowed == name && len(name) <= longestName {
		return name
	}
	sum := "_" + callid.Checksum(name)
	return allowed[:min(len(allowed), longestName-len(sum))] + sum
}
