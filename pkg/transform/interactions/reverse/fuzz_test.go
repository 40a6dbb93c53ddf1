package reverse_test

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json/jsontext"
)

// fuzzed is the name of documents that a fuzzer made.
const fuzzed = "fuzz"

// FuzzToGemini checks that every answer can be written and read as a Gemini response, and that no
// value is lost silently.
func FuzzToGemini(f *testing.F) {
	for _, tt := range facts {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		in, err := interactions.DecodeResponse(document)
		if err != nil {
			return
		}
		out, _, err := reverse.ToGemini(in)
		if err != nil {
			return
		}
		checkUnderstood(t, out)
		checkLeaves(t, fuzzed, document, 8)
		checkLeaves(t, fuzzed, document, 8, reverse.WithoutExtensions())
	})
}

// checkUnderstood checks that an answer can be written and read.
func checkUnderstood(t *testing.T, out *geminiapi.GenerateContentResponse) {
	t.Helper()
	data, err := gemini.EncodeResponse(out)
	if err != nil {
		return // a text that is not UTF-8
	}
	again, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	_, _ = normalize.FromResponse(again)
}

// FuzzStream checks that the result does not depend on how the body of a stream is split, and that
// no value is lost silently.
func FuzzStream(f *testing.F) {
	for _, tt := range streamed {
		f.Add(asBody(tt.events))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var whole, pieces bytes.Buffer
		_, errWhole := reverse.WriteStream(&whole,
			interactions.NewStreamReader(bytes.NewReader(body)).All())
		_, errPieces := reverse.WriteStream(&pieces,
			interactions.NewStreamReader(iotest.OneByteReader(bytes.NewReader(body))).All())
		if !bytes.Equal(whole.Bytes(), pieces.Bytes()) || (errWhole == nil) != (errPieces == nil) {
			t.Errorf("in one piece: %s, %v\nin pieces: %s, %v", &whole, errWhole, &pieces, errPieces)
		}
		if errWhole != nil {
			return
		}
		var events []string
		for _, data := range bytes.Split(body, []byte("\n")) {
			data, isEvent := bytes.CutPrefix(data, []byte("data: {"))
			if !isEvent {
				continue
			}
			event := "{" + string(bytes.TrimSpace(data))
			if !jsontext.Value(event).IsValid() {
				return
			}
			events = append(events, event)
		}
		if len(events) > 0 {
			checkEventLeaves(t, fuzzed, events, 8)
		}
	})
}
