package requestcheck

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// signatures checks the thought signatures of the current turn, on models that require them. That
// turn begins where the user last sent something other than function results. The first call of
// each step must have the signature that it came with; the other calls of a step have none
// (ai.google.dev/gemini-api/docs/thought-signatures).
func (v *checker) signatures(list *codec.Location, contents []geminiapi.Content) {
	if v.traits == nil || !v.traits.RequiresSignatures {
		return
	}
	newStep := true
	for i := currentTurn(contents); i < len(contents); i++ {
		if textOf(contents[i].Role) != roleModel {
			newStep = true
			continue
		}
		for j := range contents[i].Parts {
			part := &contents[i].Parts[j]
			if part.FunctionCall == nil || !newStep {
				continue
			}
			newStep = false
			if textOf(part.ThoughtSignature) == "" {
				v.missingSignature(list, i, j, textOf(part.FunctionCall.Name))
			}
		}
	}
}

func (v *checker) missingSignature(list *codec.Location, content, part int, name string) {
	at := list.Element(content)
	parts := at.Member("parts")
	in := parts.Element(part)
	v.reportMember(&in, "thoughtSignature", ruleSignature, "",
		"functionCall "+quote(name)+" has no thought signature; "+v.modelName()+
			" requires the signature that the first call of a step had")
}

// currentTurn is the index of the first content of the current turn.
func currentTurn(contents []geminiapi.Content) int {
	for i := len(contents) - 1; i >= 0; i-- {
		if textOf(contents[i].Role) != roleModel && startsTurn(contents[i].Parts) {
			return i
		}
	}
	return 0
}

// startsTurn distinguishes user input from function results, which may include media.
func startsTurn(parts []geminiapi.Part) bool {
	results := false
	for i := range parts {
		if parts[i].Text != nil {
			return true
		}
		results = results || parts[i].FunctionResponse != nil
	}
	return !results
}
