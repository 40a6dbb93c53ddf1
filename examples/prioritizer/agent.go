package main

import (
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/structured"
)

// Gemini is an [AgentInvoker] that asks a model of Google's.
type Gemini struct {
	// Client calls the API.
	Client *gemini.Client
	// Model is the model's id.
	Model string
	// OnTry is called for each answer, also those that are wrong and asked for again; nil is not
	// called.
	OnTry func(structured.Try)
}

// Invoke returns an answer to a prompt that holds a [PriorityResult].
func (g *Gemini) Invoke(ctx context.Context, prompt string) (string, error) {
	request := &geminiapi.GenerateContentRequest{
		Model:    &g.Model,
		Contents: []geminiapi.Content{gemini.UserText(prompt)},
	}
	answer, err := structured.Generate[PriorityResult](ctx, g.Client, request,
		structured.WithTry(g.onTry))
	if err != nil {
		return "", err
	}
	return answer.Text, nil
}

func (g *Gemini) onTry(try structured.Try) {
	if g.OnTry != nil {
		g.OnTry(try)
	}
}
