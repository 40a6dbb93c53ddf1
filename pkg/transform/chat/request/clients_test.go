package request_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// Every request that a client sent and a server answered successfully converts to a request for
// each of Gemini's models.
func TestEveryAnsweredRequestOfAClientIsConverted(t *testing.T) {
	t.Parallel()
	answered := map[string]bool{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "chat_completions", kind) {
			answered[p.Pair] = answered[p.Pair] || p.HTTPStatus == "200"
		}
	}
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		if !answered[p.Name] {
			continue
		}
		in, err := openai.DecodeRequest(p.Read(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		for _, model := range []string{flash25, pro3, flash36} {
			if _, _, err := request.ToGemini(in, request.ForModel(model)); err == nil {
				converted++
			} else if model != flash36 ||
				// the model refuses it
				in.Messages[len(in.Messages)-1].Role != openaiapi.RoleAssistant {
				t.Errorf("%s: %s: %v", p.Name, model, err)
			}
		}
	}
	if converted < corpustest.AtLeast(2000) {
		t.Errorf("only %d recorded requests", converted)
	}
}

// clientModes are ways to convert a client's request for a model of another provider.
var clientModes = map[string][]request.Option{
	"Gemini API":     {request.ForModel(flash25)},
	"Vertex AI":      {request.ForModel(pro3), request.ForVertexAI(), request.WithMetadataAsLabels()},
	"an older model": {request.ForModel(oldModel), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
}

// Requests of real clients go far beyond the description. Every changed value of them shows in the
// request for Gemini or in the report.
func TestNothingThatAClientSentIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		document := p.Read(t)
		leaves, err := leaftest.All(document)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for mode, opts := range clientModes {
			opts := append([]request.Option{request.WithoutValidation()}, opts...)
			before, report, err := geminiRequest(document, opts...)
			if err != nil {
				continue // which TestEveryAnsweredRequestOfAClientIsConverted allows or not
			}
			for _, l := range leaves {
				changed++
				after, reportAfter, err := geminiRequest(l.Change(document), opts...)
				if err == nil && bytes.Equal(before, after) && !report.Covers(l.Pointer) &&
					!reportAfter.Covers(l.Pointer) {
					t.Errorf("%s: %s: %s is lost silently", p.Name, mode, l.Pointer)
				}
			}
		}
	}
	if changed < corpustest.AtLeast(25000) {
		t.Errorf("only %d changes", changed)
	}
}

func TestReportsOnWhatClientsSentPointAtIt(t *testing.T) {
	t.Parallel()
	entries := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		document := p.Read(t)
		tree := openaitest.Tree(t, document)
		for mode, opts := range clientModes {
			_, allEntries, _ := geminiRequest(document, opts...)
			for _, e := range allEntries {
				entries++
				if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) {
					t.Errorf("%s: %s: %v", p.Name, mode, e)
				}
			}
		}
	}
	if entries < corpustest.AtLeast(1500) {
		t.Errorf("only %d entries", entries)
	}
}
