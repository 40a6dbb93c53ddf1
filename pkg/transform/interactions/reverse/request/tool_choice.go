package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const (
	toolConfigPointer = "/toolConfig"
	callingPointer    = toolConfigPointer + "/functionCallingConfig"
)

// setToolChoice sets which functions the model may call.
func (c *converter) setToolChoice() error {
	if c.rest.ToolConfig == nil {
		return nil
	}
	rest := *c.rest.ToolConfig
	c.rest.ToolConfig = nil
	if rest.IncludeServerSideToolInvocations != nil {
		c.report.Add(report.Approximated, toolConfigPointer+"/includeServerSideToolInvocations",
			"omitted, because an interaction always shows the calls of Google's tools")
		rest.IncludeServerSideToolInvocations = nil
	}
	if calling := rest.FunctionCallingConfig; calling != nil {
		c.setCalling(*calling)
		rest.FunctionCallingConfig = nil
	}
	if config := rest.RetrievalConfig; config != nil && config.LatLng != nil &&
		c.hasTool(interactionsapi.ToolTypeGoogleMaps) {
		left, place := *config, *config.LatLng
		place.Latitude, place.Longitude = nil, nil
		left.LatLng = orNil(place, place.IsEmpty())
		rest.RetrievalConfig = &left
	}
	c.loseRest(toolConfigPointer, &rest)
	return nil
}

// setCalling sets the tool choice: a word, or a word with the names of the allowed functions.
func (c *converter) setCalling(calling geminiapi.FunctionCallingConfig) {
	var mode interactionsapi.ToolChoiceMode
	if calling.Mode != nil {
		if word, ok := c.word(callingPointer+"/mode", string(*calling.Mode), ""); ok {
			mode = interactionsapi.ToolChoiceMode(word)
		}
	}
	switch names := calling.AllowedFunctionNames; {
	case len(names) > 0:
		allowed := &interactionsapi.AllowedTools{Tools: names}
		if mode != "" {
			allowed.Mode = &mode
		}
		c.generation.ToolChoice = wiretype.ValueOf(
			interactionsapi.ToolChoiceConfig{AllowedTools: allowed})
	case mode != "":
		c.generation.ToolChoice = wiretype.StringOf[interactionsapi.ToolChoiceConfig](string(mode))
	}
	if calling.StreamFunctionCallArguments != nil {
		c.report.Add(report.Approximated, callingPointer+"/streamFunctionCallArguments",
			"omitted, because an interaction always streams arguments")
	}
	c.loseRest(callingPointer, &geminiapi.FunctionCallingConfig{Unknown: calling.Unknown})
}
