package normalize_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

func TestAnswerThatIsNotAnObjectSaysSoWithoutNamesOfPackages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body, whole, streamed string
		is                    error
	}{
		"prose":                {`not valid json`, "Invalid JSON response: offset 1: not JSON", "Invalid JSON response: not valid json", normalize.ErrInvalidJSON},
		"a page":               {`<title>Sign in</title>`, "Invalid JSON response: offset 0: not JSON", "Invalid JSON response: Sign in", normalize.ErrInvalidJSON},
		"a broken object":      {`{invalid json`, "Invalid JSON response: offset 1: not JSON", "Invalid JSON response: /0: offset 1: not JSON", normalize.ErrInvalidJSON},
		"a broken list":        {`[{"candidates":[]},x]`, "Invalid JSON response: /1: offset 19: not JSON", "Invalid JSON response: /1: offset 19: not JSON", normalize.ErrInvalidJSON},
		"a broken event":       {"data: {bad}\n\n", "Invalid JSON response: offset 0: not JSON", "Invalid JSON response: /0: offset 7: not JSON", normalize.ErrInvalidJSON},
		"a broken last event":  {"data: {bad", "Invalid JSON response: offset 0: not JSON", "Invalid JSON response: /0: offset 7: not JSON", normalize.ErrInvalidJSON},
		"more after an object": {`{"candidates":[]}x`, "Invalid JSON response: offset 17: data after the end of the payload", "Invalid JSON response: /1: offset 17: not JSON", normalize.ErrInvalidJSON},
		"a number":             {`3`, "Root is not an object: offset 0: an object was expected, found a number", "Root is not an object: /0: offset 0: an object was expected, found a number", normalize.ErrNotObject},
		"a list of numbers":    {`[3]`, "Root is not an object: offset 0: an object was expected, found a list", "Root is not an object: /0: offset 1: an object was expected, found a number", normalize.ErrNotObject},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := normalize.Parse([]byte(test.body))
			if diff := cmp.Diff("normalize: "+test.whole, err.Error()); diff != "" ||
				!errors.Is(err, test.is) {
				t.Errorf("Parse: %v", diff)
			}
			if described := normalize.FromError(err); described.Message != test.whole {
				t.Errorf("FromError: %s", described.Message)
			}
			var last normalize.Event
			for last = range normalize.ParseStream(strings.NewReader(test.body)) {
				continue
			}
			if diff := cmp.Diff(test.streamed, last.Error.Message); diff != "" ||
				!errors.Is(last.Error, test.is) {
				t.Errorf("ParseStream: %v", diff)
			}
		})
	}
}

func TestPageWithStatusOfSuccessIsInvalidJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`not valid json`:          "Invalid JSON response: not valid json",
		`<title>Sign in</title>`:  "Invalid JSON response: Sign in",
		`<html></html>`:           "Invalid JSON response",
		`{"error":{"message":7}}`: "Unknown error",
	} {
		cause := gemini.DecodeError(http.StatusOK, nil, []byte(body))
		isJSON := strings.HasPrefix(body, "{")
		for name, got := range map[string]*normalize.Error{
			"FromError":  normalize.FromError(cause),
			"ParseError": normalize.ParseError(http.StatusOK, nil, []byte(body)),
		} {
			if isJSON && name == "FromError" {
				continue // an error of the API has the text of its status there
			}
			if got.Message != want || errors.Is(got, normalize.ErrInvalidJSON) == isJSON {
				t.Errorf("%s of %q: %s", name, body, got.Message)
			}
		}
	}
	if failed := normalize.ParseError(http.StatusBadGateway, nil,
		[]byte(`not json`)); failed.Message != "HTTP 502" {
		t.Errorf("got %s for a status of failure", failed.Message)
	}
}

func TestBlockReasonThatIsNullRefusesThePromptAlsoInADecodedResponse(t *testing.T) {
	t.Parallel()
	const unknown = "normalize: Prompt blocked: Unknown reason"
	const answer = `"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]`
	for body, want := range map[string]string{
		`{"promptFeedback":{"blockReason":null}}`:                    unknown,
		`{"prompt_feedback":{"block_reason":null}}`:                  unknown,
		`{"promptFeedback":{"blockReason":null},"candidates":[]}`:    unknown,
		`{"promptFeedback":{"blockReason":null},"candidates":null}`:  unknown,
		`{"promptFeedback":{"blockReason":"","safetyRatings":null}}`: unknown,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`:                "normalize: Prompt blocked: SAFETY",
		`{"promptFeedback":{"blockReason":null},` + answer + `}`:     "",
		`{"promptFeedback":{}}`:                                      "",
		`{"promptFeedback":null}`:                                    "",
		`{"promptFeedback":{"safetyRatings":null}}`:                  "",
		`{"candidates":[]}`:                                          "",
		`{"candidates":null,"promptFeedback":null}`:                  "",
		`{}`: "",
		`{"promptFeedback":{"blockReason":null,"blockReasonMessage":"not so"}}`: unknown +
			": not so",
		`{"promptFeedback":{"safetyRatings":[{"blocked":true}],"blockReason": null}}`: unknown,
	} {
		response, err := gemini.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		read, err := gemini.ReadResponse(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_, decoded := normalize.FromResponse(response)
		_, fromReader := normalize.FromResponse(read)
		_, parsed := normalize.Parse([]byte(body))
		for name, err := range map[string]error{"FromResponse": decoded, "ReadResponse": fromReader,
			"Parse": parsed} {
			if text := textOf(err); text != want {
				t.Errorf("%s of %s: got %q, want %q", name, body, text, want)
			}
		}
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
