package gateway

import "github.com/gemwire/gemwire/server/gateway/internal/turn/chat"

// ChatReasoning says which clients of chat_completions get the thoughts of the model, in
// reasoning_content, although their requests do not ask for thoughts.
type ChatReasoning string

// The values of [ChatReasoning].
const (
	// ChatReasoningAuto shows thoughts to clients that are known to display them, if they request a
	// reasoning effort. It is the default.
	ChatReasoningAuto = ChatReasoning(chat.ThoughtsAuto)
	// ChatReasoningAlways shows thoughts to all clients.
	ChatReasoningAlways = ChatReasoning(chat.ThoughtsAlways)
	// ChatReasoningNever shows thoughts only to clients that ask for them.
	ChatReasoningNever = ChatReasoning(chat.ThoughtsNever)
)

func (r ChatReasoning) valid() bool {
	switch r {
	case "", ChatReasoningAuto, ChatReasoningAlways, ChatReasoningNever:
		return true
	}
	return false
}

// WithChatReasoning sets which clients of chat_completions get the thoughts of the model, in
// reasoning_content. The default is [ChatReasoningAuto]. A request that says whether it wants
// thoughts, such as by include_thoughts or reasoning, gets what it says.
func WithChatReasoning(which ChatReasoning) Option {
	return func(s *settings) { s.chatReasoning = which }
}
