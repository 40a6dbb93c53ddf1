package gemini_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

// goodAnswer has every member that has a rule.
const goodAnswer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"It is warm."}]},"finishReason":"STOP","index":0,` +
	`"avgLogprobs":-0.5,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}],"groundingSupports":[` +
	`{"groundingChunkIndices":[0],"confidenceScores":[0.5],"segment":{"startIndex":0,"endIndex":5,"text":"It is"}}]},` +
	`"citationMetadata":{"citationSources":[{"startIndex":1,"endIndex":4}]},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT"}],` +
	`"logprobsResult":{"chosenCandidates":[{"token":"It","logProbability":-0.1}],"topCandidates":[{"candidates":[]}]}}],` +
	`"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3,"cachedContentTokenCount":1,` +
	`"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}]},"responseId":"r","modelVersion":"m"}`

// badAnswers has one bad answer for each rule: the replacement in the good answer, and the finding.
var badAnswers = []struct {
	name, before, after string
	want                string
}{
	{"promptTokenCount -1", `"promptTokenCount":1,"candidatesTokenCount":2`,
		`"promptTokenCount":-1,"candidatesTokenCount":4`,
		"error range /usageMetadata/promptTokenCount: must be at least 0, found -1"},
	{"index -1", `"index":0`, `"index":-1`, "error range /candidates/0/index: must be at least 0, found -1"},
	{"a support that cites chunk 9 of 0",
		`"groundingChunks":[{"web":{"uri":"https://a.example"}}],"groundingSupports":[{"groundingChunkIndices":[0]`,
		`"groundingSupports":[{"groundingChunkIndices":[9]`,
		"error within /candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/0: must be less than 0, the number of groundingChunks, found 9"},
	{"a segment from 5 to 1", `"startIndex":0,"endIndex":5`, `"startIndex":5,"endIndex":1`,
		"error order /candidates/0/groundingMetadata/groundingSupports/0/segment/endIndex: must be at least 5, the startIndex, found 1"},
	{"role user", `"role":"model"`, `"role":"user"`, `error role /candidates/0/content/role: must be "model"; the answer is the model's`},
	{"avgLogprobs 3", `"avgLogprobs":-0.5`, `"avgLogprobs":3`, "error range /candidates/0/avgLogprobs: must be at most 0, found 3"},
	{"two candidates of one index", `"candidates":[`,
		`"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},`,
		"error unique /candidates/1/index: must differ from the index of any earlier candidate, found 0"},
	{"a part with txt", `{"text":"It is warm."}`, `{"text":"It is warm."},{"txt":"a"}`,
		`warning unknown /candidates/0/content/parts/1/txt: is not a known member of Part; did you mean "text"?`},
	{"finishReason STOPPED", `"STOP"`, `"STOPPED"`, "warning oneof /candidates/0/finishReason: is not a known value; known are "},
	{"total 9 = 1 + 2", `"totalTokenCount":3`, `"totalTokenCount":9`,
		"error sum /usageMetadata/totalTokenCount: must be 3, the sum of prompt, candidates, thoughts and tool use, found 9"},
	{"more cached than the prompt has", `"cachedContentTokenCount":1`,
		`"cachedContentTokenCount":9`,
		"error within /usageMetadata/cachedContentTokenCount: must be at most 1, the promptTokenCount, which includes it, found 9"},
	{"two counts of one modality", `"promptTokensDetails":[`,
		`"promptTokensDetails":[{"modality":"TEXT"},`,
		"error unique /usageMetadata/promptTokensDetails/1/modality: must differ from the modality of any earlier count"},
	{"a count without its modality", `"modality":"TEXT",`, ``, "error required /usageMetadata/promptTokensDetails/0/modality: must be set"},
	{"a part without content", `{"text":"It is warm."}`, `{"text":"It is warm."},{}`, "error one_member /candidates/0/content/parts/1: must hold content, one of text, "},
	{"a part with two kinds", `{"text":"It is warm."}`,
		`{"text":"It is warm.","functionCall":{"name":"f"}}`,
		"error one_member /candidates/0/content/parts/0: must hold one of text and functionCall"},
	{"media without a type", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"inlineData":{"data":"AAAA"}}`,
		"error required /candidates/0/content/parts/1/inlineData/mimeType: must be set"},
	{"code without its text", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"executableCode":{"language":"PYTHON"}}`,
		"error required /candidates/0/content/parts/1/executableCode/code: must be set"},
	{"a result without an outcome", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"codeExecutionResult":{"output":"1"}}`,
		"error required /candidates/0/content/parts/1/codeExecutionResult/outcome: must be set"},
	{"a call without a name", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"functionCall":{}}`,
		"error required /candidates/0/content/parts/1/functionCall/name: must be set"},
	{"arguments in a list", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"functionCall":{"name":"f","args":[]}}`,
		"error type /candidates/0/content/parts/1/functionCall/args: must be an object, found a list"},
	{"a signature in another alphabet", `{"text":"It is warm."}`,
		`{"text":"It is warm.","thoughtSignature":"-_-_"}`,
		"warning format /candidates/0/content/parts/0/thoughtSignature: must be standard base64 with padding"},
	{"scores for other sources", `"confidenceScores":[0.5]`, `"confidenceScores":[0.5,0.5]`,
		"error length /candidates/0/groundingMetadata/groundingSupports/0/confidenceScores: must have 1 elements, one for each of groundingChunkIndices"},
	{"a score above 1", `"confidenceScores":[0.5]`, `"confidenceScores":[1.5]`,
		"error range /candidates/0/groundingMetadata/groundingSupports/0/confidenceScores/0: must be from 0 to 1, found 1.5"},
	{"a segment beyond the text", `"startIndex":0,"endIndex":5`, `"startIndex":20,"endIndex":25`,
		"error within /candidates/0/groundingMetadata/groundingSupports/0/segment/endIndex: must be at most 11, the number of bytes of the text, found 25"},
	{"a segment of a part that is missing", `"startIndex":0,`, `"partIndex":3,`,
		"error within /candidates/0/groundingMetadata/groundingSupports/0/segment/partIndex: must be less than 1, the number of parts, found 3"},
	{"a segment with another text", `"text":"It is"`, `"text":"It"`,
		"error length /candidates/0/groundingMetadata/groundingSupports/0/segment/text: must have 5 bytes, from startIndex to endIndex"},
	{"a citation from 4 to 1", `"startIndex":1,"endIndex":4`, `"startIndex":4,"endIndex":1`,
		"error order /candidates/0/citationMetadata/citationSources/0/endIndex: must be at least 4, the startIndex, found 1"},
	{"a probability above 1", `"logProbability":-0.1`, `"logProbability":0.1`,
		"error range /candidates/0/logprobsResult/chosenCandidates/0/logProbability: must be at most 0, found 0.1"},
	{"alternatives for other tokens", `"topCandidates":[{"candidates":[]}]`, `"topCandidates":[]`,
		"error length /candidates/0/logprobsResult/topCandidates: must have 1 elements, one for each of chosenCandidates"},
	{"a rating without its category", `{"category":"HARM_CATEGORY_HARASSMENT"}`,
		`{"probability":"LOW"}`,
		"error required /candidates/0/safetyRatings/0/category: must be set"},
	{"no end", `"finishReason":"STOP",`, ``, "error required /candidates/0/finishReason: must say why the candidate ended"},
	{"no candidates", goodAnswer, `{}`, "error required /candidates: must hold a candidate, or promptFeedback a blockReason"},
	{"an unknown member", `"responseId":"r"`, `"response":"r"`, `warning unknown /response: is not a known member of GenerateContentResponse; did you mean "responseId"?`},
	{"another spelling of a member", `"finishReason":"STOP"`,
		`"finishReason":"STOP","finish_message":"a"`,
		"error spelling /candidates/0/finish_message: must be spelled finishMessage"},
	{"a candidate that says nothing known", `{"content":{"role"`,
		`{"contents":1},{"content":{"role"`,
		"error content /candidates/0/content: must be set; the candidate has only unknown members"},
	{"a text for a number", `"totalTokenCount":3`, `"totalTokenCount":"3"`, `error type /usageMetadata/totalTokenCount: must be an integer, found "3"`},
	{"a fraction for a number", `"index":0`, `"index":0.5`, "error type /candidates/0/index: must be an integer, found 0.5"},
	{"an object for a list", `"parts":[{"text":"It is warm."}]`, `"parts":{"text":"It is warm."}`, "error type /candidates/0/content/parts: must be a list, found an object"},
	{"null for a text", `"responseId":"r"`, `"responseId":null`, "error type /responseId: must be a string, found null"},
	{"a malformed time", `"responseId":"r"`, `"createTime":"soon"`, `error format /createTime: must be a time such as 2026-01-31T12:00:00Z, found "soon"`},
	{"a member twice", `"responseId":"r"`, `"responseId":"r","responseId":"s"`, "error unique /responseId: must stand once in its object"},
	{"more tokens of a modality than in all", `"promptTokensDetails":[`,
		`"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":9}],"promptTokensDetails":[`,
		"error within /usageMetadata/candidatesTokensDetails: must add up to at most 2, the candidatesTokenCount, found 9"},
	{"two ratings of one category", `"safetyRatings":[`,
		`"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT"},`,
		"error unique /candidates/0/safetyRatings/1/category: must differ from the category of any earlier rating"},
	{"two calls of one id", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"id":"a","name":"g"}}`,
		"error unique /candidates/0/content/parts/2/functionCall/id: must differ from the id of any earlier call"},
	{"media of a type that is no MIME type", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"inlineData":{"mimeType":"png","data":"AAAA"}}`,
		"error mime_type /candidates/0/content/parts/1/inlineData/mimeType: must be a MIME type such as image/png"},
	{"a file of a type that is no MIME type", `{"text":"It is warm."}`,
		`{"text":"It is warm."},{"fileData":{"mimeType":"image/","fileUri":"u"}}`,
		"error mime_type /candidates/0/content/parts/1/fileData/mimeType: must be a MIME type such as image/png"},
	{"a source of two kinds", `{"web":{"uri":"https://a.example"}}`,
		`{"web":{"uri":"https://a.example"},"maps":{"uri":"u"}}`,
		"error one_member /candidates/0/groundingMetadata/groundingChunks/0: must hold one of web and maps"},
	{"a source that is cited twice", `"groundingChunkIndices":[0],"confidenceScores":[0.5]`,
		`"groundingChunkIndices":[0,0],"confidenceScores":[0.5,0.5]`,
		"error unique /candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/1: must differ from any earlier index, found 0"},
	{"a cut without its token", `"STOP"`, `"CONTINUATION"`, "error required /candidates/0/continuationToken: must be set, because finishReason is CONTINUATION"},
	{"a reason that says nothing", `"STOP"`, `"FINISH_REASON_UNSPECIFIED"`, "error required /candidates/0/finishReason: must be a reason; the API omits FINISH_REASON_UNSPECIFIED"},
	{"an empty id", `"responseId":"r"`, `"responseId":""`, "error required /responseId: must not be empty; the API omits a member without a value"},
	{"an empty model", `"modelVersion":"m"`, `"modelVersion":""`, "error required /modelVersion: must not be empty; the API omits a member without a value"},
	{"a refused prompt with an answer", `"responseId":"r"`,
		`"responseId":"r","promptFeedback":{"blockReason":"SAFETY"}`,
		"error refusal /promptFeedback/blockReason: must be absent, because there is a candidate"},
	{"an error with an answer", `"responseId":"r"`, `"responseId":"r","error":{"code":500}`, "error error : must be an answer, not an error of the API: gemini: 500"},
	{"characters that count below 0", `"totalTokenCount":3`,
		`"totalTokenCount":3,"billablePromptUsage":{"textCount":-1}`,
		"error range /usageMetadata/billablePromptUsage/textCount: must be at least 0, found -1"},
	{"a token of the turn that is a number", `"responseId":"r"`, `"responseId":"r","turnToken":1`, "error type /turnToken: must be a string, found 1"},
	{"an error", goodAnswer, `{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}`, "error error : must be an answer, not an error of the API: gemini: 404 NOT_FOUND: no"},
	{"no JSON", goodAnswer, `{"candidates":`, "error json /candidates: the JSON ends too early"},
}

func TestABadAnswerIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	if found := gemini.CheckResponse([]byte(goodAnswer)); found != nil {
		t.Fatalf("the good one: %v", found)
	}
	for _, test := range badAnswers {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(goodAnswer, test.before) {
				t.Fatalf("the good answer has no %s", test.before)
			}
			body := []byte(strings.Replace(goodAnswer, test.before, test.after, 1))
			found := gemini.CheckResponse(body)
			if !slices.ContainsFunc(found,
				func(v validation.Violation) bool { return strings.HasPrefix(lineOf(v), test.want) }) {
				t.Errorf("got %q, want %s", linesOf(found), test.want)
			}
			for _, v := range found {
				if at := v.Position; v.Rule != "error" &&
					(at.Line != 1 || at.Column != at.Offset+1 || at.Offset > len(body)) {
					t.Errorf("%v is at %+v", v, at)
				}
			}
		})
	}
}

// lineOf is a finding without its position.
func lineOf(v validation.Violation) string {
	return fmt.Sprintf("%s %s %s: %s", v.Severity, v.Rule, v.Pointer, v.Reason())
}

func linesOf(found []validation.Violation) (lines []string) {
	for _, v := range found {
		lines = append(lines, lineOf(v))
	}
	return lines
}

func TestGoodAnswersPass(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a refused prompt":               `{"promptFeedback":{"blockReason":"SAFETY"}}`,
		"a reason alone":                 `{"candidates":[{"finishReason":"SAFETY"}]}`,
		"enums as numbers":               `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":1}]}`,
		"thoughts within the candidates": `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":5,"thoughtsTokenCount":2,"totalTokenCount":6}}`,
		"a signature alone":              `{"candidates":[{"content":{"parts":[{"thoughtSignature":"AAAA"}]},"finishReason":"STOP"}]}`,
		"a piece of silence":             `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""}}]},"finishReason":"STOP"}]}`,
		"a segment in a text of 3 bytes": `{"candidates":[{"content":{"parts":[{"text":"€"}]},"finishReason":"STOP","groundingMetadata":{"groundingSupports":[{"segment":{"endIndex":3,"text":"€"}}]}}]}`,
		"arguments with any member":      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"index":-1,"text":null}}}]},"finishReason":"STOP"}]}`,
	} {
		if found := gemini.CheckResponse([]byte(body)); found != nil {
			t.Errorf("%s: %v", name, linesOf(found))
		}
	}
}

func TestABadStreamIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	chunk := func(members string) string { return "data: {" + members + `,"responseId":"r"}` + "\r\n\r\n" }
	text := func(text, more string) string {
		return chunk(`"candidates":[{"content":{"role":"model","parts":[{"text":"` + text + `"}]}` +
			more + `}]`)
	}
	const stop = `,"finishReason":"STOP"`
	support := func(chunks, index, end string) string {
		return stop + `,"groundingMetadata":{"groundingChunks":[` + chunks +
			`],"groundingSupports":[{"groundingChunkIndices":[` + index +
			`],"segment":{"endIndex":` + end + `}}]}`
	}
	call := func(call, more string) string {
		return chunk(`"candidates":[{"content":{"parts":[{"functionCall":` + call + `}]}` + more +
			`}]`)
	}
	for name, test := range map[string]struct{ body, want string }{
		"a good one":            {text("It is ", "") + text("warm.", stop), ""},
		"a list":                {`[{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}]`, ""},
		"a refused prompt":      {chunk(`"promptFeedback":{"blockReason":"SAFETY"}`), ""},
		"sources of all chunks": {text("It is ", `,"groundingMetadata":{"groundingChunks":[{"web":{}}]}`) + text("warm.", support(`{"web":{}}`, "1", "11")), ""},
		"a call in pieces":      {call(`{"name":"f","willContinue":true}`, "") + call(`{}`, stop), ""},
		"a source that is missing": {text("It is ", "") +
			text("warm.", support(`{"web":{}}`, "1", "3")),
			"error within /1/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/0: must be less than 1, the number of groundingChunks, found 1"},
		"a segment beyond the text": {text("It is ", "") +
			text("warm.", support(`{"web":{}}`, "0", "12")),
			"error within /1/candidates/0/groundingMetadata/groundingSupports/0/segment/endIndex: must be at most 11, the number of bytes of the text, found 12"},
		"a segment of a part that is missing": {text("It is ", "") +
			text("warm.",
				strings.Replace(support(`{"web":{}}`, "0", "3"), `"endIndex"`,
					`"partIndex":2,"endIndex"`, 1)),
			"error within /1/candidates/0/groundingMetadata/groundingSupports/0/segment/partIndex: must be less than 2, the number of parts, found 2"},
		"a piece of no call": {text("a", "") + call(`{}`, stop), "error continues /1/candidates/0/content/parts/0/functionCall/name: must be set, because no earlier call is open"},
		"another answer":     {text("a", "") + strings.Replace(text("b", stop), `"r"`, `"s"`, 1), `error identity /1/responseId: must be "r", as in earlier chunks`},
		"a candidate without an end": {text("a", stop) +
			chunk(`"candidates":[{"content":{"parts":[{"text":"b"}]},"index":1}]`),
			"error required /1/candidates/0/finishReason: must say why the candidate ended"},
		"another time": {strings.Replace(text("a", ""), `"responseId"`,
			`"createTime":"2026-01-01T00:00:00Z","responseId"`, 1) +
			strings.Replace(text("b", stop), `"responseId"`,
				`"createTime":"2026-01-02T00:00:00Z","responseId"`, 1),
			`error identity /1/createTime: must be "2026-01-01T00:00:00Z", as in earlier chunks`},
		"a text after a refusal": {text("a", `,"finishReason":"SAFETY"`) + text("b", stop), "error order /1/candidates/0/content: must not follow the finishReason SAFETY"},
		"a text after a round":   {text("a", stop) + text("b", stop), ""},
		"an answer after a refused prompt": {chunk(`"promptFeedback":{"blockReason":"SAFETY"}`) +
			text("a", stop),
			"error refusal /1/candidates: must be absent, because the prompt was refused"},
		"a call that does not end": {call(`{"name":"f","willContinue":true}`, stop), "error continues /0/candidates/0/content/parts/0/functionCall/willContinue: must be absent, because no piece of the call follows"},
		"two calls of one id": {call(`{"id":"a","name":"f"}`, "") +
			call(`{"id":"a","name":"g"}`, stop),
			"error unique /1/candidates/0/content/parts/0/functionCall/id: must differ from the id of any earlier call"},
		"no end":              {text("a", ""), "error stream /1: the stream is truncated: no finish reason"},
		"no chunk":            {"", "error "},
		"a count below 0":     {text("a", "") + chunk(`"usageMetadata":{"promptTokenCount":-1}`) + text("b", stop), "error range /1/usageMetadata/promptTokenCount: must be at least 0, found -1"},
		"an error":            {text("a", "") + `data: {"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}` + "\n\n", "error error /1: must be a chunk, not an error of the API: gemini: 503 UNAVAILABLE: busy"},
		"text between events": {"dat: x\r\n\r\n" + text("a", stop), "error framing /0: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := gemini.CheckStream([]byte(test.body))
			if test.want == "" && found != nil ||
				test.want != "" &&
					(found == nil || !strings.HasPrefix(lineOf(found[0]), test.want)) {
				t.Errorf("got %q, want %s", linesOf(found), test.want)
			}
		})
	}
}

func TestAFindingInAStreamHasItsPlaceInTheBody(t *testing.T) {
	t.Parallel()
	const first = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n"
	const second = "data: {\"candidates\":[{\"index\":"
	found := gemini.CheckStream([]byte(first + second + "-1,\"finishReason\":\"STOP\"}]}\n\n"))
	want := validation.Position{Offset: len(first + second), Line: 3, Column: len(second) + 1}
	if len(found) == 0 || found[0].Rule != "range" || found[0].Position != want {
		t.Errorf("got %+v, want it at %+v", found, want)
	}
}

func TestValidateResponseFindsWhatCheckResponseDoes(t *testing.T) {
	t.Parallel()
	for _, test := range badAnswers {
		body := []byte(strings.Replace(goodAnswer, test.before, test.after, 1))
		response, err := gemini.DecodeResponse(body)
		if err != nil || strings.HasPrefix(test.want, "error type") ||
			strings.HasPrefix(test.want, "error error") || strings.Contains(test.name, "twice") ||
			strings.Contains(test.name, "spelling") {
			continue // decoding refuses it, or mends it
		}
		invalid, _ := errors.AsType[*validation.Error](gemini.ValidateResponse(response))
		if invalid == nil ||
			!slices.ContainsFunc(invalid.Violations, func(v validation.Violation) bool {
				return strings.HasPrefix(test.want, string(v.Severity.String()+" "+v.Rule))
			}) {
			t.Errorf("%s: got %v, want %s", test.name, invalid, test.want)
		}
	}
	if err := gemini.ValidateResponse(nil); err == nil {
		t.Error("nothing is an answer")
	}
}

func TestAChunkNeedsNoEnd(t *testing.T) {
	t.Parallel()
	for name, chunk := range map[string]*geminiapi.GenerateContentResponse{
		"nothing":           {},
		"the end of a call": {Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{FunctionCall: &geminiapi.FunctionCall{}}}}}}},
	} {
		if err := gemini.ValidateChunk(chunk); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := gemini.ValidateChunk(&geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Index: new(-1)}}}); err == nil {
		t.Error("an index below 0 passes")
	}
}

// editedByHand are the answers in the corpus that people made or changed, with the rules that they
// break.
var editedByHand = map[string]string{
	"firebase-vertexai-sdk-test-data/mock-responses_googleai_unary-failure-only-prompt-feedback":             "required",
	"firebase-vertexai-sdk-test-data/mock-responses_googleai_unary-success-url-context.response":             "within",
	"firebase-vertexai-sdk-test-data/mock-responses_googleai_unary-success-url-context-mixed-validity":       "within",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-empty-content":                "stream",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-error-mid-stream":             "error",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-invalid-json":                 "stream",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-malformed-content":            "stream",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-success-image-invalid-safety-ratings": "required",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-success-quotes-escaped":               "stream",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-empty-content":                    "required",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-malformed-content":                "required",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-success-empty-part":                       "one_member",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-success-image-invalid-safety-ratings":     "required",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-success-missing-safety-ratings":           "required",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-success-url-context-missing-retrievedurl": "within",
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-success-url-context-mixed-validity":       "within",
	"gemini-cli/perf-tests_perf.asian-language.responses_01":                                                 "sum",
	"generative-ai-android/common_src_test_resources_golden-files_unary_success-unknown-enum":                "required",
	"generative-ai-js/test-utils_mock-responses_unary-success-basic-reply-long":                              "required",
	"generative-ai-js/test-utils_mock-responses_unary-success-basic-reply-short":                             "required",
	"generative-ai-js/test-utils_mock-responses_unary-success-logprobs":                                      "range spelling",
	"generative-ai-swift/Tests_GoogleAITests_GenerateContentResponses_streaming-failure-empty-content":       "stream",
	"generative-ai-swift/Tests_GoogleAITests_GenerateContentResponses_streaming-failure-invalid-json":        "stream",
	"generative-ai-swift/Tests_GoogleAITests_GenerateContentResponses_streaming-failure-malformed-content":   "stream",
	"generative-ai-swift/Tests_GoogleAITests_GenerateContentResponses_unary-success-citations":               "json",
	"langchainjs/libs_providers_langchain-google-common_src_tests_data_chat-3-input-audio-mock":              "required",
	"langchainjs/libs_providers_langchain-google-common_src_tests_data_chat-6-mock":                          "length",
	"langchainjs/libs_providers_langchain-google-common_src_tests_data_chat-stream-thinking-mock":            "stream",
	"lingua/transforms_chat-completions_to_google_systemMessageArrayContent-streaming":                       "stream",
	"prism/generate-text-with-a-prompt-with-no-thinking-budget-1":                                            "sum type",
	"prism/generate-text-with-a-prompt-with-thinking-budget-1":                                               "sum",
	"prism/image-detection-1":         "sum",
	"prism/media-detection-1":         "sum",
	"prism/media-detection-2":         "sum",
	"prism/tts-flash-1-1":             "required",
	"public-error-reports/midstream-": "error",
}

// The recordings confirm the rules: no answer of a server breaks one.
func TestNoRecordedAnswerBreaksARule(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for kind, check := range map[corpustest.Kind]func([]byte) []validation.Violation{
		corpustest.Response: gemini.CheckResponse,
		corpustest.Stream:   gemini.CheckStream,
	} {
		count := 0
		for _, p := range corpustest.Payloads(t, kind) {
			body := p.Read(t)
			if text := string(body); !strings.Contains(text, "candidates\"") &&
				!strings.Contains(text, "blockReason") && kind == corpustest.Response ||
				strings.Contains(text, `"response":`) {
				continue // the answer of another method, or one in an envelope
			}
			count++
			name, rules := byHand(p.Name)
			met[name] = true
			for _, v := range validation.Errors(check(body)) {
				if !strings.Contains(rules, v.Rule) {
					t.Errorf("%s: %s", p.Name, lineOf(v))
				}
				delete(met, name)
			}
		}
		if count < corpustest.AtLeast(500) {
			t.Errorf("%s: only %d", kind, count)
		}
	}
	delete(met, "")
	if diff := cmp.Diff(map[string]bool{}, met); diff != "" && !testing.Short() {
		t.Errorf("these break no rule any more:\n%s", diff)
	}
}

// byHand returns the entry of an answer that people made or changed, or "".
func byHand(name string) (entry, rules string) {
	for entry, rules := range editedByHand {
		if strings.HasPrefix(name, entry) {
			return entry, rules
		}
	}
	return "", ""
}
