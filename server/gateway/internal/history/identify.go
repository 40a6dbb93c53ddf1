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

// idPrefixes are how ids of items begin, by their types.
var idPrefixes = map[openaiapi.ResponseItemType]string{
	openaiapi.ResponseItemTypeMessage:              "msg_",
	openaiapi.ResponseItemTypeReasoning:            "rs_",
	openaiapi.ResponseItemTypeFunctionCall:         "fc_",
	openaiapi.ResponseItemTypeFunctionCallOutput:   "fco_",
	openaiapi.ResponseItemTypeCustomToolCall:       "ctc_",
	openaiapi.ResponseItemTypeCustomToolCallOutput: "ctco_",
}

// Identify returns a copy of items in which each has an id and a type, and messages a list of
// parts, as clients get them back. They mean the same, but for tools that call MCP servers, which
// have nothing secret any more: it is for one request, not to be kept. An item without a type or a
// role has none of these, and stays as it is: with an id it would be a reference.
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

// completeMessage gives a message what clients may leave out.
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

// NewID returns an id that nothing else has.
func NewID(prefix string) string {
	var bits [24]byte
	_, _ = rand.Read(bits[:]) // it never fails
	return prefix + hex.EncodeToString(bits[:])
}
