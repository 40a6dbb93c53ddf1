package turn

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// The hints for a model whose last answer could not be used.
const (
	hintCall  = "Your last answer was discarded, because its function call was malformed. Call a declared function with arguments that are valid JSON, or answer in text."
	hintEmpty = "Your last answer was empty and was discarded. Continue with a function call or with text."
	hintText  = "Your last answer was discarded, because it was empty or a function call. Answer in text, and call no function."
)

// AddHint tells the model why its last answer could not be used. It does nothing if the system
// instruction is in cached content, because a request must not have both.
func AddHint(request *geminiapi.GenerateContentRequest, isCall bool) {
	if isCall {
		addHint(request, hintCall)
	} else {
		addHint(request, hintEmpty)
	}
}

// AddTextHint tells the model that only a text can be used. Otherwise it does what [AddHint] does.
func AddTextHint(request *geminiapi.GenerateContentRequest) { addHint(request, hintText) }

func addHint(request *geminiapi.GenerateContentRequest, hint string) {
	if request.CachedContent != nil {
		return
	}
	var content geminiapi.Content
	if request.SystemInstruction != nil {
		content = *request.SystemInstruction
	}
	content.Parts = append(slices.Clip(content.Parts), geminiapi.Part{Text: &hint})
	request.SystemInstruction = &content
}

// RequireCall requires a function call if the request declares functions and lets the model choose.
func RequireCall(request *geminiapi.GenerateContentRequest) {
	if request.CachedContent != nil || !slices.ContainsFunc(request.Tools,
		func(t geminiapi.Tool) bool { return len(t.FunctionDeclarations) > 0 }) {
		return
	}
	var config geminiapi.ToolConfig
	if request.ToolConfig != nil {
		config = *request.ToolConfig
	}
	var calling geminiapi.FunctionCallingConfig
	if config.FunctionCallingConfig != nil {
		calling = *config.FunctionCallingConfig
	}
	switch jsonx.Deref(calling.Mode) {
	case "", "MODE_UNSPECIFIED", geminiapi.FunctionCallingModeAuto:
	default:
		return
	}
	calling.Mode = new(geminiapi.FunctionCallingModeAny)
	config.FunctionCallingConfig = &calling
	request.ToolConfig = &config
}
