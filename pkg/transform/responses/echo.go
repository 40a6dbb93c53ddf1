package responses

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// head holds the values that a response has from its start.
type head struct {
	id, model string
	created   int64
}

// defaults is a response with the values of the members that the request may omit, in one
// allocation.
type defaults struct {
	response          openaiapi.Response
	background, store bool
	temperature, topP float64
	// OpenAI's server returns 0 for both penalties; its requests have no members for them.
	noPenalty   float64
	topLogprobs int
	tier        openaiapi.ResponseServiceTier
	truncation  openaiapi.ResponseTruncation
	verbosity   openaiapi.Verbosity
	format      openaiapi.ResponseTextFormat
	reasoning   openaiapi.ResponseReasoning
}

// begun returns a response without output, with the settings of the request or OpenAI's defaults.
func (o *options) begun(h *head) *openaiapi.Response {
	d := &defaults{
		store: o.stored, temperature: 1, topP: 1, tier: openaiapi.ResponseServiceTierAuto,
		truncation: openaiapi.ResponseTruncationDisabled, verbosity: openaiapi.VerbosityMedium,
		format: openaiapi.ResponseTextFormat{Type: openaiapi.ResponseFormatTypeText},
	}
	d.response = openaiapi.Response{
		ID:                h.id,
		Object:            openaiapi.ObjectTypeResponse,
		CreatedAt:         float64(h.created),
		Status:            openaiapi.ResponseStatusInProgress,
		Background:        &d.background,
		FrequencyPenalty:  &d.noPenalty,
		Model:             h.model,
		Output:            []openaiapi.ResponseItem{},
		ParallelToolCalls: true,
		PresencePenalty:   &d.noPenalty,
		Reasoning:         &d.reasoning,
		ServiceTier:       &d.tier,
		Store:             &d.store,
		Temperature:       &d.temperature,
		Text:              openaiapi.ResponseText{Format: &d.format, Verbosity: &d.verbosity},
		ToolChoice:        wiretype.StringOf[openaiapi.ResponseToolChoice](string(openaiapi.ToolChoiceModeAuto)),
		Tools:             []openaiapi.ResponseTool{},
		TopLogprobs:       &d.topLogprobs,
		TopP:              &d.topP,
		Truncation:        &d.truncation,
	}
	if o.request != nil {
		repeat(&d.response, o.request)
		d.store = o.stored && *cmp.Or(o.request.Store, new(true))
	}
	return &d.response
}

// repeat sets the members that a response repeats from its request.
func repeat(out *openaiapi.Response, in *openaiapi.CreateResponseRequest) {
	repeatSettings(out, in)
	if text, ok := in.Conversation.AsString(); ok {
		out.Conversation = &openaiapi.ResponseConversation{ID: text}
	} else if conversation, ok := in.Conversation.AsValue(); ok {
		out.Conversation = &conversation
	}
	if in.Instructions != nil {
		out.Instructions = wiretype.StringOf[[]openaiapi.ResponseItem](*in.Instructions)
	}
	if in.Reasoning != nil {
		out.Reasoning = repeatedReasoning(in.Reasoning)
	}
	if in.Text != nil {
		repeatText(&out.Text, in.Text)
	}
	if mode, _ := in.ToolChoice.AsString(); openaiapi.ToolChoiceMode(mode).Valid() {
		out.ToolChoice = in.ToolChoice
	} else if choice, isChoice := in.ToolChoice.AsValue(); isChoice && choice.Type.Valid() {
		out.ToolChoice = in.ToolChoice
	}
	if len(in.Tools) > 0 {
		out.Tools = repeatedTools(in.Tools)
	}
	if in.Metadata != nil {
		out.Metadata = in.Metadata
	}
}

// repeatSettings sets the plain members.
func repeatSettings(out *openaiapi.Response, in *openaiapi.CreateResponseRequest) {
	out.Background = cmp.Or(in.Background, out.Background)
	out.MaxOutputTokens = in.MaxOutputTokens
	out.MaxToolCalls = in.MaxToolCalls
	out.ParallelToolCalls = *cmp.Or(in.ParallelToolCalls, new(true))
	out.PreviousResponseID = in.PreviousResponseID
	out.Prompt = in.Prompt
	out.PromptCacheKey = in.PromptCacheKey
	out.PromptCacheOptions = in.PromptCacheOptions
	out.PromptCacheRetention = in.PromptCacheRetention
	out.SafetyIdentifier = in.SafetyIdentifier
	out.Temperature = cmp.Or(in.Temperature, out.Temperature)
	out.TopLogprobs = cmp.Or(in.TopLogprobs, out.TopLogprobs)
	out.TopP = cmp.Or(in.TopP, out.TopP)
	if in.Truncation != nil && in.Truncation.Valid() {
		out.Truncation = in.Truncation
	}
	out.User = in.User
}

// repeatedReasoning returns the reasoning settings of a request without unknown values. These have
// no effect, and clients do not know them either.
func repeatedReasoning(in *openaiapi.ResponseReasoning) *openaiapi.ResponseReasoning {
	out := *in
	if out.Effort != nil && !out.Effort.Valid() {
		out.Effort = nil
	}
	if out.Summary != nil && !out.Summary.Valid() {
		out.Summary = nil
	}
	if !out.GenerateSummary.Valid() {
		out.GenerateSummary = ""
	}
	return &out
}

func repeatText(out, in *openaiapi.ResponseText) {
	if in.Verbosity != nil && in.Verbosity.Valid() {
		out.Verbosity = in.Verbosity
	}
	if in.Format == nil {
		return
	}
	format := *in.Format
	if nested := format.JSONSchema; nested != nil { // the form of chat completions
		format.Name, format.Description, format.Schema, format.Strict = nested.Name,
			nested.Description, nested.Schema, nested.Strict
		format.JSONSchema = nil
	}
	if format.Type == openaiapi.ResponseFormatTypeJSONSchema &&
		format.Schema.Kind() != jsontext.KindBeginObject {
		format.Schema = emptyObject // allows the same values
	}
	out.Format = &format
}

// repeatedTools returns the tools of a request as a response shows them. A function has all members
// that OpenAI's description requires. An MCP server has no secrets.
func repeatedTools(in []openaiapi.ResponseTool) []openaiapi.ResponseTool {
	out := make([]openaiapi.ResponseTool, len(in))
	for i := range in {
		tool := responses.ToolWithoutSecrets(in[i])
		if nested := tool.Function; nested != nil { // the form of chat completions
			tool.Name, tool.Description, tool.Parameters, tool.Strict = nested.Name,
				nested.Description, nested.Parameters, nested.Strict
			tool.Function = nil
		}
		tool.Type = cmp.Or(tool.Type, openaiapi.ResponseToolTypeFunction)
		if tool.Type == openaiapi.ResponseToolTypeFunction {
			tool.Strict = cmp.Or(tool.Strict, new(false))
			if tool.Parameters == nil {
				tool.Parameters = null
			}
		}
		out[i] = tool
	}
	return out
}

// null is never modified.
var null = jsontext.Value("null")
