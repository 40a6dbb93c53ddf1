package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// checkFunctionCallingConfig: the Gemini API answers "Function calling config is set without
// function_declarations", but accepted it together with googleSearch. Vertex AI always accepts it
// (github.com/pydantic/pydantic-ai/pull/5791).
func (v *checker) checkFunctionCallingConfig(at *codec.Location,
	c *geminiapi.FunctionCallingConfig) {
	if v.backend == GeminiAPI && len(v.request.Tools) == 0 &&
		textOf(v.request.CachedContent) == "" {
		v.report(at, ruleNeeds, "",
			"no function to call; declare functions in tools, or omit this")
	}
	v.allowedFunctionNames(at, c, v.request.Tools)
}

func (v *checker) allowedFunctionNames(config *codec.Location, c *geminiapi.FunctionCallingConfig,
	tools []geminiapi.Tool) {
	if len(c.AllowedFunctionNames) == 0 {
		return
	}
	list := config.Member("allowedFunctionNames")
	if !isEnum(c.Mode, geminiapi.FunctionCallingModeAny) &&
		!isEnum(c.Mode, geminiapi.FunctionCallingModeValidated) {
		v.report(&list, ruleNeeds, "", "is only for the mode ANY or VALIDATED")
	}
	declared := declaredNames(tools)
	if declared == nil {
		return
	}
	at := list.Element(0)
	for i, name := range c.AllowedFunctionNames {
		if !declared[name] {
			at.Index = i
			v.report(&at, ruleDeclared, shortString(name),
				quote(name)+" is not declared in tools; "+expectedNames(tools))
		}
	}
}

// declaredNames are the names of all functions, or nil if the request does not have all of them.
func declaredNames(tools []geminiapi.Tool) map[string]bool {
	declared := map[string]bool{}
	for i := range tools {
		if len(tools[i].MCPServers) > 0 || tools[i].ComputerUse != nil {
			return nil
		}
		for _, f := range tools[i].FunctionDeclarations {
			declared[textOf(f.Name)] = true
		}
	}
	return declared
}

// shownNames is the maximum number of functions or calls that a message lists.
const shownNames = 8

func expectedNames(tools []geminiapi.Tool) string {
	var names []string
	for _, tool := range tools {
		for _, f := range tool.FunctionDeclarations {
			if len(names) == shownNames {
				names = append(names, "...")
				return "expected one of " + strings.Join(names, ", ")
			}
			names = append(names, quote(textOf(f.Name)))
		}
	}
	if len(names) == 0 {
		return "no function is"
	}
	return "expected one of " + strings.Join(names, ", ")
}
