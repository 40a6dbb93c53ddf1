package clients_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// answer is the content of a completion that a program reads, whole or streamed.
type answer struct {
	ID, Model string
	Created   int64
	Choices   []choice
	Usage     usage
}

// choice is one choice of an answer. What a client does not read is zero.
type choice struct {
	Index            int
	Content, Refusal string
	Calls            []call
	Finish           string
	Unofficial       unofficial
}

// call is a tool call.
type call struct {
	ID, Name, Arguments string
}

// usage has the counts that a completion and a stream of chunks both carry.
type usage struct {
	Prompt, Completion, Total, Cached, Reasoning int64
}

// unofficial are members of a message that OpenAI's description does not have, or not in a delta.
// Clients hand them on as raw JSON.
type unofficial struct {
	Reasoning   string           `json:"reasoning_content"`
	Annotations []any            `json:"annotations"`
	Images      []any            `json:"images"`
	Calls       []unofficialCall `json:"tool_calls"`
}

type unofficialCall struct {
	Extra any `json:"extra_content"`
}

// add appends what a delta or a whole message, as JSON, has.
func (u *unofficial) add(raw string) error {
	var more unofficial
	decoder := json.NewDecoder(strings.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&more); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	u.Reasoning += more.Reasoning
	u.Annotations = append(u.Annotations, more.Annotations...)
	u.Images = append(u.Images, more.Images...)
	for _, call := range more.Calls {
		if call.Extra != nil {
			u.Calls = append(u.Calls, call)
		}
	}
	return nil
}

// diff describes how a streamed answer differs from the whole one. It returns "" for equal answers.
func diff(whole, streamed answer) string {
	byIndex := cmpopts.SortSlices(func(a, b choice) bool { return a.Index < b.Index })
	return cmp.Diff(whole, streamed, cmpopts.EquateEmpty(), byIndex)
}
