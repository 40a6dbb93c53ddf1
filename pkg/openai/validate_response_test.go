package openai_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/structvalidatortest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// valid returns a completion with every member that has a rule.
func valid() *openaiapi.CreateChatCompletionResponse {
	choice := openaiapi.Choice{
		FinishReason: openaiapi.FinishReasonToolCalls,
		Logprobs: &openaiapi.ChoiceLogprobs{
			Content: []openaiapi.TokenLogprob{{Bytes: []int{65},
				TopLogprobs: []openaiapi.TopLogprob{{Bytes: []int{65}}}}},
			Refusal: []openaiapi.TokenLogprob{{Bytes: []int{65}}},
		},
		Message: openaiapi.ResponseMessage{
			Role:    openaiapi.RoleAssistant,
			Content: new("灯台"),
			ToolCalls: []openaiapi.ToolCall{{
				ID: "a", Type: openaiapi.ToolTypeFunction,
				Function:     &openaiapi.FunctionCall{Name: "f", Arguments: "{}"},
				ExtraContent: &openaiapi.ExtraContent{Google: &openaiapi.GoogleExtraContent{}},
			}},
			Annotations: []openaiapi.Annotation{{
				Type: openaiapi.AnnotationTypeURLCitation,
				URLCitation: openaiapi.URLCitation{StartIndex: 0, EndIndex: 2,
					URL: "https://a.example"},
			}},
			Audio: &openaiapi.ResponseAudio{ID: "a"},
			Images: []openaiapi.ContentPart{{
				Type:     openaiapi.ContentPartTypeImageURL,
				ImageURL: &openaiapi.ImageURL{URL: wiretype.InlineMedia("image/png", "AAAA")},
				Index:    new(0),
			}},
			ExtraContent: &openaiapi.ExtraContent{Google: &openaiapi.GoogleExtraContent{
				Parts: []openaiapi.PreservedPart{{Index: new(0), Length: new(2),
					Part: &geminiapi.Part{}}},
			}},
		},
	}
	other := openaiapi.Choice{Index: 1, FinishReason: openaiapi.FinishReasonStop,
		Message: openaiapi.ResponseMessage{Role: openaiapi.RoleAssistant}}
	return &openaiapi.CreateChatCompletionResponse{
		ID: "a", Object: openaiapi.ObjectTypeChatCompletion, Model: "m",
		Choices: []openaiapi.Choice{choice, other},
		Usage: &openaiapi.CompletionUsage{
			PromptTokens: 1, CompletionTokens: 2, TotalTokens: 3,
			PromptTokensDetails: &openaiapi.PromptTokensDetails{
				CachedTokens: new(0), CacheWriteTokens: new(0), TextTokens: new(0),
				ImageTokens: new(0), AudioTokens: new(0),
			},
			CompletionTokensDetails: &openaiapi.CompletionTokensDetails{
				ReasoningTokens: new(0), TextTokens: new(0), AudioTokens: new(0),
				AcceptedPredictionTokens: new(0), RejectedPredictionTokens: new(0),
			},
		},
	}
}

func TestAValidCompletionPasses(t *testing.T) {
	t.Parallel()
	if err := openai.ValidateResponse(valid()); err != nil {
		t.Error(err)
	}
	if err := openai.ValidateResponse(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("nil gives %v", err)
	}
}

// breaks are the ways to break each rule, with the expected violation.
var breaks = map[string]func(*openaiapi.CreateChatCompletionResponse){
	"/id required":                                func(r *openaiapi.CreateChatCompletionResponse) { r.ID = "" },
	"/object eq":                                  func(r *openaiapi.CreateChatCompletionResponse) { r.Object = "list" },
	"/created gte":                                func(r *openaiapi.CreateChatCompletionResponse) { r.Created = -1 },
	"/model required":                             func(r *openaiapi.CreateChatCompletionResponse) { r.Model = "" },
	"/choices/1/index gte":                        func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[1].Index = -1 },
	"/choices/1/index unique":                     func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[1].Index = 0 },
	"/choices/0/finish_reason oneof":              func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].FinishReason = "STOP" },
	"/choices/0/finish_reason tool_calls":         func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Message.ToolCalls = nil },
	"/choices/0/message/role eq":                  func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Message.Role = "model" },
	"/choices/0/message/tool_calls/0/id required": func(r *openaiapi.CreateChatCompletionResponse) { call(r).ID = "" },
	"/choices/0/message/tool_calls/0/type oneof":  func(r *openaiapi.CreateChatCompletionResponse) { call(r).Type = "retrieval" },
	"/choices/0/message/tool_calls/0/function required_if": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).Function = nil
	},
	"/choices/0/message/tool_calls/0/custom required_if": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).Type = openaiapi.ToolTypeCustom
	},
	"/choices/0/message/tool_calls/0/custom/name required": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).Custom = &openaiapi.CustomToolCall{}
	},
	"/choices/0/message/tool_calls/0/function/name required": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).Function.Name = ""
	},
	"/choices/0/message/tool_calls/0/function/arguments json": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).Function.Arguments = "{"
	},
	"/choices/0/message/tool_calls/0/extra_content/google/parts/0/index gte": func(r *openaiapi.CreateChatCompletionResponse) {
		call(r).ExtraContent.Google.Parts = []openaiapi.PreservedPart{{Index: new(-1)}}
	},
	"/choices/0/message/function_call/name required": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Choices[0].Message.FunctionCall = &openaiapi.FunctionCall{Arguments: "{}"}
	},
	"/choices/0/message/annotations/0/type eq": func(r *openaiapi.CreateChatCompletionResponse) { annotation(r).Type = "file" },
	"/choices/0/message/annotations/0/url_citation/start_index gte": func(r *openaiapi.CreateChatCompletionResponse) {
		annotation(r).URLCitation.StartIndex = -1
	},
	"/choices/0/message/annotations/0/url_citation/end_index gtefield": func(r *openaiapi.CreateChatCompletionResponse) {
		annotation(r).URLCitation.EndIndex = -1
	},
	"/choices/0/message/annotations/0/url_citation/end_index within_content": func(r *openaiapi.CreateChatCompletionResponse) {
		annotation(r).URLCitation.EndIndex = 3
	},
	"/choices/0/message/annotations/0/url_citation/url required": func(r *openaiapi.CreateChatCompletionResponse) {
		annotation(r).URLCitation.URL = ""
	},
	"/choices/0/message/audio/id required":      func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Message.Audio.ID = "" },
	"/choices/0/message/audio/expires_at gte":   func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Message.Audio.ExpiresAt = -1 },
	"/choices/0/message/images/0/type required": func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "" },
	"/choices/0/message/images/0/index gte":     func(r *openaiapi.CreateChatCompletionResponse) { image(r).Index = new(-1) },
	"/choices/0/message/images/0/image_url required_if": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).ImageURL = nil
	},
	"/choices/0/message/images/0/image_url/url required": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).ImageURL.URL = wiretype.MediaURL{}
	},
	"/choices/0/message/images/0/text required_if":        func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "text" },
	"/choices/0/message/images/0/refusal required_if":     func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "refusal" },
	"/choices/0/message/images/0/file required_if":        func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "file" },
	"/choices/0/message/images/0/input_audio required_if": func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "input_audio" },
	"/choices/0/message/images/0/video_url required_if":   func(r *openaiapi.CreateChatCompletionResponse) { image(r).Type = "video_url" },
	"/choices/0/message/images/0/input_audio/data required": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).InputAudio = &openaiapi.InputAudio{Format: "wav"}
	},
	"/choices/0/message/images/0/input_audio/format required": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).InputAudio = &openaiapi.InputAudio{Data: "AAAA"}
	},
	"/choices/0/message/images/0/video_url/url required": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).VideoURL = &openaiapi.VideoURL{}
	},
	"/choices/0/message/images/0/prompt_cache_breakpoint/mode eq": func(r *openaiapi.CreateChatCompletionResponse) {
		image(r).PromptCacheBreakpoint = &openaiapi.PromptCacheBreakpoint{}
	},
	"/choices/0/message/extra_content/google/parts/0/index gte":  func(r *openaiapi.CreateChatCompletionResponse) { preserved(r).Index = new(-1) },
	"/choices/0/message/extra_content/google/parts/0/length gte": func(r *openaiapi.CreateChatCompletionResponse) { preserved(r).Length = new(-1) },
	"/choices/0/message/extra_content/vertex/parts/0/length gte": func(r *openaiapi.CreateChatCompletionResponse) {
		e := r.Choices[0].Message.ExtraContent
		e.Vertex = &openaiapi.GoogleExtraContent{Parts: []openaiapi.PreservedPart{{Length: new(-1)}}}
	},
	"/choices/0/logprobs/content/0/bytes/0 gte": func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Logprobs.Content[0].Bytes[0] = -1 },
	"/choices/0/logprobs/refusal/0/bytes/0 lte": func(r *openaiapi.CreateChatCompletionResponse) { r.Choices[0].Logprobs.Refusal[0].Bytes[0] = 256 },
	"/choices/0/logprobs/content/0/top_logprobs/0/bytes/0 lte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Choices[0].Logprobs.Content[0].TopLogprobs[0].Bytes[0] = 256
	},
	"/choices/0/logprobs/content/0/top_logprobs/0/bytes/0 gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Choices[0].Logprobs.Content[0].TopLogprobs[0].Bytes[0] = -1
	},
	"/usage/prompt_tokens gte":     func(r *openaiapi.CreateChatCompletionResponse) { r.Usage.PromptTokens = -1 },
	"/usage/completion_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) { r.Usage.CompletionTokens = -1 },
	"/usage/total_tokens gte":      func(r *openaiapi.CreateChatCompletionResponse) { r.Usage.TotalTokens = -1 },
	"/usage/total_tokens sum":      func(r *openaiapi.CreateChatCompletionResponse) { r.Usage.TotalTokens = 4 },
	"/usage/prompt_tokens_details/cached_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.PromptTokensDetails.CachedTokens = new(-1)
	},
	"/usage/prompt_tokens_details/cache_write_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.PromptTokensDetails.CacheWriteTokens = new(-1)
	},
	"/usage/prompt_tokens_details/text_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.PromptTokensDetails.TextTokens = new(-1)
	},
	"/usage/prompt_tokens_details/image_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.PromptTokensDetails.ImageTokens = new(-1)
	},
	"/usage/prompt_tokens_details/audio_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.PromptTokensDetails.AudioTokens = new(-1)
	},
	"/usage/completion_tokens_details/reasoning_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.CompletionTokensDetails.ReasoningTokens = new(-1)
	},
	"/usage/completion_tokens_details/text_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.CompletionTokensDetails.TextTokens = new(-1)
	},
	"/usage/completion_tokens_details/audio_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.CompletionTokensDetails.AudioTokens = new(-1)
	},
	"/usage/completion_tokens_details/accepted_prediction_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.CompletionTokensDetails.AcceptedPredictionTokens = new(-1)
	},
	"/usage/completion_tokens_details/rejected_prediction_tokens gte": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Usage.CompletionTokensDetails.RejectedPredictionTokens = new(-1)
	},
	"/moderation/input/type oneof": func(r *openaiapi.CreateChatCompletionResponse) { r.Moderation = &openaiapi.Moderation{} },
	"/moderation/output/type oneof": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Moderation = &openaiapi.Moderation{Input: openaiapi.ModerationOutcome{Type: openaiapi.ModerationOutcomeTypeError}}
	},
	"/moderation/input/results/0/type eq": func(r *openaiapi.CreateChatCompletionResponse) {
		r.Moderation = &openaiapi.Moderation{Input: openaiapi.ModerationOutcome{Results: []openaiapi.ModerationResult{{}}}}
	},
}

func call(r *openaiapi.CreateChatCompletionResponse) *openaiapi.ToolCall {
	return &r.Choices[0].Message.ToolCalls[0]
}

func annotation(r *openaiapi.CreateChatCompletionResponse) *openaiapi.Annotation {
	return &r.Choices[0].Message.Annotations[0]
}

func image(r *openaiapi.CreateChatCompletionResponse) *openaiapi.ContentPart {
	return &r.Choices[0].Message.Images[0]
}

func preserved(r *openaiapi.CreateChatCompletionResponse) *openaiapi.PreservedPart {
	return &r.Choices[0].Message.ExtraContent.Google.Parts[0]
}

func TestEveryBrokenRuleIsFound(t *testing.T) {
	t.Parallel()
	for want, breakIt := range breaks {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := valid()
			breakIt(r)
			err := openai.ValidateResponse(r)
			e, ok := errors.AsType[*validation.Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			var got []string
			for _, v := range e.Violations {
				got = append(got, v.Pointer+" "+v.Rule)
			}
			if !slices.Contains(got, want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestTheQuickChecksAgreeWithValidator(t *testing.T) {
	t.Parallel()
	structvalidatortest.SameVerdict(t, validOfAllTypes, openai.IsValidResponse, openai.ByValidator)
	structvalidatortest.SameVerdict(t, validChunk, openai.IsValidChunk, openai.ByValidator)
}

// validOfAllTypes returns a completion with a value of each type that has a rule.
func validOfAllTypes() *openaiapi.CreateChatCompletionResponse {
	r := valid()
	result := openaiapi.ModerationOutcome{
		Type:    "moderation_results",
		Results: []openaiapi.ModerationResult{{Type: "moderation_result"}},
	}
	r.Moderation = &openaiapi.Moderation{Input: result, Output: result}
	message := &r.Choices[0].Message
	message.ToolCalls = append(message.ToolCalls, openaiapi.ToolCall{
		ID: "b", Type: openaiapi.ToolTypeCustom, Custom: &openaiapi.CustomToolCall{Name: "c"},
	})
	message.Images = append(message.Images,
		openaiapi.ContentPart{Type: openaiapi.ContentPartTypeText, Text: new("a"),
			PromptCacheBreakpoint: &openaiapi.PromptCacheBreakpoint{
				Mode: openaiapi.PromptCacheBreakpointModeExplicit,
			}},
		openaiapi.ContentPart{Type: openaiapi.ContentPartTypeRefusal, Refusal: new("a")},
		openaiapi.ContentPart{Type: openaiapi.ContentPartTypeFile, File: &openaiapi.InputFile{}},
		openaiapi.ContentPart{Type: openaiapi.ContentPartTypeInputAudio,
			InputAudio: &openaiapi.InputAudio{Data: "AA==", Format: "wav"}},
		openaiapi.ContentPart{Type: openaiapi.ContentPartTypeVideoURL,
			VideoURL: &openaiapi.VideoURL{URL: "https://a.example"}},
	)
	return r
}

// validChunk returns a chunk with the content of the completion.
func validChunk() *openaiapi.CreateChatCompletionStreamResponse {
	r := validOfAllTypes()
	message := r.Choices[0].Message
	return &openaiapi.CreateChatCompletionStreamResponse{
		ID: "a", Object: openaiapi.ObjectTypeChatCompletionChunk, Model: "m", Usage: r.Usage,
		Moderation:   r.Moderation,
		ExtraContent: message.ExtraContent,
		Choices: []openaiapi.ChunkChoice{{
			FinishReason: new(openaiapi.FinishReasonStop),
			Logprobs:     r.Choices[0].Logprobs,
			Delta: openaiapi.Delta{
				Role: new(openaiapi.RoleAssistant), Annotations: message.Annotations,
				Images: message.Images, ExtraContent: message.ExtraContent,
				ToolCalls: []openaiapi.ToolCallChunk{{Type: new(openaiapi.ToolTypeFunction),
					ExtraContent: message.ToolCalls[0].ExtraContent}},
			},
		}},
	}
}

func TestEveryListOfACompletionIsValidated(t *testing.T) {
	t.Parallel()
	structvalidatortest.EveryListDives(t, openaiapi.CreateChatCompletionResponse{})
}
