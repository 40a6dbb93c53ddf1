package problem

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
	responsesrequest "github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/go-json-experiment/json/jsontext"
)

// UnknownChatMember refuses a member of the request that nobody knows, as OpenAI does: it is as likely misspelt as not, and
// what follows from it, such as that there are no messages, would mislead. Those of other servers whose form alone is not
// known are lost instead, and so are unknown members further inside, where clients of other servers leave many.
func UnknownChatMember(in *openaiapi.CreateChatCompletionRequest) *Problem {
	for _, name := range request.UnknownMembers(in) {
		if !openai.IsForeignMember(name) {
			return UnknownMember(name, chatMembers)
		}
	}
	return nil
}

// UnknownEmbeddingMember does the same for a request for vectors.
func UnknownEmbeddingMember(in *openaiapi.CreateEmbeddingRequest) *Problem {
	for name, value := range rawobject.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return UnknownMember(name, embeddingMembers)
		}
	}
	return nil
}

// MisnamedResponseMember refuses a member of a request for a response that nobody knows and that another one seems to be
// meant by: a misspelt one, or one under its name in chat_completions. Others are lost instead, as agents send each day what
// OpenAI's API has got the day before.
func MisnamedResponseMember(unknown jsontext.Value) *Problem {
	for _, name := range responsesrequest.UnknownMembers(unknown) {
		meant := chatNames[name]
		if meant == "" {
			meant = document.NearestName(name, responseMembers)
		}
		if meant != "" {
			return unknownMemberFor(name, meant)
		}
	}
	return nil
}

// UnknownMember is the problem of a member that there is not. It names the one that may have been meant.
func UnknownMember(name string, known []string) *Problem {
	return unknownMemberFor(name, document.NearestName(name, known))
}

// unknownMemberFor is UnknownMember where the one that may have been meant is known, "" for none.
func unknownMemberFor(name, meant string) *Problem {
	pointer := string(jsontext.Pointer("").AppendToken(name))
	message := pointer + ": no such parameter is known"
	if meant != "" {
		message += "; did you mean " + meant + "?"
	}
	return Invalid("unknown_parameter", pointer, message)
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
