package compaction

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
)

func isMessage(item *openaiapi.ResponseItem) bool {
	return item.Type == openaiapi.ResponseItemTypeMessage || item.Type == "" && item.Role != ""
}

// isUsers reports whether an item is a message of the user. A summary is not.
func isUsers(item *Item) bool {
	return item.summary == nil && isMessage(&item.ResponseItem) &&
		item.Role == openaiapi.ResponseRoleUser
}

// isInstruction reports whether an item says how to answer: a message of system or developer, or an
// item that declares tools or changes settings.
func isInstruction(item *openaiapi.ResponseItem) bool {
	switch item.Type {
	case openaiapi.ResponseItemTypeAdditionalTools, openaiapi.ResponseItemTypeConfigurationUpdate:
		return true
	}
	return isMessage(item) && (item.Role == openaiapi.ResponseRoleSystem ||
		item.Role == openaiapi.ResponseRoleDeveloper)
}

// isResult reports whether an item is the result of a call.
func isResult(item *openaiapi.ResponseItem) bool {
	return strings.HasSuffix(string(item.Type), "_output")
}

// isCall reports whether an item is a call that the client answers.
func isCall(item *openaiapi.ResponseItem) bool {
	return strings.HasSuffix(string(item.Type), "_call") && item.CallID != ""
}

// isModels reports whether an item belongs to the model.
func isModels(item *Item) bool {
	return item.summary == nil && !isUsers(item) && !isInstruction(&item.ResponseItem) &&
		!isResult(&item.ResponseItem)
}

// keyOf returns a text that two items share if they say the same. Ids and statuses do not count,
// and a text counts as much as a list with the text.
func keyOf(item *openaiapi.ResponseItem) string {
	if isMessage(item) {
		key := string(item.Role)
		if text, isText := item.Content.AsString(); isText {
			return key + "\n" + text
		}
		parts, _ := item.Content.AsValue()
		for i := range parts {
			key += "\n"
			if parts[i].Text != nil {
				key += *parts[i].Text
				continue
			}
			text, _ := json.Marshal(&parts[i], jsonx.Canonical) // a decoded part can be encoded
			key += string(text)
		}
		return key
	}
	same := *item
	same.ID, same.Status = "", ""
	text, _ := json.Marshal(&same, jsonx.Canonical)
	return string(text)
}
