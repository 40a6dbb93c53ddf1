// Package estimate estimates how many tokens the lines of a bulk job take, before any line is sent
// and without any call.
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

// Tokens is an estimate.
type Tokens struct {
	// Input is the number of prompt tokens: about one for four characters, and Google's documented
	// counts for media.
	Input int
	// MaxOutput is the request's own limit on all its answers, including thoughts. It is 0 without
	// a limit. Embeddings have no output.
	MaxOutput int
	// Answers is the number of requested answers, at least 1.
	Answers int
}

// Option configures an estimate.
type Option func(*transform.Forms)

// WithForms sets the forms of lines, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(all *transform.Forms) { *all = forms } }

// Of estimates the tokens of a line for a model. It returns an error if the gateway would refuse
// the line.
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

// asGemini converts the line to Gemini's request.
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
	return nil, fmt.Errorf("lines cannot have the url %q", l.URL)
}

// ofTexts estimates the tokens of texts to embed.
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
