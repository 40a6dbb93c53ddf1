package gemini_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// seeds gives a fuzz target one payload for each kind of leniency and each kind of error.
func seeds(f *testing.F) {
	for _, p := range payloadtest.All()[:2] {
		f.Add(p.Body)
	}
	for _, seed := range []string{
		``, `null`, `[]`, `{"candidates":[null]}`,
		`{"candidates":{"content":{"parts":{"text":"a"}}}}`,
		`{"candidates":[{"finish_reason":3,"avg_logprobs":"NaN","token_count":"4e1","safetyRatings":[{"category":7}]}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"args":null,"x":null}},{"functionCall":{"args":{"b":1e400,"a":"\u003c"}}}]}}]}`,
		`{"contents":{"parts":{"inline_data":{"mime_type":"a/b","data":"-_-_"}}},"generationConfig":{"stopSequences":"a","responseSchema":{"type":"object","minItems":2.0,"properties":{"a_b":{"anyOf":{}}}}}}`,
		`{"responseId":"a","responseId":"b"}`, "{\"x\":\"\xff\"}", `{"x":[[[[{}]]]]}`,
		`{"candidates":[{"content"`, `{} {}`,
		`{"generationConfig":{"temperature":-0.0,"topK":-0,"seed":9223372036854775807}}`,
	} {
		f.Add([]byte(seed))
	}
}

func FuzzDecodeResponse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		checkStable(t, data,
			func(b []byte) ([]byte,
				error) {
				return roundTrip(b, gemini.DecodeResponse, gemini.EncodeResponse)
			})
	})
}

func FuzzDecodeRequest(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		checkStable(t, data,
			func(b []byte) ([]byte,
				error) {
				return roundTrip(b, gemini.DecodeRequest, gemini.EncodeRequest)
			})
	})
}

// checkStable requires that a payload is refused with a location in it, or has a canonical form
// that is valid JSON and its own canonical form.
func checkStable(t *testing.T, data []byte, trip func([]byte) ([]byte, error)) {
	once, err := trip(data)
	if err != nil {
		malformed, ok := errors.AsType[*wire.MalformedError](err)
		if !ok {
			t.Fatalf("%q decodes, but does not encode: %v", data, err)
		}
		if malformed.Offset < 0 || malformed.Offset > int64(len(data)) || malformed.Message == "" {
			t.Fatalf("%q: offset %d, reason %q", data, malformed.Offset, malformed.Message)
		}
		return
	}
	if !json.Valid(data) || !json.Valid(once) {
		t.Fatalf("%q becomes %q; both must be JSON", data, once)
	}
	twice, err := trip(once)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("%q becomes %q and then %q, error %v", data, once, twice, err)
	}
}

func FuzzDecodeError(f *testing.F) {
	seeds(f)
	for _, seed := range []string{
		quotaBody, "[" + quotaBody + "]", `{"error":{"errors":[{"reason":"forbidden"}]}}`,
		`{"error":"text"}`, `<title>Error 404</title>`,
		`{"retryDelay":"60s"}`, `{"code":503,"message":"m","status":"UNAVAILABLE"}`,
		`{"error":{"code":8}}`, "plain", "key=AIzaSyD0123456789",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e := gemini.DecodeError(0, nil, data)
		if !bytes.Equal(e.RawBody(), data) {
			t.Fatalf("the raw body is %q", e.RawBody())
		}
		if e.RetryAfter < 0 || e.HTTPStatus != 0 && e.HTTPStatus < 100 {
			t.Fatalf("%q: retry after %v, status %d", data, e.RetryAfter, e.HTTPStatus)
		}
		if !utf8.ValidString(e.Message) || e.Error() == "" {
			t.Fatalf("%q: message %q", data, e.Message)
		}
		if again := gemini.DecodeError(e.HTTPStatus, nil, data); again.Error() != e.Error() {
			t.Fatalf("%q: %v, the second time %v", data, e, again)
		}
	})
}
