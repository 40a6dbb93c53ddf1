package native

import "strings"

// openResources are what a key for some models may reach at the server: nothing there is answered
// by a model, or only by one that a method of models has named. Others do reach models: that of an
// interaction is in its body, and a token of the Live API is good at Google itself, past the
// gateway. An asterisk stands for an id. It is never written to.
var openResources = []string{
	"files", "files/*", "files/*:download", "files:register",
	"cachedContents", "cachedContents/*",
	"batches", "batches/*", "batches/*:cancel", "batches/*:updateGenerateContentBatch",
	"batches/*:updateEmbedContentBatch",
	"operations", "operations/*", "operations/*:cancel",
	"fileSearchStores", "fileSearchStores/*", "fileSearchStores/*:importFile",
	"fileSearchStores/*:uploadToFileSearchStore",
	"fileSearchStores/*/documents", "fileSearchStores/*/documents/*",
	"fileSearchStores/*/operations/*",
	"fileSearchStores/*/upload/operations/*",
	"generatedFiles", "generatedFiles/*", "generatedFiles/*:download",
	"generatedFiles/*/operations/*",
}

// IsOpen reports whether a key for some models may reach what the operation asks for.
func (op Operation) IsOpen() bool {
	kind, name := op.Resource()
	path := kind
	if name != "" {
		path += "/" + name
	}
	for _, pattern := range openResources {
		if matches(pattern, path) {
			return true
		}
	}
	return false
}

// matches reports whether a path is of a pattern.
func matches(pattern, path string) bool {
	for {
		wanted, moreWanted, hasMoreWanted := strings.Cut(pattern, "/")
		segment, more, hasMore := strings.Cut(path, "/")
		if hasMore != hasMoreWanted || !matchesSegment(wanted, segment) {
			return false
		}
		if !hasMore {
			return true
		}
		pattern, path = moreWanted, more
	}
}

// matchesSegment reports whether a segment is the wanted one: for "*:cancel" an id with this verb.
func matchesSegment(wanted, segment string) bool {
	verb, isID := strings.CutPrefix(wanted, "*")
	if !isID {
		return wanted == segment
	}
	id, hasVerb := strings.CutSuffix(segment, verb)
	return hasVerb && id != "" && !strings.Contains(id, ":")
}
