package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a kind of object in a script.
type object string

const (
	scriptObject     object = "a script"
	fixtureObject    object = "a fixture"
	matchObject      object = "match"
	toolResultObject object = "toolResult"
	textObject       object = "a condition for a text"
	answerObject     object = "a reply"
	blockObject      object = "a block of a reply"
	callObject       object = "call"
	dataObject       object = "data"
	faultObject      object = "fault"
)

// objects are the kinds in the order of a script.
var objects = []object{
	scriptObject, fixtureObject, matchObject, toolResultObject, textObject, answerObject,
	blockObject, callObject,
	dataObject, faultObject,
}

// members are the names that each kind of object has.
var members = map[object][]string{
	scriptObject:  {"$schema", "strict", "seed", "models", "fixtures"},
	fixtureObject: {"name", "match", "reply", "replies", "times", "unchecked"},
	matchObject: {
		"operation", "stream", "model", "prompt", "system", "turn", "tool", "toolResult",
		"responseMimeType", "signature",
		"header", "chance",
	},
	toolResultObject: {"name", "id", "content"},
	textObject:       {"exact", "contains", "regexp"},
	answerObject: {
		"blocks", "ttft", "tokensPerSecond", "jitter", "chunkTokens", "finishReason",
		"continuationToken", "usage",
	},
	blockObject: {
		"text", "json", "thought", "call", "data", "part", "grounding", "chunk", "pause", "fault",
		"signature", "candidate",
	},
	callObject: {"name", "args", "id"},
	dataObject: {"mimeType", "data"},
	faultObject: {
		"kind", "httpStatus", "status", "message", "retryDelay", "asEvent", "body", "contentType",
		"location", "bytes",
		"every",
	},
}

// unknownName describes an unknown name in an object of a script. It suggests a similar name, or
// says where the name belongs.
func unknownName(pointer string) string {
	tokens := slices.Collect(jsontext.Pointer(pointer).Tokens())
	name, here := tokens[len(tokens)-1], objectAt(tokens[:len(tokens)-1])
	reason := fmt.Sprintf("%s has no %q", here, name)
	for _, elsewhere := range objects {
		if slices.Contains(members[elsewhere], name) {
			return reason + "; it belongs in " + string(elsewhere)
		}
	}
	if meant := document.NearestName(name, members[here]); meant != "" {
		return fmt.Sprintf("%s; did you mean %q?", reason, meant)
	}
	return reason + "; expected one of " + strings.Join(members[here], ", ")
}

// objectAt returns the kind of the object at a location.
func objectAt(tokens []string) object {
	indexes := 0
	for i := len(tokens) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(tokens[i]); err != nil {
			return objectIn(tokens[i], indexes)
		}
		indexes++
	}
	return scriptObject
}

// objectIn returns the kind of the objects in a member, at a depth of nested lists.
func objectIn(name string, indexes int) object {
	switch {
	case name == "fixtures":
		return fixtureObject
	case name == "match" || name == "toolResult" || name == "call" || name == "data" ||
		name == "fault":
		return object(name)
	case name == "reply" && indexes == 0 || name == "replies" && indexes == 1:
		return answerObject
	case name == "reply" || name == "replies" || name == "blocks":
		return blockObject
	default:
		return textObject
	}
}
