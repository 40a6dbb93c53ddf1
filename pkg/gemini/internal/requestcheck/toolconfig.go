package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

func (v *checker) toolConfig(root *location, r *geminiapi.GenerateContentRequest) {
	c := r.ToolConfig
	if c == nil {
		return
	}
	at := root.member("toolConfig")
	v.functionCallingConfig(&at, c.FunctionCallingConfig, r)
	if f := c.RetrievalConfig; f != nil {
		in := at.member("retrievalConfig")
		v.latLng(&in, f.LatLng)
		v.unknown(&in, f.Unknown)
	}
	checkExclusive(v, &at, c, toolConfigExclusives)
	v.unknown(&at, c.Unknown)
}

func (v *checker) functionCallingConfig(config *location, c *geminiapi.FunctionCallingConfig, r *geminiapi.GenerateContentRequest) {
	if c == nil {
		return
	}
	at := config.member("functionCallingConfig")
	if !hasFunctions(r) {
		v.report(&at, ruleNeeds, "", "there is no function to call; declare functions in tools, or leave this out")
	}
	checkEnum(v, &at, "mode", c.Mode)
	v.allowedFunctionNames(&at, c, r.Tools)
	checkExclusive(v, &at, c, functionCallingConfigExclusives)
	v.unknown(&at, c.Unknown)
}

// hasFunctions reports whether there may be functions, of the request itself, of a server that the
// backend asks, of those that come with the use of a computer, or of a cache.
func hasFunctions(r *geminiapi.GenerateContentRequest) bool {
	for i := range r.Tools {
		if len(r.Tools[i].FunctionDeclarations) > 0 || len(r.Tools[i].MCPServers) > 0 || r.Tools[i].ComputerUse != nil {
			return true
		}
	}
	return textOf(r.CachedContent) != ""
}

func (v *checker) allowedFunctionNames(config *location, c *geminiapi.FunctionCallingConfig, tools []geminiapi.Tool) {
	if len(c.AllowedFunctionNames) == 0 {
		return
	}
	list := config.member("allowedFunctionNames")
	if !isEnum(c.Mode, geminiapi.FunctionCallingModeAny) && !isEnum(c.Mode, geminiapi.FunctionCallingModeValidated) {
		v.report(&list, ruleNeeds, "", "goes with the mode ANY or VALIDATED only")
	}
	declared := declaredNames(tools)
	if declared == nil {
		return
	}
	at := list.element(0)
	for i, name := range c.AllowedFunctionNames {
		if !declared[name] {
			at.index = i
			v.report(&at, ruleDeclared, shortString(name), quote(name)+" is not declared in tools; "+expectedNames(tools))
		}
	}
}

// declaredNames are the names of all functions, nil when the request does not hold all of them.
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

// shownNames is how many functions or calls a message lists.
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

// latLng is a point on the earth, in degrees.
func (v *checker) latLng(config *location, p *geminiapi.LatLng) {
	if p == nil {
		return
	}
	at := config.member("latLng")
	for _, angle := range [...]struct {
		name  string
		value *float64
		limit float64
	}{{"latitude", p.Latitude, 90}, {"longitude", p.Longitude, 180}} {
		if angle.value != nil && !(-angle.limit <= *angle.value && *angle.value <= angle.limit) {
			text, limit := numberText(*angle.value), numberText(angle.limit)
			v.reportMember(&at, angle.name, ruleRange, text, text+" is out of range; must be from -"+limit+" to "+limit)
		}
	}
	v.unknown(&at, p.Unknown)
}
