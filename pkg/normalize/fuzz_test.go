package normalize_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
)

func addResponses(f *testing.F) {
	for _, body := range shapes() {
		f.Add([]byte(body))
	}
	f.Add([]byte(`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":-1}}`))
	f.Add([]byte(`{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`))
	f.Add([]byte(`{"candidates":[{"index":-7,"content":{"parts":[{"thought":true},{},{"text":"潮","thoughtSignature":"?"}]},
		"groundingMetadata":{"groundingChunks":[{"maps":{}}],"groundingSupports":[{"segment":{"partIndex":2,"startIndex":1,"endIndex":-9,
		"text":"潮"},"groundingChunkIndices":[0,7],"confidenceScores":["NaN",1]}]},"citationMetadata":{"citations":[{"endIndex":2}]},
		"logprobsResult":{"chosenCandidates":[{}],"topCandidates":[{"candidates":[{}]}]}}]}`))
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"function_call":{"name":"f","args":[1,{"a":"\ud83d\ude00"}]}},{"functionResponse":{"response":{"error":1}}},
		{"inlineData":{"data":"AA=="}},{"executableCode":{}},{"toolCall":{"args":{}}},{"x":1}]}}],"thoughtSignature":"s"}`))
}

// FuzzFromResponse checks that normalising a decodable response never panics. The result is a valid
// response that encoding and decoding does not change, or a documented error.
func FuzzFromResponse(f *testing.F) {
	addResponses(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		wire, err := gemini.DecodeResponse(data)
		if err != nil {
			t.Skip("not a response")
		}
		out, err := normalize.FromResponse(wire, fixedIDs)
		if err != nil {
			checkError(t, err)
			return
		}
		checkResponse(t, out)
	})
}

// FuzzParse checks that Parse reads all bytes that the codec reads, with the same result. For other
// bytes Parse returns a valid response or an error, and does not panic.
func FuzzParse(f *testing.F) {
	addResponses(f)
	f.Add([]byte(`{"candidates":["x",{"content":{"parts":[1,{"thought":1,"text":"a"},{"functionCall":"f"}]}}],"modelVersion":[]}`))
	f.Add([]byte(`{"candidates":{"content":{"parts":{"text":{}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := normalize.Parse(data, fixedIDs)
		if err != nil {
			if !errors.Is(err, normalize.ErrInvalidJSON) &&
				!errors.Is(err, normalize.ErrNotObject) {
				checkError(t, err)
			}
			return
		}
		encoded := checkResponse(t, out)
		wire, err := gemini.DecodeResponse(data)
		if (err == nil) != (len(out.Ignored) == 0) && err != nil {
			t.Fatalf("nothing is ignored, though the codec refuses it: %v", err)
		}
		if err != nil {
			return
		}
		direct, err := normalize.FromResponse(wire, fixedIDs)
		if err != nil {
			t.Fatalf("Parse reads what FromResponse refuses: %v", err)
		}
		if want := checkResponse(t, direct); !bytes.Equal(encoded, want) {
			t.Fatalf("Parse gives %s, FromResponse %s", encoded, want)
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		checkResponse(t, blocked.Response)
		return
	}
	_, isPart := errors.AsType[*normalize.PartError](err)
	_, isAPI := errors.AsType[*gemini.Error](err)
	_, isMalformed := errors.AsType[*wire.MalformedError](err)
	if !isPart && !isAPI && !isMalformed {
		t.Fatalf("an error of no documented type: %v", err)
	}
}

func checkResponse(t *testing.T, r *normalize.Response) []byte {
	t.Helper()
	if err := normalize.Validate(r); err != nil {
		t.Fatal(err)
	}
	encoded, err := normalize.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := normalize.Decode(encoded)
	if err != nil {
		t.Fatalf("%v in %s", err, encoded)
	}
	if err := normalize.Validate(decoded); err != nil {
		t.Fatal(err)
	}
	again, err := normalize.Encode(decoded)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, encoded) {
		t.Fatalf("encoded as %s, and again as %s", encoded, again)
	}
	return encoded
}
