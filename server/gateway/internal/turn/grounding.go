package turn

import "github.com/gemwire/gemwire/gen/geminiapi"

// MayBeGrounded reports whether a request asks for something that makes Gemini report the sources
// of its answer. Cached content may have tools too.
func MayBeGrounded(r *geminiapi.GenerateContentRequest) bool {
	if r.CachedContent != nil || len(r.Unknown) > 0 {
		return true
	}
	for i := range r.Tools {
		if mayGround(&r.Tools[i]) {
			return true
		}
	}
	return false
}

// mayGround reports whether a tool has anything but functions, code execution and computer use.
func mayGround(t *geminiapi.Tool) bool {
	return t.EnterpriseWebSearch != nil || t.ExaAiSearch != nil || t.FileSearch != nil ||
		t.GoogleMaps != nil || t.GoogleSearch != nil || t.GoogleSearchRetrieval != nil ||
		len(t.MCPServers) > 0 || t.ParallelAiSearch != nil || t.Retrieval != nil ||
		t.URLContext != nil || len(t.Unknown) > 0
}
