package gateway

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
	"github.com/go-json-experiment/json/jsontext"
)

// unknownChatMember refuses a member of the request that nobody knows, as OpenAI does: it is as likely misspelt as not, and
// what follows from it, such as that there are no messages, would mislead. Those of other servers whose form alone is not
// known are lost instead, and so are unknown members further inside, where clients of other servers leave many.
func unknownChatMember(in *openaiapi.CreateChatCompletionRequest) *Problem {
	for _, name := range request.UnknownMembers(in) {
		if !openai.IsForeignMember(name) {
			return unknownMember(name, chatMembers)
		}
	}
	return nil
}

// unknownEmbeddingMember does the same for a request for vectors.
func unknownEmbeddingMember(in *openaiapi.CreateEmbeddingRequest) *Problem {
	for name, value := range rawobject.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return unknownMember(name, embeddingMembers)
		}
	}
	return nil
}

// unknownMember is the problem of a member that there is not. It names the one that may have been meant.
func unknownMember(name string, known []string) *Problem {
	pointer := string(jsontext.Pointer("").AppendToken(name))
	message := pointer + ": no such parameter is known"
	if meant := document.NearestName(name, known); meant != "" {
		message += "; did you mean " + meant + "?"
	}
	return invalidRequest("unknown_parameter", pointer, message)
}

// chatMembers are the members of a request for a chat completion, embeddingMembers those of one for vectors. They are never
// written to.
var (
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
