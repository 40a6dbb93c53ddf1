package messages

import (
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
)

// Option changes how responses are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	id, model  string
	toolCallID func(responseID string, candidate, part int) string
	signedIDs  bool
	noThinking bool
	// unaskedThinking is whether the request does not say whether there may be thinking blocks:
	// then there are those of thoughts, and none that only carry a signature.
	unaskedThinking bool
	inputTokens     int
	lossesOnly      bool
	// reusesEvents is whether nobody keeps the events of a stream.
	reusesEvents bool

	keepsMadeIDs bool // of calls, as the input is not of the wire

	// What the request says.
	tools                                   []anthropicapi.Tool
	webSearch, codeExecution, stopSequences bool
	contextEdits                            bool
}

// WithRequest sets what the client asked for: the model, whose name the message gets; whether it
// takes thinking blocks, which it does unless thinking is disabled or between_tools, but where it
// does not mention thinking, none that only carry a signature; its tools, whose names calls get
// back, and which of them are Anthropic's server tools; whether it set stop sequences, and whether
// it asked for edits of its conversation. By default there are thinking blocks and no blocks of
// server tools.
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

// WithID sets the message's id. The default, and what "" stands for, is "msg_" and the response's
// own id, or "msg_gemini" where it has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithModelName sets the model's name in the message, which should be the one that the client asked
// for: Claude Code drops the thoughts, and with them the signatures, of a message with another. The
// default, and what "" stands for, is that of [WithRequest], then the version of the model that
// answered, then "gemini". Of several options that set it, the last counts.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithToolCallIDs sets the function that makes an id for a tool call that came without one, from
// the response's id ("" where it has none), the index of the candidate and the position of the part
// among those that [normalize.MergeChunks] makes, whole and streamed. Both count from 0. It must
// give another id for each, of letters, digits, underscores and dashes; other characters are
// encoded. Where it returns "", and by default for responses of the wire, the id is
// toolu_gemini_RESPONSE_0_PART, without RESPONSE_ where that has no id.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithSignaturesInIDs puts the thought signature of a tool call into its id too, for clients that
// drop thinking blocks. The ids get long, up to some kilobytes. Package request takes it out again,
// and falls back to no signature when a client has shortened or changed the id. In a stream only a
// signature that comes with the beginning of its call can be carried, as nearly all do. Default:
// only where there may be no thinking blocks.
func WithSignaturesInIDs() Option {
	return func(o *options) { o.signedIDs = true }
}

// WithoutThinking leaves out thinking blocks: the thoughts are lost, and the signatures of calls
// are in their ids alone. It is what [WithRequest] says of a request that disables thinking. By
// default they are there.
func WithoutThinking() Option {
	return func(o *options) { o.noThinking = true }
}

// WithInputTokens sets how many tokens the prompt has, about, for the beginning of a stream whose
// first chunk does not count them: clients show it, and some make room by it. The default is 0.
func WithInputTokens(count int) Option {
	return func(o *options) { o.inputTokens = max(count, 0) }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream], as
// [normalize.WithLossesOnly] does. The report of a whole response is the same with it as without.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents has a [Stream] use the memory of its events again with each call, so that it
// makes no garbage: what it returned then changes, and so do copies of it. It is for who writes the
// events before the next call. The conversion of a whole response is the same with it as without.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}
