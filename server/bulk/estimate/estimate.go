// Package estimate guesses how many tokens the lines of a bulk job take, before any is sent and
// without asking anybody.
//
//	tokens, err := estimate.Of(&l, "gemini-3.6-flash")
//	fmt.Println(tokens.Input, "in, at most", tokens.MaxOutput, "out")
package estimate

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

// Tokens is a guess.
type Tokens struct {
	// Input are those of the prompt: about four characters each, and what Google says of media.
	Input int
	// MaxOutput is the limit that the request itself sets on its answers together, with thoughts; 0
	// where it sets none. Vectors take none.
	MaxOutput int
	// Answers is how many the request asks for, at least 1.
	Answers int
}

// Option changes an estimate.
type Option func(*transform.Forms)

// WithForms sets the forms that lines may have, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(all *transform.Forms) { *all = forms } }

// Of guesses the tokens of a line that a model is to answer. Its error says why the gateway could
// not ask the line.
func Of(l *line.Line, model string, opts ...Option) (Tokens, error) {
	all := forms.All()
	option.Apply(&all, opts)
	if l.URL == "/v1/embeddings" {
		return ofTexts(l)
	}
	request, err := asGemini(all, l, model)
	if err != nil {
		return Tokens{}, fmt.Errorf("estimate: %w", err)
	}
	out := Tokens{Input: tokenestimate.Of(request), Answers: 1}
	if config := request.GenerationConfig; config != nil {
		out.Answers = max(jsonx.Deref(config.CandidateCount), 1)
		out.MaxOutput = out.Answers * max(jsonx.Deref(config.MaxOutputTokens), 0)
	}
	return out, nil
}

// asGemini returns the request that a line becomes.
func asGemini(all transform.Forms, l *line.Line, model string) (*geminiapi.GenerateContentRequest,
	error) {
	if f := all.At(l.URL); f != nil {
		in, err := f.Decode(l.Body)
		if err != nil {
			return nil, err
		}
		out, _, err := in.ToGemini(transform.Target{Model: model})
		return out, err
	}
	if strings.HasSuffix(l.URL, ":generateContent") {
		return gemini.DecodeRequest(l.Body)
	}
	return nil, fmt.Errorf("no line has the url %q", l.URL)
}

// ofTexts guesses the tokens of texts that vectors are made of.
func ofTexts(l *line.Line) (Tokens, error) {
	in, err := openai.DecodeEmbeddingRequest(l.Body)
	if err != nil {
		return Tokens{}, fmt.Errorf("estimate: %w", err)
	}
	text, _ := in.Input.AsString()
	tokens := tokenestimate.Text(text)
	elements, _ := in.Input.AsValue()
	for _, element := range elements {
		text, _ := element.AsString()
		tokens += tokenestimate.Text(text)
	}
	return Tokens{Input: tokens, Answers: 1}, nil
}
