package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// AgentInvoker asks a model.
type AgentInvoker interface {
	// Invoke returns the answer to a prompt.
	Invoke(ctx context.Context, prompt string) (string, error)
}

// PrioritizeOptions are the options of a call.
type PrioritizeOptions struct {
	// TopN is how many recommendations are kept; 0 stands for 3.
	TopN int
	// ShowReason asks for an analysis besides.
	ShowReason bool
}

const defaultTopN = 3

// DefaultOptions keeps three recommendations and asks for no analysis.
func DefaultOptions() PrioritizeOptions { return PrioritizeOptions{TopN: defaultTopN} }

// PRD is a product requirements document: one feature that could be built.
type PRD struct {
	// ID identifies it, and is how recommendations name it.
	ID string
	// Title is its title.
	Title string
	// DependsOn are the ids of those that it needs.
	DependsOn []string
	// Content is the document.
	Content string
}

// Prioritize asks the agent in which order to build features, and returns the first
// recommendations. completed are the titles of specifications that are built already; the prompt
// lists them.
//
// An error of the agent is wrapped as "agent invocation failed: ", an error in its answer as
// "failed to parse agent response: ".
func Prioritize(
	ctx context.Context, agent AgentInvoker, prds []PRD, completed []string, opts PrioritizeOptions,
) (*PriorityResult, error) {
	if len(prds) == 0 {
		return nil, errors.New("no PRDs to prioritize")
	}
	response, err := agent.Invoke(ctx, buildPrompt(prds, completed, opts))
	if err != nil {
		return nil, fmt.Errorf("agent invocation failed: %w", err)
	}
	result, err := ParsePriorityResponse(response)
	if err != nil {
		return nil, fmt.Errorf("failed to parse agent response: %w", err)
	}
	result.Truncate(cmp.Or(opts.TopN, defaultTopN))
	return result, nil
}
