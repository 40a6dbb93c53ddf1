package request_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// These models accept different settings. 2.5 thinks by a budget. 3 thinks by levels and requires
// signatures. 3.6 does not continue a turn of its own.
const (
	flash25 = "gemini-2.5-flash"
	pro3    = "gemini-3.1-pro-preview"
	flash36 = "gemini-3.6-flash"
)

// refusedRequests maps parts of the names of recorded requests that cannot be converted to the
// reason.
var refusedRequests = map[string]string{
	"anthropic_files_test_anthropic_file_lifecycle": "names a file at Anthropic",
	"TestAnthropicComputerUse_":                     "differs from Gemini's computer use",
	// messages that are texts, which Anthropic refused too
	"anthropic_completion_error_00": "an object was expected, found a string",
	// the id belongs to another recording
	"tools_call_with_tool_result_stream_00": "does not match a call in the model's last turn",
}

// refusal returns the reason why a recorded request is refused, or "".
func refusal(name string) string {
	for part, reason := range refusedRequests {
		if strings.Contains(name, part) {
			return reason
		}
	}
	return ""
}

// Every request that a client sent and Anthropic answered successfully converts to a request for
// Gemini, unless it is in the list.
func TestEveryAnsweredRequestOfAClientIsConverted(t *testing.T) {
	t.Parallel()
	answered := map[string]bool{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "messages", kind) {
			answered[p.Pair] = answered[p.Pair] || p.HTTPStatus == "200"
		}
	}
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Request) {
		in, err := anthropic.DecodeRequest(p.Read(t))
		if err != nil {
			if reason := refusal(p.Name); reason == "" || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: answered %v: %v", p.Name, answered[p.Name], err)
			}
			continue
		}
		for _, model := range []string{flash25, pro3, flash36} {
			_, _, err := request.ToGemini(in, request.ForModel(model))
			switch reason := refusal(p.Name); {
			case err == nil:
				converted++
			case reason != "" && strings.Contains(err.Error(), reason):
			case model == flash36 &&
				// the model refuses it
				in.Messages[len(in.Messages)-1].Role == anthropicapi.RoleAssistant:
			default:
				t.Errorf("%s: answered %v: %s: %v", p.Name, answered[p.Name], model, err)
			}
		}
	}
	if converted < corpustest.AtLeast(500) {
		t.Errorf("only %d recorded requests", converted)
	}
}

// geminiRequest converts a request and returns it as bytes.
func geminiRequest(document []byte, opts ...request.Option) ([]byte, report.Report, error) {
	in, err := anthropic.DecodeRequest(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := request.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeRequest(out)
	return data, report, err
}

// modes are ways to convert a request for a model of another provider.
var modes = map[string][]request.Option{
	"Gemini API":    {request.ForModel(flash25)},
	"Vertex AI":     {request.ForModel(pro3), request.ForVertexAI()},
	"a later model": {request.ForModel(flash36), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
}

// Each changed value of a request shows in the request for Gemini or in the report.
func TestNothingThatAClientSentIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Request) {
		document := p.Read(t)
		leaves, err := leaftest.All(document)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		leaves = leaftest.Sample(leaves, leaftest.Enough(200))
		for mode, opts := range modes {
			opts := append([]request.Option{request.WithoutValidation()}, opts...)
			before, report, err := geminiRequest(document, opts...)
			if err != nil {
				continue // which TestEveryAnsweredRequestOfAClientIsConverted allows or not
			}
			for _, l := range leaves {
				changed++
				after, reportAfter, err := geminiRequest(l.Change(document), opts...)
				if err == nil && bytes.Equal(before, after) && !loses(report, l.Pointer) &&
					!loses(reportAfter, l.Pointer) {
					t.Errorf("%s: %s: %s is lost silently", p.Name, mode, l.Pointer)
				}
			}
		}
	}
	if changed < corpustest.AtLeast(10_000) {
		t.Errorf("only %d changes", changed)
	}
}

// loses reports whether an entry says that a value, or a value around it, is lost or approximated.
func loses(entries report.Report, pointer string) bool {
	return entries.Of(report.Lost).Covers(pointer) ||
		entries.Of(report.Approximated).Covers(pointer)
}

func TestReportsOnWhatClientsSentPointAtIt(t *testing.T) {
	t.Parallel()
	entries := 0
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Request) {
		document := p.Read(t)
		tree := openaitest.Tree(t, document)
		for mode, opts := range modes {
			_, allEntries, _ := geminiRequest(document, opts...)
			for _, e := range allEntries {
				entries++
				if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) {
					t.Errorf("%s: %s: %v", p.Name, mode, e)
				}
			}
		}
	}
	if entries < corpustest.AtLeast(500) {
		t.Errorf("only %d entries", entries)
	}
}

// Members of a later API version are reported, not lost silently.
func TestMembersOfALaterVersionAreReported(t *testing.T) {
	t.Parallel()
	for _, p := range leaftest.Sample(corpustest.ClientPayloads(t, "messages", corpustest.Request),
		leaftest.Enough(60)) {
		document := p.Read(t)
		inventions, err := leaftest.Inventions(document)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for _, l := range inventions {
			before, report, err := geminiRequest(document, request.WithoutValidation(),
				request.ForModel(pro3))
			if err != nil {
				break
			}
			after, reportAfter, err := geminiRequest(leaftest.Invent(document, []leaftest.Leaf{l}),
				request.WithoutValidation(), request.ForModel(pro3))
			isCovered := l.Pointer != "" && loses(report, l.Pointer)
			if err == nil && bytes.Equal(before, after) && len(report) == len(reportAfter) &&
				!isCovered {
				t.Errorf("%s: %s is lost silently", p.Name, l.Pointer)
			}
		}
	}
}
