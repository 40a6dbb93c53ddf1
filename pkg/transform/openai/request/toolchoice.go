package request

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readToolChoice reads which functions are to be called. It runs before the functions are declared, as it decides
// how closely calls follow their schemas.
func (c *converter) readToolChoice() error {
	var err error
	c.choice, err = c.toolChoice()
	return err
}

// setToolChoice sets whether and which functions are called. Without a function it sets
// nothing, as the Gemini API refuses the request otherwise ("Function calling config is set without
// function_declarations").
func (c *converter) setToolChoice() error {
	if err := c.checkNames(c.choice); err != nil {
		return err
	}
	if c.choice.config != nil {
		if err := c.setFunctionCalling(c.choice); err != nil {
			return err
		}
	}
	c.setStreamArguments()
	return nil
}

// toolChoice is a tool choice in Gemini's form.
type toolChoice struct {
	pointer string
	names   []string                         // pointers of the allowed names
	config  *geminiapi.FunctionCallingConfig // nil for none
}

// toolChoice reads tool_choice, or the older function_call, which counts only without it.
func (c *converter) toolChoice() (toolChoice, error) {
	if c.in.ToolChoice.IsZero() {
		return c.olderChoice(), nil
	}
	if !c.in.FunctionCall.IsZero() {
		c.report.Add(transform.Lost, "/function_call", "tool_choice counts")
	}
	const pointer = "/tool_choice"
	if mode, ok := c.in.ToolChoice.AsString(); ok {
		return c.choiceOfMode(pointer, mode), nil
	}
	choice, _ := c.in.ToolChoice.AsValue()
	return c.choiceOfType(&choice)
}

// choiceOfType reads a choice by its type, or by what it holds where it has none. Its type may be a mode, as in
// the API of Messages, which has functions named beside the type, as Responses has.
func (c *converter) choiceOfType(choice *openaiapi.ToolChoice) (toolChoice, error) {
	const pointer = "/tool_choice"
	kind := typeOfChoice(choice)
	c.loseOtherChoices(choice, kind)
	if name, ok := nameBesideType(choice.Unknown, kind); ok && choice.Function == nil {
		c.loseUnknown(pointer, choice.Unknown, "name")
		return choiceOfName(pointer, pointer+"/name", name), nil
	}
	if allowed := allowedBesideType(choice, kind); allowed != nil {
		return c.choiceOfAllowed(pointer, allowed)
	}
	c.loseUnknown(pointer, choice.Unknown)
	switch kind {
	case openaiapi.ToolChoiceTypeFunction:
		return c.choiceOfFunction(choice)
	case openaiapi.ToolChoiceTypeAllowedTools:
		return c.choiceOfAllowed(pointer+"/allowed_tools", choice.AllowedTools)
	case openaiapi.ToolChoiceTypeCustom:
		return toolChoice{}, &Error{Pointer: pointer, Problem: "names a custom tool, which Gemini does not know; name a function"}
	}
	if _, ok := callingMode(string(kind)); ok {
		return c.choiceOfMode(pointer+"/type", string(kind)), nil
	}
	return toolChoice{}, &Error{Pointer: pointer + "/type", Problem: "must be function, allowed_tools or a mode"}
}

// typeOfChoice returns the type of a choice, or for one without a type that of what it holds.
func typeOfChoice(choice *openaiapi.ToolChoice) openaiapi.ToolChoiceType {
	kind := choice.Type
	if kind == "" {
		visitMembersOfToolChoice(choice, func(name string) {
			if held := openaiapi.ToolChoiceType(name); held.Valid() {
				kind = cmp.Or(kind, held)
			}
		})
	}
	return kind
}

// nameBesideType returns the name of a function that stands among the unknown members of a choice or of a tool.
func nameBesideType(unknown jsontext.Value, kind openaiapi.ToolChoiceType) (name string, ok bool) {
	switch kind {
	case "", "tool", openaiapi.ToolChoiceTypeFunction:
		value := rawobject.Member(unknown, "name")
		return name, value.Kind() == jsontext.KindString && json.Unmarshal(value, &name) == nil && name != ""
	}
	return "", false
}

// allowedBesideType returns the tools and the mode that stand in the choice itself, as Responses has them; nil where
// they do not.
func allowedBesideType(choice *openaiapi.ToolChoice, kind openaiapi.ToolChoiceType) *openaiapi.AllowedTools {
	if kind != "" && kind != openaiapi.ToolChoiceTypeAllowedTools || choice.AllowedTools != nil {
		return nil
	}
	var allowed openaiapi.AllowedTools
	if rawobject.Member(choice.Unknown, "tools").Kind() != jsontext.KindBeginArray || json.Unmarshal(choice.Unknown, &allowed) != nil {
		return nil
	}
	return &allowed
}

// loseOtherChoices reports the members of a choice that belong to other types.
func (c *converter) loseOtherChoices(choice *openaiapi.ToolChoice, kind openaiapi.ToolChoiceType) {
	visitMembersOfToolChoice(choice, func(name string) {
		if name != "type" && name != string(kind) {
			c.report.Add(transform.Lost, "/tool_choice/"+name, "the choice is of another type")
		}
	})
}

// olderChoice reads function_call.
func (c *converter) olderChoice() toolChoice {
	const pointer = "/function_call"
	if mode, ok := c.in.FunctionCall.AsString(); ok {
		return c.choiceOfMode(pointer, mode)
	}
	if named, ok := c.in.FunctionCall.AsValue(); ok {
		c.loseUnknown(pointer, named.Unknown)
		return choiceOfName(pointer, pointer+"/name", named.Name)
	}
	return toolChoice{}
}

func (c *converter) choiceOfMode(pointer, mode string) toolChoice {
	calling, known := callingMode(mode)
	if !known {
		c.report.Add(transform.Lost, pointer, "not one of none, auto, required and validated")
		return toolChoice{}
	}
	return toolChoice{pointer: pointer, config: &geminiapi.FunctionCallingConfig{Mode: &calling}}
}

// callingMode returns Gemini's name of a mode, in whatever case that is written.
func callingMode(mode string) (calling geminiapi.FunctionCallingMode, known bool) {
	calling, known = callingModes[openaiapi.ToolChoiceMode(strings.ToLower(mode))]
	return calling, known
}

// callingModes are Gemini's names of the modes. What OpenAI calls required is "any" for Gemini, for Mistral and in the
// API of Messages. It is never written to.
var callingModes = map[openaiapi.ToolChoiceMode]geminiapi.FunctionCallingMode{
	openaiapi.ToolChoiceModeNone:      geminiapi.FunctionCallingModeNone,
	openaiapi.ToolChoiceModeAuto:      geminiapi.FunctionCallingModeAuto,
	openaiapi.ToolChoiceModeRequired:  geminiapi.FunctionCallingModeAny,
	"any":                             geminiapi.FunctionCallingModeAny,
	openaiapi.ToolChoiceModeValidated: geminiapi.FunctionCallingModeValidated,
}

func choiceOfName(pointer, at, name string) toolChoice {
	return toolChoice{pointer: pointer, names: []string{at}, config: &geminiapi.FunctionCallingConfig{
		Mode:                 new(geminiapi.FunctionCallingModeAny),
		AllowedFunctionNames: []string{name},
	}}
}

func (c *converter) choiceOfFunction(choice *openaiapi.ToolChoice) (toolChoice, error) {
	const pointer = "/tool_choice/function"
	if choice.Function == nil {
		return toolChoice{}, &Error{Pointer: pointer, Problem: "must be set, with the name of the function"}
	}
	c.loseUnknown(pointer, choice.Function.Unknown)
	return choiceOfName("/tool_choice", pointer+"/name", choice.Function.Name), nil
}

// choiceOfAllowed limits the calls to some functions. Gemini does so only in the modes ANY and
// VALIDATED; the latter leaves the model the choice between text and calls, as auto does.
func (c *converter) choiceOfAllowed(pointer string, allowed *openaiapi.AllowedTools) (toolChoice, error) {
	if allowed == nil {
		return toolChoice{}, &Error{Pointer: pointer, Problem: "must be set, with a mode and tools"}
	}
	out := toolChoice{pointer: "/tool_choice", config: &geminiapi.FunctionCallingConfig{}}
	switch allowed.Mode {
	case openaiapi.AllowedToolsModeRequired:
		out.config.Mode = new(geminiapi.FunctionCallingModeAny)
	case openaiapi.AllowedToolsModeAuto:
		out.config.Mode = new(geminiapi.FunctionCallingModeValidated)
		c.report.Add(transform.Approximated, pointer+"/mode", "calls follow their schemas as well, as Gemini limits them in no other mode")
	default:
		return out, &Error{Pointer: pointer + "/mode", Problem: "must be auto or required"}
	}
	c.loseUnknown(pointer, allowed.Unknown)
	for i := range allowed.Tools {
		c.allow(pointer+"/tools/"+strconv.Itoa(i), &allowed.Tools[i], &out)
	}
	if len(out.names) == 0 {
		return out, &Error{Pointer: pointer + "/tools", Problem: "must name a function"}
	}
	return out, nil
}

func (c *converter) allow(pointer string, tool *openaiapi.Tool, out *toolChoice) {
	name, isBeside := nameBesideType(tool.Unknown, openaiapi.ToolChoiceType(tool.Type))
	at := pointer + "/name"
	switch {
	case isBeside && tool.Function == nil:
		c.loseUnknown(pointer, tool.Unknown, "name")
	case tool.Function == nil, tool.Type != openaiapi.ToolTypeFunction && tool.Type != "":
		c.report.Add(transform.Lost, pointer, "only functions can be called")
		return
	default:
		c.loseUnknown(pointer, tool.Unknown)
		name, at = tool.Function.Name, pointer+"/function/name"
		if f := tool.Function; f.Description != nil || f.Parameters != nil || f.Strict != nil || f.Unknown != nil {
			c.report.Add(transform.Lost, pointer+"/function", "only the name counts here; the function is declared in tools")
		}
	}
	if tool.Custom != nil {
		c.report.Add(transform.Lost, pointer+"/custom", "the tool is a function")
	}
	out.names = append(out.names, at)
	out.config.AllowedFunctionNames = append(out.config.AllowedFunctionNames, name)
}

// checkNames refuses a choice of functions that are not declared.
func (c *converter) checkNames(choice toolChoice) error {
	for i, at := range choice.names {
		if name := choice.config.AllowedFunctionNames[i]; !c.declares(name) {
			return &Error{Pointer: at, Problem: "no function " + strconv.Quote(name) + " is declared in tools"}
		}
	}
	return nil
}

// declares reports whether there is a function of that name.
func (c *converter) declares(name string) bool {
	isNamed := func(f geminiapi.FunctionDeclaration) bool { return optional.Value(f.Name) == name }
	return slices.ContainsFunc(c.out.Tools, func(t geminiapi.Tool) bool {
		return slices.ContainsFunc(t.FunctionDeclarations, isNamed)
	})
}

func (c *converter) hasFunctions() bool {
	return slices.ContainsFunc(c.out.Tools, func(t geminiapi.Tool) bool { return len(t.FunctionDeclarations) > 0 })
}

func (c *converter) setFunctionCalling(choice toolChoice) error {
	switch {
	case c.hasFunctions():
	case optional.Value(choice.config.Mode) == geminiapi.FunctionCallingModeAny:
		return &Error{Pointer: choice.pointer, Problem: "requires a call, but no function is declared"}
	default:
		c.report.Add(transform.Approximated, choice.pointer, "says nothing, as no function is declared")
		return nil
	}
	config := c.toolConfig()
	if config.FunctionCallingConfig != nil {
		c.report.Add(transform.Lost, choice.pointer, detailInExtraBody)
		return nil
	}
	config.FunctionCallingConfig = choice.config
	return nil
}

// setStreamArguments asks for the arguments of calls in pieces.
func (c *converter) setStreamArguments() {
	if c.streamArguments == nil {
		return
	}
	pointer := c.extraBodyPointers["streamfunctioncallarguments"]
	switch {
	case !c.vertex:
		c.report.Add(transform.Lost, pointer, "only Vertex AI streams arguments")
	case !c.hasFunctions():
		c.report.Add(transform.Approximated, pointer, "says nothing, as no function is declared")
	default:
		config := c.toolConfig()
		if config.FunctionCallingConfig == nil {
			config.FunctionCallingConfig = &geminiapi.FunctionCallingConfig{}
		}
		config.FunctionCallingConfig.StreamFunctionCallArguments = c.streamArguments
	}
}
