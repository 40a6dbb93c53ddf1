package aisdk

import (
	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// openInput is the function call whose input is incomplete. The zero value is no call.
type openInput struct {
	id      string // in the parts
	renamed string // Gemini's id, if another call has it
	open    bool
	live    bool // its parts are sent at once
}

// callStart starts the input of a function call. It ends the open block first, so that text after
// the call does not move before it.
func (s *Stream) callStart(e *normalize.Event) {
	s.closeBlock()
	if s.waiting.open >= maxWaiting {
		s.release()
	}
	if !e.MadeID { // otherwise the report of the events has it
		s.reportCallID(normalize.BlockToolCall, e.ToolCallID)
	}
	s.input = openInput{id: s.ids.take(e.ToolCallID), open: true}
	m := callMetadata(e)
	if s.input.id != e.ToolCallID {
		s.input.renamed = e.ToolCallID
		m.ToolCallID = e.ToolCallID
	}
	s.addInput(aisdkapi.ToolInputStart{ID: s.input.id, ToolName: e.ToolName,
		ProviderMetadata: m.provider()})
}

func (s *Stream) callDelta(e *normalize.Event) {
	s.addInput(aisdkapi.ToolInputDelta{ID: s.input.id, Delta: e.ArgumentsDelta})
}

// addInput adds a part of the input of the open call.
func (s *Stream) addInput(p aisdkapi.Part) {
	if s.input.live {
		s.send(p)
	} else {
		s.hold(p)
	}
}

// callDone ends the input of a function call. A call with incomplete arguments must not be run, so
// it gets no tool-call.
func (s *Stream) callDone(e *normalize.Event) {
	m := callMetadata(e)
	m.ToolCallID = s.input.renamed
	end := aisdkapi.ToolInputEnd{ID: s.input.id}
	if e.Incomplete {
		m.Incomplete = true
		end.ProviderMetadata = m.provider()
	}
	s.addInput(end)
	id := s.input.id
	s.input = openInput{}
	if e.Incomplete {
		s.settle()
		return
	}
	made := call{id: id, tool: e.ToolName}
	if !e.MadeID {
		made.wireID = e.ToolCallID
	}
	s.client.add(made)
	s.unanswered++
	s.holdCall(aisdkapi.ToolCall{
		ToolCallID:       id,
		ToolName:         e.ToolName,
		Input:            string(e.Arguments),
		ProviderMetadata: m.provider(),
	})
}

// toolResult emits the result of a function call that the server has run. Results of the client are
// only in requests.
func (s *Stream) toolResult(b *normalize.Block) {
	result := b.ToolResult
	of := s.answered(&s.client, call{wireID: result.ToolCallID, tool: result.Name}, b,
		partMetadata{})
	m := blockMetadata(b)
	m.ToolCallID = resultID(of, result.ToolCallID)
	out := aisdkapi.ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           orEmptyObject(result.Content),
		ProviderMetadata: m.provider(),
	}
	if result.IsError {
		out.IsError = new(true)
	}
	if of.server {
		out.Dynamic = new(true)
	}
	s.add(out)
	s.settle()
}
