// Package unknownmember finds members of requests that have no meaning, which are as likely misspelt as
// not. The gateway and the lines of batches refuse the same ones.
package unknownmember

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	responsesrequest "github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member that a request must not have.
type Member struct {
	Name  string
	Meant string // the member that may have been meant, "" for none
}

// Pointer returns where the member is, for example "/temprature".
func (m *Member) Pointer() string { return string(jsontext.Pointer("").AppendToken(m.Name)) }

// Reason returns what is wrong with the member.
func (m *Member) Reason() string {
	if m.Meant == "" {
		return "no such parameter is known"
	}
	return "no such parameter is known; did you mean " + m.Meant + "?"
}

// Of returns the member for a name, where others are known.
func Of(name string, known []string) *Member {
	return &Member{name, document.NearestName(name, known)}
}

// InChat returns an unknown member of a request for a chat completion, nil for none. OpenAI refuses
// them: what follows from one, such as that there are no messages, would mislead. Members of other
// servers of which only the form is unknown are lost instead. So are unknown members further inside, where
// clients of other servers leave many.
func InChat(in *openaiapi.CreateChatCompletionRequest) *Member {
	for _, name := range request.UnknownMembers(in) {
		if !openai.IsForeignMember(name) {
			return Of(name, chatMembers)
		}
	}
	return nil
}

// InEmbedding does the same for a request for vectors.
func InEmbedding(in *openaiapi.CreateEmbeddingRequest) *Member {
	for name, value := range jsonx.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return Of(name, embeddingMembers)
		}
	}
	return nil
}

// InResponse returns an unknown member of a request for a response that seems to mean another one: a
// misspelt one, or one under its name in chat_completions. Others are lost instead, as agents send new
// members of OpenAI's API from their first day on.
func InResponse(unknown jsontext.Value) *Member {
	for _, name := range responsesrequest.UnknownMembers(unknown) {
		meant := chatNames[name]
		if meant == "" {
			meant = document.NearestName(name, responseMembers)
		}
		if meant != "" {
			return &Member{name, meant}
		}
	}
	return nil
}

// chatNames are the members of a request for a response by their names in chat_completions. It is never written to.
var chatNames = map[string]string{
	"function_call":         "tool_choice",
	"functions":             "tools",
	"max_completion_tokens": "max_output_tokens",
	"max_tokens":            "max_output_tokens",
	"messages":              "input",
	"reasoning_effort":      "reasoning.effort",
	"response_format":       "text.format",
	"verbosity":             "text.verbosity",
}

// chatMembers are the members of a request for a chat completion, embeddingMembers those of one for vectors, responseMembers
// those of one for a response. They are never written to.
var (
	responseMembers = []string{
		"access_programs", "background", "client_metadata", "context_management", "conversation", "extra_body", "image", "include", "input", "instructions",
		"max_output_tokens", "max_tool_calls", "metadata", "model", "moderation", "parallel_tool_calls", "previous_response_id",
		"prompt", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "reasoning", "safety_identifier",
		"service_tier", "store", "stream", "stream_options", "temperature", "text", "tool_choice", "tools", "top_logprobs",
		"top_p", "truncation", "user",
	}
	chatMembers = []string{
		"audio", "enable_thinking", "extra_body", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs",
		"max_completion_tokens", "max_tokens", "messages", "metadata", "modalities", "model", "moderation", "n",
		"parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "prompt_cache_options",
		"prompt_cache_retention", "random_seed", "reasoning", "reasoning_effort", "response_format", "safety_identifier",
		"seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature", "thinking", "thinking_budget",
		"tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
	}
	embeddingMembers = []string{"dimensions", "encoding_format", "input", "model", "user"}
)
