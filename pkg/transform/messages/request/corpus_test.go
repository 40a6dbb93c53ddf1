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

// Models that differ in what they take: 2.5 thinks by a budget, 3 by levels and wants signatures,
// 3.6 does not go on with a turn of its own.
const (
	flash25 = "gemini-2.5-flash"
	pro3    = "gemini-3.1-pro-preview"
	flash36 = "gemini-3.6-flash"
)

// refusedRequests are recorded requests that cannot be converted, by a part of their names, with
// the reason that each is refused for.
var refusedRequests = map[string]string{
	"anthropic_files_test_anthropic_file_lifecycle": "names a file at Anthropic",
	"TestAnthropicComputerUse_":                     "differs from Gemini's computer use",
	// messages that are texts, which Anthropic refused too
	"anthropic_completion_error_00": "an object was expected, found a string",
	// the id of another recording
	"tools_call_with_tool_result_stream_00": "does not match a call in the model's last turn",
}

// refusal returns the reason that a recorded request is refused for, "" for none.
func refusal(name string) string {
	for part, reason := range refusedRequests {
		if strings.Contains(name, part) {
			return reason
		}
	}
	return ""
}

// Whatever a client sent and Anthropic answered with success is a request for Gemini too, unless it
// is in the list.
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
				// which it refuses
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

// geminiRequest converts a request, as bytes.
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

// modes are ways to convert a request whose model is one of another maker.
var modes = map[string][]request.Option{
	"Gemini API":    {request.ForModel(flash25)},
	"Vertex AI":     {request.ForModel(pro3), request.ForVertexAI()},
	"a later model": {request.ForModel(flash36), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
}

// Whatever leaf of a request is changed, the request for Gemini or the report tells.
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

// loses reports whether an entry tells that a leaf, or a value that it is in, is lost or
// approximated.
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

// What a later version of the API may have is reported, not lost.
func TestWhatALaterVersionHasIsReported(t *testing.T) {
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
