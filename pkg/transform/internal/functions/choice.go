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

// Choice is a tool choice in Gemini's form. The zero value is no choice.
type Choice struct {
	// Pointer is the pointer of the choice in the form's request.
	Pointer string
	// Names are the pointers of the allowed names.
	Names []string
	// Config is nil for no choice.
	Config *geminiapi.FunctionCallingConfig
	// HasTools is true if the form's request has tools of any type. If no tool is a function, a
	// required call is reported as lost and not refused. The vendors then require a call of another
	// tool. This holds even if all tools were omitted.
	HasTools bool
}

// bindsToSchemas reports whether the choice makes Gemini validate calls against their schemas.
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

// ChoiceOfMode returns the choice for a mode, in any case and with the name of OpenAI, Anthropic,
// Mistral or Gemini. The error is a *[refusal.Error] for any other mode, which the vendors refuse
// too.
func ChoiceOfMode(pointer, mode string) (Choice, error) {
	calling, known := CallingMode(mode)
	if !known {
		return Choice{},
			&refusal.Error{Pointer: pointer, Problem: "must be none, auto, required or validated"}
	}
	return Choice{Pointer: pointer, Config: &geminiapi.FunctionCallingConfig{Mode: &calling}}, nil
}

// CallingMode returns Gemini's name of a mode, which may be in any case.
func CallingMode(mode string) (calling geminiapi.FunctionCallingMode, known bool) {
	calling, known = callingModes[strings.ToLower(mode)]
	return calling, known
}

// callingModes maps modes to Gemini's names. OpenAI's required is "any" for Gemini, for Mistral and
// in the Messages API. It is never modified.
var callingModes = map[string]geminiapi.FunctionCallingMode{
	"none":      geminiapi.FunctionCallingModeNone,
	"auto":      geminiapi.FunctionCallingModeAuto,
	"required":  geminiapi.FunctionCallingModeAny,
	"any":       geminiapi.FunctionCallingModeAny,
	"validated": geminiapi.FunctionCallingModeValidated,
}

// ChoiceOfName returns the choice of one function. at is the pointer of its name.
func ChoiceOfName(pointer, at, name string) Choice {
	return Choice{Pointer: pointer, Names: []string{at}, Config: &geminiapi.FunctionCallingConfig{
		Mode:                 new(geminiapi.FunctionCallingModeAny),
		AllowedFunctionNames: []string{name},
	}}
}

// LimitedChoice returns a choice that limits calls to the functions of [Choice.Allow], in the mode
// of [Choice.SetMode].
func LimitedChoice(pointer string) Choice {
	return Choice{Pointer: pointer, Config: &geminiapi.FunctionCallingConfig{}}
}

// Allow adds a function. at is the pointer of its name.
func (c *Choice) Allow(at, name string) {
	c.Names = append(c.Names, at)
	c.Config.AllowedFunctionNames = append(c.Config.AllowedFunctionNames, name)
}

// SetMode sets the mode after all functions were added. at is the pointer of the mode. Gemini
// limits calls to some functions only in the modes ANY and VALIDATED. VALIDATED lets the model
// choose between text and calls, like auto. If only other tools such as web_search are allowed, no
// function may be called.
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
			"converted to a mode in which calls also follow their schemas, because Gemini limits calls in no other mode")
	}
	return nil
}

// SetChoice sets whether and which functions to call. Without functions it sets nothing, because
// the Gemini API refuses such a request ("Function calling config is set without
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

// checkNames returns an error if the choice names functions that are not declared.
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

// DetailNotForced is the detail for the choice of a tool that is not a declared function, such as
// web_search.
const DetailNotForced = "Gemini cannot be forced to use a tool that is not a function"

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
			"no effect, because no function is declared")
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
		r.Report.Add(report.Approximated, pointer, "no effect, because no function is declared")
	default:
		config := r.ToolConfig()
		if config.FunctionCallingConfig == nil {
			config.FunctionCallingConfig = &geminiapi.FunctionCallingConfig{}
		}
		config.FunctionCallingConfig.StreamFunctionCallArguments = r.StreamArguments
	}
}
