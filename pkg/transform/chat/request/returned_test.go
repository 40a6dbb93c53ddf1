package request_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// Clients must send back unchanged what a later API version sends. This includes unknown members,
// part types and enum values.
func TestUndescribedValuesAreSentBackUnchanged(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, _ *geminiapi.GenerateContentResponse, wire []byte) {
			for _, document := range invented(t, wire) {
				checkReturned(t, [][]byte{document})
			}
		})
}

func TestUndescribedValuesOfAStreamAreSentBackUnchanged(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		if _, err := convertStream(wire, failure); err != nil {
			continue // a stream that failed has no turn
		}
		checked++
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var all [][]byte
			for _, chunk := range wire {
				document, err := gemini.EncodeResponse(chunk)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, document)
			}
			for i := range all {
				changed := slices.Clone(all)
				for _, document := range invented(t, all[i]) {
					changed[i] = document
					checkReturned(t, changed)
				}
				if i == 3 { // of the many alike
					break
				}
			}
		})
	}
	if checked < corpustest.AtLeast(500) {
		t.Errorf("only %d recorded streams", checked)
	}
}

// invented returns documents with one invention each, and one with all of them.
func invented(t testing.TB, document []byte) [][]byte {
	t.Helper()
	all, err := leaftest.Inventions(document)
	if err != nil {
		t.Fatal(err)
	}
	// that is another answer
	all = slices.DeleteFunc(all, func(l leaftest.Leaf) bool { return l.Pointer == "/candidates" })
	out := [][]byte{leaftest.Invent(document, all)}
	for _, invention := range leaftest.Sample(all, leaftest.Enough(40)) {
		out = append(out, invention.Change(document))
	}
	return out
}

// checkReturned converts the documents, streamed and whole, and sends the messages back.
func checkReturned(t testing.TB, documents [][]byte) {
	t.Helper()
	var wire []*geminiapi.GenerateContentResponse
	for _, document := range documents {
		wire = append(wire, openaitest.Decode(t, string(document)))
	}
	var backend []request.Option
	// only Vertex AI sends and accepts it
	if bytes.Contains(bytes.Join(documents, nil), []byte(`"partialArgs"`)) {
		backend = append(backend, request.ForVertexAI())
	}
	in, _ := normalize.MergeChunks(wire...)
	if whole, report, err := chat.FromGemini(in); err == nil {
		if err := openai.ValidateResponse(whole); err != nil || report.Strict() != nil {
			t.Errorf("%v, %v", err, report.Strict())
		}
		checkComesBack(t, in, whole, backend...)
	}
	if chunks, err := convertStream(wire, nil); err == nil {
		checkComesBack(t, in, openaitest.Accumulate(chunks), backend...)
	}
	if t.Failed() {
		t.Fatalf("%.2000s", documents)
	}
}

// A caller's own mistake is still reported.
func TestUnknownMembersThatTheCallerWroteAreRefused(t *testing.T) {
	t.Parallel()
	const called = hello +
		`,{"role":"assistant","extra_content":{"google":{"parts":[{"index":0,"part":{"newKind":{"a":1}}}]}}},` +
		hello
	for members, pointer := range map[string]string{
		`"extra_body":{"google":{"safety_settings":[{"categry":"x"}]}}`: "/extra_body/google/safety_settings/0/categry",
		`"extra_body":{"google":{"tools":[{"newTool":{}}]}}`:            "/extra_body/google/tools/0/newTool",
	} {
		in := openaitest.DecodeRequest(t,
			`{"model":"`+flash25+`","messages":[`+called+`],`+members+`}`)
		_, _, err := request.ToGemini(in)
		if err == nil || !strings.Contains(err.Error(), pointer) ||
			strings.Contains(err.Error(), "newKind") {
			t.Errorf("%s: %v", members, err)
		}
	}
}
