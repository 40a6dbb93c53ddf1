package response

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// results are the types of items that answer a call, and calls are the types of the calls.
var (
	results = map[openaiapi.ResponseItemType]bool{
		openaiapi.ResponseItemTypeFunctionCallOutput:   true,
		openaiapi.ResponseItemTypeCustomToolCallOutput: true,
	}
	calls = map[openaiapi.ResponseItemType]bool{
		openaiapi.ResponseItemTypeFunctionCall:   true,
		openaiapi.ResponseItemTypeCustomToolCall: true,
	}
)

// checkCalls refuses a result of the request whose call is not in the conversation, which has the
// items before the request and its own. The conversation is complete, so the call does not exist,
// and OpenAI refuses it too.
func checkCalls(all, own []openaiapi.ResponseItem) error {
	known := map[string]bool{}
	for i := range all {
		if calls[all[i].Type] {
			known[all[i].CallID] = true
		}
	}
	for i := range own {
		if results[own[i].Type] && !known[own[i].CallID] {
			pointer := "/input/" + strconv.Itoa(i) + "/call_id"
			return problem.Invalid("call_not_found", pointer, pointer+
				": no tool call of the conversation has the id "+strconv.Quote(own[i].CallID))
		}
	}
	return nil
}
