package openai

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// sequence checks that the chunks of a stream belong together. The zero value is ready to use.
type sequence struct {
	count     int
	id, model string
	choices   map[int]*streamedChoice
	found     []validation.Violation // in the current chunk
	ended     []validation.Violation // about earlier chunks, with pointers into the stream
}

// streamedChoice has the content of earlier chunks for a choice.
type streamedChoice struct {
	finished bool
	calls    map[int]*streamedCall // calls by index
	// the number, from 1, of the last chunk with this choice, and the index there
	last, at int
}

// streamedCall has the content of earlier chunks for a call.
type streamedCall struct {
	id, name  string
	arguments []byte
	at        string // the location of its last piece in the stream
}

// push checks a chunk against earlier chunks. Pointers are into the chunk. Azure sends a first
// chunk without id, model and choices.
func (s *sequence) push(c *openaiapi.CreateChatCompletionStreamResponse) error {
	s.found = nil
	for _, member := range []struct {
		name  string
		first *string
		value string
	}{{"id", &s.id, c.ID}, {"model", &s.model, c.Model}} {
		switch {
		case *member.first == "":
			*member.first = member.value
		case member.value != "" && member.value != *member.first:
			s.report("/"+member.name, "identity",
				fmt.Sprintf("must be %q, as in earlier chunks", *member.first))
		}
	}
	for i := range c.Choices {
		s.choice("/choices/"+strconv.Itoa(i), i, &c.Choices[i])
	}
	s.count++
	if s.found == nil {
		return nil
	}
	return &validation.Error{Prefix: "openai", Violations: s.found}
}

func (s *sequence) report(pointer, rule, want string) {
	s.found = append(s.found, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

// choice checks a choice against its earlier chunks.
func (s *sequence) choice(at string, place int, c *openaiapi.ChunkChoice) {
	so := s.choices[c.Index]
	if so == nil {
		if s.choices == nil {
			s.choices = map[int]*streamedChoice{}
		}
		so = &streamedChoice{calls: map[int]*streamedCall{}}
		s.choices[c.Index] = so
	}
	s.found = append(s.found, checkLogprobs(at+"/logprobs", c.Logprobs)...)
	if so.last == s.count+1 {
		s.report(at+"/index", "unique",
			"must differ from the index of any earlier choice in the chunk")
	}
	if so.finished && (jsonx.Deref(c.Delta.Content) != "" || jsonx.Deref(c.Delta.Refusal) != "" ||
		len(c.Delta.ToolCalls) > 0 || c.FinishReason != nil) {
		s.report(at, "order", "must not follow the finish_reason of its choice")
	}
	so.last, so.at = s.count+1, place
	for i := range c.Delta.ToolCalls {
		s.call(at+"/delta/tool_calls/"+strconv.Itoa(i), so, &c.Delta.ToolCalls[i])
	}
	if c.FinishReason != nil {
		so.finished = true
		if *c.FinishReason != openaiapi.FinishReasonLength {
			s.arguments(so)
		}
		if *c.FinishReason == openaiapi.FinishReasonToolCalls && len(so.calls) == 0 {
			s.report(at+"/finish_reason", "tool_calls",
				"must not be tool_calls, because there is no call")
		}
	}
}

// call checks a piece of a call against earlier pieces. A call begins with an id and a name, which
// do not change.
func (s *sequence) call(at string, so *streamedChoice, piece *openaiapi.ToolCallChunk) {
	function := jsonx.Deref(piece.Function)
	call := so.calls[piece.Index]
	if call == nil {
		call = &streamedCall{id: jsonx.Deref(piece.ID), name: jsonx.Deref(function.Name)}
		if call.id == "" {
			s.report(at+"/id", "required", "must be set where a call begins")
		}
		for _, other := range so.calls {
			if other.id == call.id && call.id != "" {
				s.report(at+"/id", "unique", "must differ from the id of any earlier call")
			}
		}
		if piece.Function != nil && call.name == "" {
			s.report(at+"/function/name", "required", "must be set where a call begins")
		}
		if piece.Index > len(so.calls) {
			s.report(at+"/index", "order",
				fmt.Sprintf("must be %d, the number of earlier calls", len(so.calls)))
		}
		so.calls[piece.Index] = call
	} else {
		s.same(at+"/id", call.id, jsonx.Deref(piece.ID))
		s.same(at+"/function/name", call.name, jsonx.Deref(function.Name))
	}
	call.arguments = append(call.arguments, jsonx.Deref(function.Arguments)...)
	call.at = "/" + strconv.Itoa(s.count) + at
}

// same checks that a repeated member has not changed.
func (s *sequence) same(pointer, first, now string) {
	if now != "" && first != "" && now != first {
		s.report(pointer, "identity", fmt.Sprintf("must be %q, as at the beginning of the call", first))
	}
}

// arguments checks that the joined arguments of each call are JSON, if the choice ended without
// being cut.
func (s *sequence) arguments(so *streamedChoice) {
	for _, index := range slices.Sorted(maps.Keys(so.calls)) {
		call := so.calls[index]
		if len(call.arguments) > 0 &&
			!jsontext.Value(call.arguments).IsValid(jsontext.AllowDuplicateNames(true)) {
			s.ended = append(s.ended, validation.Violation{
				Pointer: call.at + "/function/arguments", Rule: "json",
				Want: "must complete the JSON of the earlier pieces",
			})
		}
	}
}

// close reports what is missing at the end of the stream.
func (s *sequence) close() []validation.Violation {
	s.found = s.ended
	if len(s.choices) == 0 {
		s.report("", "required", "must hold a choice")
	}
	for chunk := range s.count { // in the order of the stream
		for _, c := range s.choices {
			if c.last == chunk+1 && !c.finished {
				s.report("/"+strconv.Itoa(chunk)+"/choices/"+strconv.Itoa(c.at)+"/finish_reason",
					"required", "must say why the choice ended")
			}
		}
	}
	return s.found
}
