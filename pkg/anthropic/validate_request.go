package anthropic

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Version is a version of the API, as in the header anthropic-version.
type Version string

// The versions that are served.
const (
	Version20230601 Version = "2023-06-01"
	Version20261021 Version = "2026-10-21"
)

// ValidateRequest checks a message request against Anthropic's documentation: required members,
// ranges, tool names, the members and places of each block type, and a result for every call. The
// next message must begin with these results. Version20261021 also refuses what that version
// removed. The conversion of requests accepts more than ValidateRequest.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what
// would be right. It never contains a value of the request.
func ValidateRequest(r *anthropicapi.CreateMessageRequest, version Version) error {
	return validateRequest(r, version, true)
}

// ValidateCountRequest is [ValidateRequest] for a token count, which needs no max_tokens.
func ValidateCountRequest(r *anthropicapi.CreateMessageRequest, version Version) error {
	return validateRequest(r, version, false)
}

func validateRequest(r *anthropicapi.CreateMessageRequest, version Version, forMessage bool) error {
	if r == nil {
		return fmt.Errorf("anthropic: %w", validation.ErrNotStruct)
	}
	v := checker{version: version}
	var root codec.Location
	if forMessage {
		v.require(&root, "max_tokens", r.MaxTokens != nil)
	}
	v.settings(&root, r)
	v.tools(&root, r.Tools)
	v.system(&root, r)
	v.messages(&root, r.Messages)
	if v.violations == nil {
		return nil
	}
	return &validation.Error{Prefix: "anthropic", Violations: v.violations}
}

// checker collects the violations of a request.
type checker struct {
	version    Version
	violations []validation.Violation
}

func (v *checker) report(at *codec.Location, rule, want string) {
	v.violations = append(v.violations,
		validation.Violation{Pointer: at.Pointer(), Rule: rule, Want: want})
}

// want reports a member unless a condition holds.
func (v *checker) want(ok bool, at *codec.Location, name, rule, want string) {
	if !ok {
		in := at.Member(name)
		v.report(&in, rule, want)
	}
}

func (v *checker) require(at *codec.Location, name string, isThere bool) {
	v.want(isThere, at, name, "required", "must be set")
}

// settings checks the settings of the answer.
func (v *checker) settings(root *codec.Location, r *anthropicapi.CreateMessageRequest) {
	v.require(root, "model", r.Model != "")
	v.want(jsonx.Deref(r.MaxTokens) >= 0, root, "max_tokens", "range", "must be 0 or more")
	for _, removed := range []struct {
		name    string
		isThere bool
	}{{"temperature", r.Temperature != nil}, {"top_p", r.TopP != nil}, {"top_k", r.TopK != nil}} {
		v.want(!removed.isThere || v.version != Version20261021, root, removed.name, "removed",
			"must be absent in version 2026-10-21")
	}
	v.fraction(root, "temperature", r.Temperature)
	v.fraction(root, "top_p", r.TopP)
	v.want(jsonx.Deref(r.TopK) >= 0, root, "top_k", "range", "must be 0 or more")
	v.want(r.OutputFormat == nil || r.OutputConfig == nil || r.OutputConfig.Format == nil, root,
		"output_format", "excluded", "must be absent if output_config.format is set")
	if r.OutputConfig != nil && r.OutputConfig.Effort != nil {
		at := root.Member("output_config")
		v.want(r.OutputConfig.Effort.Valid(), &at, "effort", "oneof",
			"must be one of low, medium, high, xhigh, max")
	}
	if r.ToolChoice != nil {
		v.toolChoice(root, r.ToolChoice)
	}
	if r.Thinking != nil {
		v.thinking(root, r)
	}
}

func (v *checker) fraction(root *codec.Location, name string, value *float64) {
	v.want(value == nil || *value >= 0 && *value <= 1, root, name, "range", "must be from 0 to 1")
}

func (v *checker) toolChoice(root *codec.Location, c *anthropicapi.ToolChoice) {
	at := root.Member("tool_choice")
	v.want(c.Type.Valid(), &at, "type", "oneof", "must be one of auto, any, tool, none")
	isTool := c.Type == anthropicapi.ToolChoiceTypeTool
	v.want(!isTool || jsonx.Deref(c.Name) != "", &at, "name", "required", "must be set")
}

func (v *checker) thinking(root *codec.Location, r *anthropicapi.CreateMessageRequest) {
	at := root.Member("thinking")
	t := r.Thinking
	v.want(t.Type.Valid(), &at, "type", "oneof",
		"must be one of enabled, adaptive, disabled, between_tools")
	if t.Type != anthropicapi.ThinkingTypeEnabled {
		return
	}
	const least = 1024
	budget := jsonx.Deref(t.BudgetTokens)
	v.want(budget >= least, &at, "budget_tokens", "range", "must be 1024 or more")
	v.want(r.MaxTokens == nil || budget < *r.MaxTokens, &at, "budget_tokens", "range",
		"must be less than max_tokens")
}

// tools checks that tools have names, and that tools of the client have an input schema.
func (v *checker) tools(root *codec.Location, tools []anthropicapi.Tool) {
	list := root.Member("tools")
	for i := range tools {
		at, tool := list.Element(i), &tools[i]
		if tool.Type != "" && tool.Type != "custom" {
			continue
		}
		const longest = 128
		v.want(isCallID(tool.Name) && len(tool.Name) <= longest, &at, "name", "name",
			"must have 1 to 128 letters, digits, underscores and dashes")
		v.want(tool.InputSchema.Kind() == jsontext.KindBeginObject, &at, "input_schema", "object",
			"must be an object")
	}
}

// system checks that instructions are text.
func (v *checker) system(root *codec.Location, r *anthropicapi.CreateMessageRequest) {
	list := root.Member("system")
	parts, _ := r.System.AsValue()
	for i := range parts {
		at := list.Element(i)
		v.want(parts[i].Type == anthropicapi.BlockTypeText, &at, "type", "oneof", "must be text")
		v.block(&at, &parts[i])
	}
}
