package history

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// idPrefixes are the id prefixes of items by their types.
var idPrefixes = map[openaiapi.ResponseItemType]string{
	openaiapi.ResponseItemTypeMessage:              "msg_",
	openaiapi.ResponseItemTypeReasoning:            "rs_",
	openaiapi.ResponseItemTypeFunctionCall:         "fc_",
	openaiapi.ResponseItemTypeFunctionCallOutput:   "fco_",
	openaiapi.ResponseItemTypeCustomToolCall:       "ctc_",
	openaiapi.ResponseItemTypeCustomToolCallOutput: "ctco_",
}

// Identify returns a copy of items in the form that clients receive. Each item has an id and a
// type, and each message is a list of parts. The meaning stays the same, except for tools that call
// MCP servers: Identify removes their secrets, which are for one request and must not be stored. An
// item without a type or a role stays unchanged, because with an id it would be a reference.
func Identify(items []openaiapi.ResponseItem) []openaiapi.ResponseItem {
	out := slices.Clone(items)
	for i := range out {
		out[i] = responses.ItemWithoutSecrets(out[i])
		item := &out[i]
		if item.Type == "" && item.Role != "" {
			item.Type = openaiapi.ResponseItemTypeMessage
		}
		if item.Type == "" {
			continue
		}
		if item.ID == "" || len(item.ID) > responsestore.MaxIDSize {
			item.ID = NewID(cmp.Or(idPrefixes[item.Type], "item_"))
		}
		if item.Type == openaiapi.ResponseItemTypeMessage {
			completeMessage(item)
		}
	}
	return out
}

// completeMessage adds the members of a message that clients may omit.
func completeMessage(item *openaiapi.ResponseItem) {
	item.Status = cmp.Or(item.Status, openaiapi.ResponseItemStatusCompleted)
	text, isText := item.Content.AsString()
	if !isText {
		return
	}
	kind := openaiapi.ResponseContentTypeInputText
	if item.Role == openaiapi.ResponseRoleAssistant {
		kind = openaiapi.ResponseContentTypeOutputText
	}
	item.Content = wiretype.ValueOf([]openaiapi.ResponseContentPart{{Type: kind, Text: &text}})
}

// NewID returns a unique id.
func NewID(prefix string) string {
	var bits [24]byte
	_, _ = rand.Read(bits[:]) // it never fails
	return prefix + hex.EncodeToString(bits[:])
}
