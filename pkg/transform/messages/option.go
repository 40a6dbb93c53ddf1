package messages

import (
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
)

// Option changes how responses are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id, model  string
	toolCallID func(responseID string, candidate, part int) string
	signedIDs  bool
	noThinking bool
	// unaskedThinking is true if the request does not mention thinking. Then thinking blocks show
	// thoughts, but no block only carries a signature.
	unaskedThinking bool
	inputTokens     int
	lossesOnly      bool
	// reusesEvents is true if the caller does not keep the events of a stream.
	reusesEvents bool

	keepsMadeIDs bool // keep made ids of calls, because the input is not from the wire

	// These values come from the request.
	tools                                   []anthropicapi.Tool
	webSearch, codeExecution, stopSequences bool
	contextEdits                            bool
}

// WithRequest sets what the client requested:
//
//   - the model, whose name the message gets;
//   - thinking: by default blocks are allowed. They are not if thinking is disabled or
//     between_tools. If thinking is not mentioned, no block only carries a signature;
//   - the tools: calls get their original names, and Anthropic's server tools get blocks;
//   - whether stop sequences are set;
//   - whether context edits are requested.
//
// Without WithRequest there are thinking blocks, and no blocks of server tools.
func WithRequest(r *anthropicapi.CreateMessageRequest) Option {
	return func(o *options) {
		if r == nil {
			return
		}
		o.model = r.Model
		o.unaskedThinking = r.Thinking == nil
		if t := r.Thinking; t != nil {
			o.noThinking = t.Type == anthropicapi.ThinkingTypeDisabled ||
				t.Type == anthropicapi.ThinkingTypeBetweenTools
		}
		o.tools = r.Tools
		for i := range r.Tools {
			o.webSearch = o.webSearch || strings.HasPrefix(r.Tools[i].Type, "web_search_2")
			o.codeExecution = o.codeExecution ||
				strings.HasPrefix(r.Tools[i].Type, "code_execution_2")
		}
		o.stopSequences, o.contextEdits = len(r.StopSequences) > 0, r.ContextManagement != nil
	}
}

// WithID sets the message's id. The default, also for "", is "msg_" and the id of the response, or
// "msg_gemini" if it has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithModelName sets the model's name in the message. It should be the name in the request: Claude
// Code drops the thoughts of a message with another name, and their signatures. The default, also
// for "", is the model of [WithRequest], then the version of the model that answered, then
// "gemini". If several options set it, the last counts.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithToolCallIDs sets the function that makes an id for a tool call that Gemini sent without one.
// Its arguments are the response's id ("" if it has none), the index of the candidate and the
// position of the part. The position counts the parts that [normalize.MergeChunks] makes, in a
// response and in a stream; both numbers count from 0. The function must return a different id for
// each call, made of letters, digits, underscores and dashes. Other characters are encoded. If it
// returns "", and by default, the id is toolu_gemini_RESPONSE_0_PART, without RESPONSE_ if the
// response has no id.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithSignaturesInIDs also puts the thought signature of a tool call into its id, for clients that
// drop thinking blocks. The ids are long, up to some kilobytes. Package request removes the
// signature from the id. If a client has shortened or changed the id, package request uses no
// signature. In a stream, an id can carry only a signature that arrives with the start of its call,
// as nearly all do. By default this is done only if thinking blocks are not allowed.
func WithSignaturesInIDs() Option {
	return func(o *options) { o.signedIDs = true }
}

// WithoutThinking omits thinking blocks. The thoughts are lost, and only call ids carry the
// signatures of calls. [WithRequest] does the same for a request that disables thinking. By default
// there are thinking blocks.
func WithoutThinking() Option {
	return func(o *options) { o.noThinking = true }
}

// WithInputTokens sets the approximate token count of the prompt. It is used at the start of a
// stream whose first chunk has no count. Clients show this count, and some clients shorten the
// conversation by it. The default is 0.
func WithInputTokens(count int) Option {
	return func(o *options) { o.inputTokens = max(count, 0) }
}

// WithLossesOnly limits the report of a [Stream] to losses, as [normalize.WithLossesOnly] does. It
// does not change the report of a whole response.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents makes a [Stream] reuse the memory of its events with each call, so that it
// produces no garbage. Events that it returned earlier then change, and so do copies of them. Use
// it if each event is written before the next call. It does not change the conversion of a whole
// response.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}
