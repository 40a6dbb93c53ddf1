package functions

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// Choice is a tool choice in Gemini's form. The zero value is none.
type Choice struct {
	// Pointer is where the form's request has it.
	Pointer string
	// Names are the pointers of the allowed names.
	Names []string
	// Config is nil for no choice.
	Config *geminiapi.FunctionCallingConfig
	// HasTools says that the form's request has tools of any type. If no tool is a function, a
	// required call is reported as lost and not refused, because the vendors take it for a call of
	// one of the other tools. This holds also if all tools were left out.
	HasTools bool
}

// bindsToSchemas reports whether the choice makes Gemini hold calls to their schemas.
func (c *Choice) bindsToSchemas() bool {
	if c.Config == nil {
		return false
	}
	switch jsonx.Deref(c.Config.Mode) {
	case geminiapi.FunctionCallingModeAny, geminiapi.FunctionCallingModeValidated:
		return true
	}
	return false
}

// ChoiceOfMode returns the choice of a mode, in any case and in the words of OpenAI, Anthropic,
// Mistral or Gemini. The error is a *[refusal.Error] for any other mode, which the vendors refuse
// as well.
func ChoiceOfMode(pointer, mode string) (Choice, error) {
	calling, known := CallingMode(mode)
	if !known {
		return Choice{},
			&refusal.Error{Pointer: pointer, Problem: "must be none, auto, required or validated"}
	}
	return Choice{Pointer: pointer, Config: &geminiapi.FunctionCallingConfig{Mode: &calling}}, nil
}

// CallingMode returns Gemini's name of a mode, in whatever case that is written.
func CallingMode(mode string) (calling geminiapi.FunctionCallingMode, known bool) {
	calling, known = callingModes[strings.ToLower(mode)]
	return calling, known
}

// callingModes are Gemini's names of the modes. What OpenAI calls required is "any" for Gemini, for
// Mistral and in the API of Messages. It is never written to.
var callingModes = map[string]geminiapi.FunctionCallingMode{
	"none":      geminiapi.FunctionCallingModeNone,
	"auto":      geminiapi.FunctionCallingModeAuto,
	"required":  geminiapi.FunctionCallingModeAny,
	"any":       geminiapi.FunctionCallingModeAny,
	"validated": geminiapi.FunctionCallingModeValidated,
}

// ChoiceOfName returns the choice of one function, whose name is at a pointer.
func ChoiceOfName(pointer, at, name string) Choice {
	return Choice{Pointer: pointer, Names: []string{at}, Config: &geminiapi.FunctionCallingConfig{
		Mode:                 new(geminiapi.FunctionCallingModeAny),
		AllowedFunctionNames: []string{name},
	}}
}

// LimitedChoice returns a choice that limits the calls to the functions that [Choice.Allow] adds,
// in the mode that [Choice.SetMode] sets.
func LimitedChoice(pointer string) Choice {
	return Choice{Pointer: pointer, Config: &geminiapi.FunctionCallingConfig{}}
}

// Allow adds a function whose name is at a pointer.
func (c *Choice) Allow(at, name string) {
	c.Names = append(c.Names, at)
	c.Config.AllowedFunctionNames = append(c.Config.AllowedFunctionNames, name)
}

// SetMode sets the mode, which is at a pointer, of a choice to which all functions were added.
// Gemini limits the calls to some functions only in the modes ANY and VALIDATED; the latter leaves
// the model the choice between text and calls, as auto does. Where only other tools are allowed,
// such as web_search, no function may be called.
func (c *Choice) SetMode(r *target.Request, at, mode string) error {
	switch {
	case mode != "auto" && mode != "required":
		return &refusal.Error{Pointer: at, Problem: "must be auto or required"}
	case len(c.Names) == 0:
		c.Config.Mode = new(geminiapi.FunctionCallingModeNone)
		if mode == "required" {
			r.Report.Add(report.Lost, at, DetailNotForced)
		}
	case mode == "required":
		c.Config.Mode = new(geminiapi.FunctionCallingModeAny)
	default:
		c.Config.Mode = new(geminiapi.FunctionCallingModeValidated)
		r.Report.Add(report.Approximated, at,
			"calls follow their schemas as well, as Gemini limits them in no other mode")
	}
	return nil
}

// SetChoice sets whether and which functions are called. Without a function it sets nothing, as the
// Gemini API refuses the request otherwise ("Function calling config is set without
// function_declarations").
func SetChoice(r *target.Request, choice *Choice) error {
	if err := checkNames(r, choice); err != nil {
		return err
	}
	if choice.Config != nil {
		if err := setFunctionCalling(r, choice); err != nil {
			return err
		}
	}
	setStreamArguments(r)
	return nil
}

// checkNames refuses a choice of functions that are not declared.
func checkNames(r *target.Request, choice *Choice) error {
	if len(choice.Names) == 0 {
		return nil
	}
	declared := Names(r.Out.Tools)
	for i, at := range choice.Names {
		if name := choice.Config.AllowedFunctionNames[i]; !declared[name] {
			return &refusal.Error{Pointer: at,
				Problem: "no function " + strconv.Quote(name) + " is declared in tools"}
		}
	}
	return nil
}

// DetailNotForced is the detail for the choice of a tool that is none of the declared functions,
// such as web_search.
const DetailNotForced = "Gemini cannot be made to use a tool that is no function"

func setFunctionCalling(r *target.Request, choice *Choice) error {
	isRequired := jsonx.Deref(choice.Config.Mode) == geminiapi.FunctionCallingModeAny
	switch {
	case r.HasFunctions():
	case isRequired && (choice.HasTools || len(r.Out.Tools) > 0): // as OpenAI and Anthropic take it
		r.Report.Add(report.Lost, choice.Pointer, DetailNotForced)
		return nil
	case isRequired:
		return &refusal.Error{Pointer: choice.Pointer,
			Problem: "requires a call, but no function is declared"}
	default:
		r.Report.Add(report.Approximated, choice.Pointer,
			"says nothing, as no function is declared")
		return nil
	}
	config := r.ToolConfig()
	if config.FunctionCallingConfig != nil {
		r.Report.Add(report.Lost, choice.Pointer, target.DetailInExtraBody)
		return nil
	}
	config.FunctionCallingConfig = choice.Config
	return nil
}

// setStreamArguments asks for the arguments of calls in pieces.
func setStreamArguments(r *target.Request) {
	if r.StreamArguments == nil {
		return
	}
	pointer := r.ExtraBody["streamfunctioncallarguments"]
	switch {
	case !r.VertexAI:
		r.Report.Add(report.Lost, pointer, "only Vertex AI streams arguments")
	case !r.HasFunctions():
		r.Report.Add(report.Approximated, pointer, "says nothing, as no function is declared")
	default:
		config := r.ToolConfig()
		if config.FunctionCallingConfig == nil {
			config.FunctionCallingConfig = &geminiapi.FunctionCallingConfig{}
		}
		config.FunctionCallingConfig.StreamFunctionCallArguments = r.StreamArguments
	}
}
