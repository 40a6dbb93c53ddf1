package openai_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/openai"
)

// recordedAtOpenAI returns the bodies of a kind that OpenAI's own servers received or sent.
// Requests are included only if they were answered with success. Other servers of this format
// differ.
func recordedAtOpenAI(t *testing.T, kind corpustest.Kind) []corpustest.Payload {
	t.Helper()
	answered := map[string]bool{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "chat_completions", kind) {
			answered[p.Pair] = true
		}
	}
	return slices.DeleteFunc(corpustest.ClientPayloads(t, "chat_completions", kind),
		func(p corpustest.Payload) bool {
			return p.Host != "api.openai.com" || kind == corpustest.Request && !answered[p.Name]
		})
}

// OpenAI's servers decide which requests are valid.
func TestEveryRequestThatOpenAIAnsweredIsValid(t *testing.T) {
	t.Parallel()
	payloads := recordedAtOpenAI(t, corpustest.Request)
	for _, p := range payloads {
		in, err := openai.DecodeRequest(p.Read(t))
		if err == nil {
			err = openai.ValidateRequest(in)
		}
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if len(payloads) < corpustest.AtLeast(350) {
		t.Errorf("only %d requests", len(payloads))
	}
}

func TestEveryAnswerOfOpenAIsIsValid(t *testing.T) {
	t.Parallel()
	payloads := recordedAtOpenAI(t, corpustest.Response)
	for _, p := range payloads {
		if strings.Contains(p.Name, "image_input") {
			// the preview of GPT-4 with vision sent finish_details instead of a finish_reason
			continue
		}
		in, err := openai.DecodeResponse(p.Read(t))
		if err == nil {
			err = openai.ValidateResponse(in)
		}
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if len(payloads) < corpustest.AtLeast(300) {
		t.Errorf("only %d responses", len(payloads))
	}
}

func TestEveryStreamOfOpenAIsIsValidAndReadWithoutALoss(t *testing.T) {
	t.Parallel()
	payloads := recordedAtOpenAI(t, corpustest.Stream)
	for _, p := range payloads {
		if strings.Contains(p.Name, "azure") {
			// Azure's first chunk is about the prompt's filters, and names neither the answer nor
			// the model
			continue
		}
		r := openai.NewStreamReader(bytes.NewReader(p.Read(t)))
		for chunk, err := range r.All() {
			if err == nil {
				err = openai.ValidateChunk(chunk)
			}
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		if err := r.CheckEnd(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if report := r.Report(); len(report) > 0 {
			t.Errorf("%s: %v", p.Name, report)
		}
	}
	if len(payloads) < corpustest.AtLeast(100) {
		t.Errorf("only %d streams", len(payloads))
	}
}
