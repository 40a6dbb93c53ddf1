package main

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// kind is a fact that a model can have.
type kind struct {
	// field is the member that the fact sets: of Traits, of ThinkingTraits or of Limits. Facts
	// without a field are about the model's dates, or name the model that answers.
	field string
	of    part
	// byService is set for facts that may be different at the two services.
	byService bool
	// needsDay is set for facts that begin on a day.
	needsDay bool
	// isName is set for facts that name another model.
	isName bool
	// literal returns the value in Go.
	literal func(value *yaml.Node) (string, error)
}

// part is the group of facts that a fact belongs to.
type part int

const (
	ofLife part = iota
	ofRoutes
	ofThinking
	ofTraits
	ofLimits
)

// facts are all facts that a row can have. The members of a part are in the order of their fields'
// names.
var facts = map[string]kind{
	"routed_to": {of: ofRoutes, byService: true, needsDay: true, isName: true, literal: text},
	"alias_of":  {of: ofRoutes, byService: true, isName: true, literal: text},

	"stage": {of: ofLife, byService: true,
		literal: oneOf(map[string]string{"ga": "StageGA", "preview": "StagePreview"})},
	"deprecated":  {of: ofLife, byService: true, needsDay: true, literal: truth},
	"shut_down":   {of: ofLife, byService: true, needsDay: true, literal: truth},
	"replacement": {of: ofLife, byService: true, isName: true, literal: text},

	"thinking_levels":        {field: "Levels", of: ofThinking, literal: levels},
	"default_thinking_level": {field: "DefaultLevel", of: ofThinking, literal: level},
	"thinking_budget":        {field: "Budget", of: ofThinking, literal: budget},
	"budget_untested":        {field: "BudgetUntested", of: ofThinking, literal: truth},

	"requires_signatures": {field: "RequiresSignatures", of: ofTraits, literal: truth},
	"requires_answers":    {field: "RequiresAnswers", of: ofTraits, literal: truth},
	"requires_matching_answers": {field: "RequiresMatchingAnswers", of: ofTraits,
		literal: truth},
	"refuses_trailing_model_turn": {field: "RefusesTrailingModelTurn", of: ofTraits,
		literal: truth},
	"json_schema":             {field: "JSONSchema", of: ofTraits, literal: truth},
	"function_response_parts": {field: "FunctionResponseParts", of: ofTraits, literal: truth},
	"part_media_resolution":   {field: "PartMediaResolution", of: ofTraits, literal: truth},
	"normalizes_embeddings":   {field: "NormalizesEmbeddings", of: ofTraits, literal: truth},
	"ignores_sampling":        {field: "IgnoresSampling", of: ofTraits, literal: truth},
	"requires_shown_server_calls": {field: "RequiresShownServerCalls", of: ofTraits,
		byService: true, literal: truth},
	"refuses_penalties": {field: "RefusesPenalties", of: ofTraits, byService: true,
		literal: truth},
	"refuses_logprobs": {field: "RefusesLogprobs", of: ofTraits, byService: true,
		literal: truth},
	"refuses_multiple_candidates": {field: "RefusesMultipleCandidates", of: ofTraits,
		byService: true, literal: truth},
	"refuses_json_with_functions": {field: "RefusesJSONWithFunctions", of: ofTraits,
		byService: true, literal: truth},
	"refuses_search_with_functions": {field: "RefusesSearchWithFunctions", of: ofTraits,
		byService: true, literal: truth},
	"refuses_cached_content": {field: "RefusesCachedContent", of: ofTraits, byService: true,
		literal: truth},

	"input_tokens":  {field: "Input", of: ofLimits, byService: true, literal: number},
	"output_tokens": {field: "Output", of: ofLimits, byService: true, literal: number},
	"unary_output_tokens": {field: "UnaryOutput", of: ofLimits, byService: true,
		literal: number},
	"continued_output_tokens": {field: "ContinuedOutput", of: ofLimits, byService: true,
		literal: number},
	"shared_window": {field: "SharedWindow", of: ofLimits, byService: true,
		literal: truth},
	"implicit_cache_tokens": {field: "ImplicitCache", of: ofLimits, byService: true,
		literal: number},
}

func text(value *yaml.Node) (string, error) {
	if value.Kind != yaml.ScalarNode || value.Value == "" {
		return "", fmt.Errorf("the value is not a name")
	}
	return strconv.Quote(value.Value), nil
}

// truth is the value of a fact that is true if a row exists.
func truth(value *yaml.Node) (string, error) {
	if value.Value != "true" {
		return "", fmt.Errorf("%q is not true; leave the row out where the fact does not hold",
			value.Value)
	}
	return "true", nil
}

func number(value *yaml.Node) (string, error) {
	if n, err := strconv.Atoi(value.Value); err != nil || n <= 0 {
		return "", fmt.Errorf("%q is not a number of tokens", value.Value)
	}
	return value.Value, nil
}

func oneOf(values map[string]string) func(*yaml.Node) (string, error) {
	return func(value *yaml.Node) (string, error) {
		if out := values[value.Value]; out != "" {
			return out, nil
		}
		return "", fmt.Errorf("%q is not a value of the fact", value.Value)
	}
}

// rising are the levels in ascending order.
var rising = []string{"MINIMAL", "LOW", "MEDIUM", "HIGH"}

func level(value *yaml.Node) (string, error) {
	for _, known := range rising {
		if value.Value == known {
			return "geminiapi.ThinkingLevel" + known[:1] + strings.ToLower(known[1:]), nil
		}
	}
	return "", fmt.Errorf("%q is not a level; use %s", value.Value, strings.Join(rising, ", "))
}

// levels are in ascending order.
func levels(value *yaml.Node) (string, error) {
	var out []string
	last := -1
	for _, element := range value.Content {
		name, err := level(element)
		if err != nil {
			return "", err
		}
		depth := 0
		for rising[depth] != element.Value {
			depth++
		}
		if depth <= last {
			return "", fmt.Errorf("the levels must be in rising order")
		}
		last = depth
		out = append(out, name)
	}
	if out == nil {
		return "", fmt.Errorf("the levels are missing")
	}
	return "[]geminiapi.ThinkingLevel{" + strings.Join(out, ", ") + "}", nil
}

func budget(value *yaml.Node) (string, error) {
	var b struct {
		Min     int    `yaml:"min"`
		Max     int    `yaml:"max"`
		Off     string `yaml:"off"`
		Assumed bool   `yaml:"assumed"`
	}
	if err := value.Decode(&b); err != nil {
		return "", err
	}
	if b.Min < 1 || b.Max < b.Min {
		return "", fmt.Errorf("a budget from %d to %d", b.Min, b.Max)
	}
	out := fmt.Sprintf("&BudgetRange{Min: %d, Max: %d", b.Min, b.Max)
	switch b.Off {
	case "":
	case "yes":
		out += ", CanBeOff: true"
	case "untested":
		out += ", OffUntested: true"
	default:
		return "", fmt.Errorf("off is %q; use yes or untested, or leave it out", b.Off)
	}
	if b.Assumed {
		out += ", Assumed: true"
	}
	return out + "}", nil
}
