package gemini_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// exchange is a recorded request with one of its answers.
type exchange struct {
	request, answer corpustest.Payload
	// model and backend come from the answer, because one recorded request may have been sent to
	// both backends.
	model, backend string
}

// exchanges returns the recorded calls of generateContent and streamGenerateContent.
func exchanges(t *testing.T, answers ...corpustest.Kind) []exchange {
	t.Helper()
	requests := map[string]corpustest.Payload{}
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		requests[p.Name] = p
	}
	index := readIndex(t)
	var out []exchange
	for _, kind := range answers {
		for _, answer := range corpustest.Payloads(t, kind) {
			request, known := requests[answer.Pair]
			if !known ||
				!slices.Contains([]string{"generateContent", "streamGenerateContent"},
					index[request.Name]["endpoint"]) {
				continue
			}
			row := index[answer.Name]
			out = append(out, exchange{request, answer, row["model"], row["api"]})
		}
	}
	return out
}

// readIndex returns the rows of the corpus' index by the name of the file.
func readIndex(t *testing.T) map[string]map[string]string {
	t.Helper()
	index := map[string]map[string]string{}
	for _, row := range readTable(t, "corpus/index.csv") {
		index[row["file"]] = row
	}
	return index
}

// readTable returns the rows of a file next to the checkout, by the names of the columns.
func readTable(t *testing.T, entry string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(corpustest.Shared(t, entry))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table []map[string]string
	for _, row := range rows[1:] {
		columns := map[string]string{}
		for i, name := range rows[0] {
			columns[name] = row[i]
		}
		table = append(table, columns)
	}
	return table
}

func (e exchange) options() []gemini.ValidateOption {
	opts := []gemini.ValidateOption{gemini.ForModel(e.model)}
	if e.backend == "vertex" {
		return append(opts, gemini.ForVertexAI())
	}
	return append(opts, gemini.ForGeminiAPI())
}

// A request that the API answered was not refused.
func TestEveryRecordedRequestThatWasAnsweredIsValid(t *testing.T) {
	t.Parallel()
	checked, unreadable := 0, 0
	for _, e := range exchanges(t, corpustest.Response, corpustest.Stream) {
		request, err := gemini.DecodeRequest(e.request.Read(t))
		if err != nil {
			if _, malformed := errors.AsType[*wire.MalformedError](err); !malformed {
				t.Errorf("%s: %v", e.request.Name, err)
			}
			unreadable++
			continue
		}
		checked++
		for _, opts := range [][]gemini.ValidateOption{e.options(), nil, {gemini.ForModel(e.model)},
			e.options()[1:]} {
			if err := gemini.ValidateRequest(request, opts...); err != nil {
				t.Errorf("%s, answered for %s by %s as %s:\n%v", e.request.Name, e.model, e.backend,
					e.answer.Name, err)
			}
		}
	}
	t.Logf("%d exchanges, and %d whose request is not readable", checked, unreadable)
	if checked < corpustest.AtLeast(590) || unreadable > 0 {
		t.Errorf("%d exchanges were checked, %d could not be read", checked, unreadable)
	}
}

// An answer of the API can be sent back to it, with results for its function calls.
func TestEveryRecordedAnswerCanBeSentBack(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, e := range exchanges(t, corpustest.Response, corpustest.Stream) {
		request, err := gemini.DecodeRequest(e.request.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", e.request.Name, err)
		}
		turn := answeredTurn(t, e.answer)
		if len(turn.Parts) == 0 {
			continue // a blocked prompt, or a model that said nothing
		}
		checked++
		request.Contents = append(slices.Clip(request.Contents), turn, replyTo(turn))
		if err := gemini.ValidateRequest(request, e.options()...); err != nil {
			t.Errorf("%s, answered for %s by %s as %s, and sent back:\n%v", e.request.Name, e.model,
				e.backend, e.answer.Name, err)
		}
	}
	t.Logf("%d exchanges", checked)
	if checked < corpustest.AtLeast(500) {
		t.Errorf("%d exchanges were checked", checked)
	}
}

// answeredTurn returns the turn of the first candidate of an answer; for a stream it has all parts
// in order.
func answeredTurn(t *testing.T, p corpustest.Payload) geminiapi.Content {
	t.Helper()
	turn := geminiapi.Content{Role: new("model")}
	add := func(r *geminiapi.GenerateContentResponse) {
		for _, candidate := range r.Candidates {
			if candidate.Content != nil && (candidate.Index == nil || *candidate.Index == 0) {
				turn.Parts = append(turn.Parts, candidate.Content.Parts...)
			}
		}
	}
	if p.Kind == corpustest.Response {
		r, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		add(r)
		return turn
	}
	chunks := gemini.NewStreamReader(bytes.NewReader(p.Read(t)))
	for {
		chunk, err := chunks.Next()
		if err != nil {
			return turn
		}
		add(chunk)
	}
}

// replyTo returns results for the functions that a turn calls, or a text if it calls none or has
// the results.
func replyTo(turn geminiapi.Content) geminiapi.Content {
	reply := geminiapi.Content{Role: new("user")}
	for _, part := range turn.Parts {
		if part.FunctionResponse != nil {
			return geminiapi.Content{Role: new("user"),
				Parts: []geminiapi.Part{{Text: new("Go on.")}}}
		}
		if call := part.FunctionCall; call != nil && call.Name != nil {
			reply.Parts = append(reply.Parts,
				geminiapi.Part{FunctionResponse: &geminiapi.FunctionResponse{ID: call.ID,
					Name: call.Name}})
		}
	}
	if reply.Parts == nil {
		reply.Parts = []geminiapi.Part{{Text: new("Go on.")}}
	}
	return reply
}

// refusal is a recorded reply with HTTP 400, and what is known about it before sending.
type refusal struct {
	// request is our request that is refused for the same reason at the same location. The recorded
	// requests are unknown.
	request string
	opts    []gemini.ValidateOption
	at      string
	// unknowable says why the request itself does not show it.
	unknowable string
}

const (
	aboutTheKey    = "the key is not in the request"
	aboutTheRegion = "where the caller is, is not in the request"
	aboutTheMedia  = "media are not opened"
	aboutTheCache  = "what is in a cache is not in the request"
	aboutTokens    = "tokens are counted by the backend alone"
	withoutReason  = "the reply gives no reason"
)

var refusals = map[string]refusal{
	"public-error-reports/400-missing-thought-signature.gemini.error.json": {
		request: turns(question, `m:{"functionCall":{"name":"get_current_time"}}`,
			`u:{"functionResponse":{"name":"get_current_time"}}`),
		opts: []gemini.ValidateOption{gemini.ForModel("gemini-3-pro-preview"),
			gemini.ForGeminiAPI()}, at: "/contents/1/parts/0/thoughtSignature"},
	"public-error-reports/400-missing-thought-signature.vertex.error.json": {
		request: turns(question, `m:`+signedA, `u:`+answerA, `m:`+callB, `u:`+answerB),
		opts: []gemini.ValidateOption{gemini.ForModel("gemini-3-pro-preview"),
			gemini.ForVertexAI()}, at: "/contents/3/parts/0/thoughtSignature"},
	"public-error-reports/400-unknown-name-const.error.json": {
		request: declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","const":"x"}}}`),
		at:      "/tools/0/functionDeclarations/0/parameters/properties/a/const"},
	"public-error-reports/400-unknown-name-exclusiveMinimum.error.json": {
		request: declared(`{"type":"OBJECT","properties":{"a":{"type":"NUMBER","exclusiveMinimum":0}}}`),
		at:      "/tools/0/functionDeclarations/0/parameters/properties/a/exclusiveMinimum"},
	"public-error-reports/400-unknown-name-root.error.json": {request: ask(`"stream":true`), at: "/stream"},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-invalid-context-cache-id.error.json": {
		request: ask(`"cachedContent":"1234567890"`), opts: toVertex, at: "/cachedContent"},

	"public-error-reports/400-not-repeating.error.json":                                                                                  {unknowable: "a list of types is no request: DecodeRequest refuses it"},
	"public-error-reports/400-unknown-name-id-vertex.error.json":                                                                         {unknowable: "Vertex AI has taken ids since the middle of 2026"},
	"public-error-reports/400-request-contains-invalid-argument.error.json":                                                              {unknowable: withoutReason},
	"public-error-reports/400-api-key-not-found.error.json":                                                                              {unknowable: aboutTheKey},
	"public-error-reports/400-user-location.error.json":                                                                                  {unknowable: aboutTheRegion},
	"firebase-vertexai-sdk-test-data/mock-responses_googleai_unary-failure-api-key.error.json":                                           {unknowable: aboutTheKey},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-api-key.error.json":                                           {unknowable: aboutTheKey},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-api-key.error.json":                                       {unknowable: aboutTheKey},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_streaming-failure-http-error.error.json":                                    {unknowable: withoutReason},
	"firebase-vertexai-sdk-test-data/mock-responses_googleai_streaming-failure-image-rejected.error.json":                                {unknowable: aboutTheMedia},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-image-rejected.error.json":                                    {unknowable: aboutTheMedia},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-context-cache-model-doesnt-match.error.json":                  {unknowable: aboutTheCache},
	"firebase-vertexai-sdk-test-data/mock-responses_vertexai_unary-failure-unsupported-user-location.error.json":                         {unknowable: aboutTheRegion},
	"ruby_llm/es_vcr_cassettes_chat_real_error_scenarios_vertexai_gemini-2_5-flash_handles_context_length_exceeded_errors_01.error.json": {unknowable: aboutTokens},
}

func TestEveryRecordedRefusalIsFoundOrCannotBeKnown(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, p := range corpustest.Payloads(t, corpustest.Error) {
		status, _ := strconv.Atoi(p.HTTPStatus)
		if gemini.DecodeError(status, nil, p.Read(t)).HTTPStatus != http.StatusBadRequest {
			continue
		}
		row, ok := refusals[p.Name]
		if !ok {
			t.Errorf("nothing is said of %s", p.Name)
			continue
		}
		seen++
		if row.unknowable != "" {
			continue
		}
		if problems := problemsOf(t, row.request, row.opts...); len(problems) != 1 ||
			problems[0].Pointer != row.at {
			t.Errorf("%s: the problems are %v, want one at %s", p.Name, problems, row.at)
		}
	}
	if seen != len(refusals) {
		t.Errorf("%d refusals are recorded, and %d described", seen, len(refusals))
	}
}

// A request is valid if it was refused for a reason that the request does not show.
func TestRecordedRequestsThatWereRefusedForOtherReasonsAreValid(t *testing.T) {
	t.Parallel()
	refused := exchanges(t, corpustest.Error)
	for _, e := range refused {
		request, err := gemini.DecodeRequest(e.request.Read(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := gemini.ValidateRequest(request, e.options()...); err != nil {
			t.Errorf("%s, refused as %s: %v", e.request.Name, e.answer.Name, err)
		}
	}
	if len(refused) == 0 {
		t.Error("no refused request is recorded")
	}
}
