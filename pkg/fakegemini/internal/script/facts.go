package script

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// facts are the properties of a conversation that matchers use.
type facts struct {
	prompt     string // of the user's last turn that has a text
	system     string
	turn       int // the number of model turns so far
	declared   []string
	results    []result // in the last turn
	signatures []string
	// responseMIMEType is the requested MIME type.
	responseMIMEType string

	userTexts []string // in the user's last turn that has a text
	begins    bool     // true in a user turn that has no text so far
}

// result is the result of a function.
type result struct {
	name, id, content string
}

// String returns the call and its result, shortened.
func (r result) String() string { return r.name + " " + quoteShort(r.content) }

func factsOf(request *received.Request) facts {
	r := request.Content
	if r == nil {
		return facts{prompt: embedded(request)}
	}
	f := facts{system: textOf(r.SystemInstruction), declared: declaredIn(r.Tools)}
	f.responseMIMEType = "text/plain"
	if c := r.GenerationConfig; c != nil && c.ResponseMIMEType != nil {
		f.responseMIMEType = string(*c.ResponseMIMEType)
	}
	for i := range r.Contents {
		f.add(&r.Contents[i], i > 0 && isModel(&r.Contents[i-1]))
	}
	f.prompt = strings.Join(f.userTexts, "\n")
	return f
}

// embedded returns the texts of an embedding request.
func embedded(r *received.Request) string {
	var texts []string
	switch r.Operation {
	case "embedContent":
		if request, err := gemini.Decode[geminiapi.EmbedContentRequest](r.Body); err == nil {
			texts = append(texts, textOf(request.Content))
		}
	case "batchEmbedContents":
		if batch, err := gemini.Decode[geminiapi.BatchEmbedContentsRequest](r.Body); err == nil {
			for _, request := range batch.Requests {
				texts = append(texts, textOf(request.Content))
			}
		}
	}
	return strings.Join(texts, "\n")
}

// add adds the next content. Several user contents without a model turn between them are one turn.
func (f *facts) add(content *geminiapi.Content, afterModel bool) {
	for _, part := range content.Parts {
		if signature := jsonx.Deref(part.ThoughtSignature); signature != "" {
			f.signatures = append(f.signatures, signature)
		}
	}
	if isModel(content) {
		if !afterModel {
			f.turn++
		}
		return
	}
	if afterModel {
		f.results, f.begins = nil, true
	}
	if text := textOf(content); text != "" {
		if f.begins {
			f.userTexts, f.begins = nil, false
		}
		f.userTexts = append(f.userTexts, text)
	}
	f.results = append(f.results, resultsOf(content)...)
}

func isModel(content *geminiapi.Content) bool { return jsonx.Deref(content.Role) == "model" }

func textOf(content *geminiapi.Content) string {
	if content == nil {
		return ""
	}
	var texts []string
	for _, part := range content.Parts {
		if text := jsonx.Deref(part.Text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

func resultsOf(content *geminiapi.Content) []result {
	var results []result
	for _, part := range content.Parts {
		if r := part.FunctionResponse; r != nil {
			text := jsontext.Value(r.Response).Clone()
			if text.Compact() != nil {
				text = r.Response
			}
			results = append(results, result{jsonx.Deref(r.Name), jsonx.Deref(r.ID), string(text)})
		}
	}
	return results
}

func declaredIn(tools []geminiapi.Tool) []string {
	var names []string
	for _, tool := range tools {
		for _, declaration := range tool.FunctionDeclarations {
			names = append(names, jsonx.Deref(declaration.Name))
		}
	}
	return names
}
