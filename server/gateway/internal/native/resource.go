package native

import "strings"

// openResources are the resources that a key for some models may use. No model answers there, or
// only a model that a model method has named. Other resources reach models: the body of an
// interaction names its model, and a token of the Live API works at Google directly, without the
// gateway. An asterisk stands for an id. It is read-only.
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

// IsOpen reports whether a key for some models may use the operation.
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

// matches reports whether a path matches a pattern.
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

// matchesSegment reports whether a segment matches: "*:cancel" matches an id with this verb.
func matchesSegment(wanted, segment string) bool {
	verb, isID := strings.CutPrefix(wanted, "*")
	if !isID {
		return wanted == segment
	}
	id, hasVerb := strings.CutSuffix(segment, verb)
	return hasVerb && id != "" && !strings.Contains(id, ":")
}
