package request

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/wire"
	"github.com/gemwire/gemwire/pkg/validation"
)

// refused makes the error for a converted request that Gemini would refuse, with the places in the OpenAI request
// that its faults come from.
func (c *converter) refused(err error) error {
	const problem = "Gemini would refuse the converted request"
	refusal, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return &Error{Problem: problem, Err: err}
	}
	inRequest := &validation.Error{Prefix: problem, Violations: slices.Clone(refusal.Violations)}
	for i := range inRequest.Violations {
		v := &inRequest.Violations[i]
		v.Pointer = c.originOf(v.Pointer)
	}
	if first := inRequest.Violations[0]; len(inRequest.Violations) == 1 {
		return &Error{Pointer: first.Pointer, Problem: problem + ": " + first.Reason(), Err: inRequest}
	}
	return &Error{Problem: inRequest.Error(), Err: inRequest}
}

// originOf returns the pointer into the OpenAI request of what a value of the converted one was made of, the nearest
// that is known; "" for the whole request.
func (c *converter) originOf(converted string) string {
	tokens := strings.Split(converted, "/")[1:]
	switch {
	case converted == "":
		return ""
	case tokens[0] == "contents" && len(tokens) > 1:
		return c.messageOrigin(tokens[1])
	case tokens[0] == "contents", tokens[0] == "systemInstruction":
		return "/messages"
	case tokens[0] == "tools":
		return c.toolOrigin(tokens)
	case tokens[0] == "generationConfig" && len(tokens) > 1:
		return c.settingOrigin(tokens[1], tokens[2:])
	default:
		return c.settingOrigin(tokens[0], tokens[1:])
	}
}

// messageOrigin returns the pointer of the first message of a turn.
func (c *converter) messageOrigin(turn string) string {
	i, err := strconv.Atoi(turn)
	if err != nil || i >= len(c.messages) {
		return "/messages"
	}
	return "/messages/" + strconv.Itoa(c.messages[i])
}

// toolOrigin returns the pointer of the function that a declaration was made of, or of what extra_body has.
func (c *converter) toolOrigin(tokens []string) string {
	var root wire.Location
	at := root.Member("tools")
	if declaration := c.declaration(tokens); declaration != "" {
		for i := range c.in.Tools {
			tool := at.Element(i)
			if function := c.in.Tools[i].Function; function != nil && function.Name == declaration {
				return tool.Pointer() + "/function"
			}
		}
		functions := root.Member("functions")
		for i := range c.in.Functions {
			if c.in.Functions[i].Name == declaration {
				function := functions.Element(i)
				return function.Pointer()
			}
		}
	}
	from := c.extraBodyPointers["tools"]
	if from == "" || len(tokens) < 2 {
		return cmp.Or(from, at.Pointer())
	}
	before := len(c.out.Tools) - len(c.nativeTools)
	if i, err := strconv.Atoi(tokens[1]); err == nil && i >= before {
		tokens[1] = strconv.Itoa(i - before)
	}
	return from + "/" + strings.Join(tokens[1:], "/")
}

// declaration returns the name of the function that a pointer into the converted tools is about, "" for none.
func (c *converter) declaration(tokens []string) string {
	if len(tokens) < 4 || tokens[2] != "functionDeclarations" {
		return ""
	}
	i, noTool := strconv.Atoi(tokens[1])
	j, noFunction := strconv.Atoi(tokens[3])
	if noTool != nil || noFunction != nil || i >= len(c.out.Tools) || j >= len(c.out.Tools[i].FunctionDeclarations) {
		return ""
	}
	return optional.Value(c.out.Tools[i].FunctionDeclarations[j].Name)
}

// settingOrigin returns the pointer of what set a member of Gemini's request or of its generationConfig. The tokens
// below it lead on where the member is Gemini's own.
func (c *converter) settingOrigin(name string, below []string) string {
	if from := c.extraBodyPointers[strings.ToLower(name)]; from != "" {
		return strings.Join(append([]string{from}, below...), "/")
	}
	member := settingOrigins[name]
	if name == "maxOutputTokens" && c.in.MaxCompletionTokens == nil {
		member = "/max_tokens"
	}
	return member
}

// settingOrigins are the members of OpenAI's request that set those of Gemini's. It is never written to.
var settingOrigins = map[string]string{
	"candidateCount":     "/n",
	"frequencyPenalty":   "/frequency_penalty",
	"logprobs":           "/top_logprobs",
	"maxOutputTokens":    "/max_completion_tokens",
	"presencePenalty":    "/presence_penalty",
	"responseFormat":     "/response_format",
	"responseJsonSchema": "/response_format/json_schema/schema",
	"responseLogprobs":   "/logprobs",
	"responseMimeType":   "/response_format",
	"responseModalities": "/modalities",
	"responseSchema":     "/response_format/json_schema/schema",
	"seed":               "/seed",
	"speechConfig":       "/audio",
	"stopSequences":      "/stop",
	"temperature":        "/temperature",
	"thinkingConfig":     "/reasoning_effort",
	"toolConfig":         "/tool_choice",
	"topP":               "/top_p",
	"model":              "/model",
	"serviceTier":        "/service_tier",
}
