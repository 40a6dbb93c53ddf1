package normalize_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// senselessValues has a value of each JSON type, and several values of a type if they may be
// handled differently.
var senselessValues = []string{
	`null`, `true`, `false`, `0`, `7`, `-1`, `1.5`, `1e99`, `""`, `"yes"`, `"7"`, `"\ud83d"`, `[]`,
	`[null]`, `["x"]`, `[{}]`, `[[]]`, `{}`, `{"a":1}`,
}

// TestWholeAndStreamedAgreeOnEveryMemberOfEveryType tries every value in every described member of
// a response. It tries each response alone and together with an answer.
func TestWholeAndStreamedAgreeOnEveryMemberOfEveryType(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, member := range plainjsontest.Members(
		reflect.TypeFor[geminiapi.GenerateContentResponse]()) {
		for _, value := range senselessValues {
			document := string(member.Document(value))
			for _, body := range []string{document, besideAnAnswer(document)} {
				whole, streamed := outcomeOfWhole(body), outcomeOfStream(body)
				count[kindOf(whole)]++
				if diff := cmp.Diff(whole, streamed); diff != "" {
					t.Errorf("%s: -whole +streamed:\n%s", body, diff)
				}
			}
		}
	}
	t.Log(count)
	if count["an answer"] < 3000 || count["blocked"] < 10 || count["an error"] < 20 {
		t.Errorf("only %v", count)
	}
}

func TestWholeAndStreamedAgreeOnWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"promptFeedback":{"blockReason":null}}`:                            "blocked",
		`{"prompt_feedback":{"block_reason":null}}`:                          "blocked",
		`{"promptFeedback":{"blockReason":{}}}`:                              "blocked",
		`{"promptFeedback":{"blockReason":""}}`:                              "blocked",
		`{"promptFeedback":{"blockReasonMessage":"no"}}`:                     "blocked",
		`{"promptFeedback":{"blockReason":null},` + answerOf(`{"text":"a"}`): "an answer",
		"{" + answerOf(`{"functionCall":{}}`):                                "an error",
		"{" + answerOf(`{"functionCall":{"willContinue":true}}`):             "an error",
		"{" + answerOf(`{"functionCall":{"args":{}}}`):                       "an error",
		"{" + answerOf(`{"functionCall":{"name":""}}`):                       "an error",
		"{" + answerOf(`{"functionCall":{"name":7}}`):                        "an error",
		"{" + answerOf(`{"functionCall":null},{"text":"a"}`):                 "an answer",
		"{" + answerOf(`{"functionCall":"f"},{"text":"a"}`):                  "an answer",
		"{" + answerOf(`{"functionCall":{"name":"f","args":"{}"}}`):          "an answer",
		"{" + answerOf(`{"functionCall":{"name":"f","args":[]}}`):            "an answer",
		"{" + answerOf(`{"text":"a","thought":"yes"}`):                       "an answer",
		"{" + answerOf(`{"text":7}`):                                         "an error",
		"{" + answerOf(`7,{"text":"a"},null,[],"x"`):                         "an answer",
		`{"modelVersion":123,` + answerOf(`{"text":"a"}`):                    "an answer",
		`{"usageMetadata":[],"responseId":{},` + answerOf(`{"text":"a"}`):    "an answer",
		`{"candidates":"x"}`:                                                 "nothing",
		`{"candidates":{"finishReason":"STOP","content":"x"}}`:               "an answer",
		`{"candidates":[7]}`:                                                 "nothing",
		`{"candidates":[{"content":{"parts":"x"},"finishReason":"STOP"}]}`:   "an answer",
		`{}`:                   "nothing",
		`{"error":{}}`:         "an error",
		`{"error":"x"}`:        "an error",
		`{"error":7}`:          "an error",
		`[]`:                   "an error",
		`[{"error":{}}]`:       "an error",
		`7`:                    "an error",
		`{"candidates":[{"fi`:  "an error",
		`{"responseId":"\ud8"`: "an error",
	} {
		whole, streamed := outcomeOfWhole(body), outcomeOfStream(body)
		if kindOf(whole) != want {
			t.Errorf("%s is %s, want %s", body, whole, want)
		}
		if diff := cmp.Diff(whole, streamed); diff != "" {
			t.Errorf("%s: -whole +streamed:\n%s", body, diff)
		}
	}
}

// answerOf returns the rest of a response whose answer has parts.
func answerOf(parts string) string {
	return `"candidates":[{"content":{"parts":[` + parts + `]},"finishReason":"STOP"}]}`
}

// besideAnAnswer adds an answer to a document, if the document has room for it.
func besideAnAnswer(document string) string {
	var body map[string]any
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	if decoder.Decode(&body) != nil {
		return document
	}
	if body["candidates"] == nil {
		body["candidates"] = []any{map[string]any{}}
	}
	if list, ok := body["candidates"].([]any); ok && len(list) > 0 {
		if candidate, ok := list[0].(map[string]any); ok && candidate["finishReason"] == nil {
			candidate["finishReason"] = "STOP"
		}
	}
	out, err := json.Marshal(body)
	if err != nil {
		return document
	}
	return string(out)
}

// outcomeOfWhole returns the result of a body as an answer, and outcomeOfStream the result of a
// body as the only event of a stream.
func outcomeOfWhole(body string) string {
	response, err := normalize.Parse([]byte(body), fixedIDs)
	if err == nil && !isFinished(response) {
		return "nothing" // which only a stream has an error for
	}
	if err == nil { // in the form of a stream, without parts and lists that are empty
		r, _, _ := gemini.DecodeForgiving([]byte(body))
		merged, _ := normalize.MergeChunks(r)
		response, err = normalize.FromResponse(merged, fixedIDs)
	}
	return outcome(response, err)
}

func outcomeOfStream(body string) string {
	reader := gemini.NewStreamReader(strings.NewReader("data: " + body + "\n\n"))
	response, err := normalize.Accumulate(normalize.Events(reader.All(), fixedIDs))
	if errors.Is(err, wire.ErrTruncated) {
		return "nothing"
	}
	return outcome(response, err)
}

// isFinished reports whether a candidate has a finish reason.
func isFinished(r *normalize.Response) bool {
	for i := range r.Candidates {
		if reason := r.Candidates[i].NativeFinishReason; reason != "" &&
			reason != geminiapi.FinishReasonUnspecified {
			return true
		}
	}
	return false
}

func outcome(response *normalize.Response, err error) string {
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		return "blocked: " + blocked.Error()
	}
	if err != nil {
		return "an error"
	}
	response.Ignored = nil // of a stream they are in the reader's report
	data, err := normalize.Encode(response)
	if err != nil {
		return "no JSON: " + err.Error()
	}
	return "an answer: " + string(data)
}

func kindOf(outcome string) string {
	kind, _, _ := strings.Cut(outcome, ":")
	return kind
}
