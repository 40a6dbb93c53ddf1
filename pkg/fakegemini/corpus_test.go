package fakegemini_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

// exchange is a recorded request with one of its answers.
type exchange struct {
	request, answer corpustest.Payload
}

// exchanges returns the recorded calls of generateContent, streamGenerateContent and countTokens
// with answers of some kinds.
func exchanges(t *testing.T, kinds ...corpustest.Kind) []exchange {
	t.Helper()
	requests := map[string]corpustest.Payload{}
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		requests[p.Name] = p
	}
	var out []exchange
	for _, kind := range kinds {
		for _, p := range corpustest.Payloads(t, kind) {
			if request, known := requests[p.Pair]; known &&
				slices.Contains([]string{"generateContent", "streamGenerateContent", "countTokens"},
					p.Endpoint) {
				out = append(out, exchange{request, p})
			}
		}
	}
	return out
}

// path is the path of the request: at the server and for the model that answered.
func (e exchange) path() string {
	model := "models/" + e.answer.Model + ":" + e.answer.Endpoint
	if e.answer.API == "vertex" {
		return "/v1beta1/projects/p/locations/global/publishers/google/" + model
	}
	return "/v1beta/" + model
}

// needsResource reports whether a request names a cache or a file, which a new server does not
// have.
func needsResource(request []byte) bool {
	return bytes.Contains(request, []byte(`"cachedContent"`)) ||
		bytes.Contains(request, []byte(`/v1beta/files/`))
}

// The fake server answers every recorded request that the real server answered, and the API could
// have sent its answers.
func TestRecordedRequestsAreAccepted(t *testing.T) {
	t.Parallel()
	accepted := map[string]bool{}
	for _, e := range exchanges(t, corpustest.Response, corpustest.Stream) {
		if needsResource(e.request.Read(t)) {
			continue
		}
		handler := newHandler(t, geminitest.WithModels(e.answer.Model))
		reply := do(t, handler, e.path(), e.request.Read(t))
		body := reply.Body.Bytes()
		if reply.Code != http.StatusOK {
			t.Errorf("%s, answered by %s: %s", e.request.Name, e.answer.Name, body)
			continue
		}
		checked := &failuretest.Recorder{TB: t}
		switch e.answer.Endpoint {
		case "streamGenerateContent":
			geminitest.CheckStream(checked, body)
		case "generateContent":
			geminitest.CheckResponse(checked, body)
		default:
			if count, err := gemini.DecodeCountTokensResponse(body); err != nil ||
				count.TotalTokens == nil {
				t.Errorf("%s: %s", e.request.Name, body)
			}
		}
		if checked.Failed() {
			t.Errorf("%s: %v", e.request.Name, checked.Texts())
		}
		accepted[e.request.Name] = true
	}
	t.Logf("%d requests", len(accepted))
	if len(accepted) < corpustest.AtLeast(200) {
		t.Errorf("only %d requests", len(accepted))
	}
}

func newHandler(t *testing.T, opts ...geminitest.Option) *fakegemini.Handler {
	t.Helper()
	handler, err := fakegemini.NewHandler(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// provocations are requests that cause the recorded refusals, by the names of the recordings.
var provocations = []struct {
	recording, path string
	// header is a name and a value; "" sends a key and a token.
	header, body string
}{
	{"mock-responses_googleai_unary-failure-api-key.error.json", oldPath, "X-Goog-Api-Key: bad", hello},
	{"mock-responses_googleai_unary-failure-unknown-model.error.json", "/v1/models/gemini-5.0-flash:generateContent", "", hello},
	{"py_src_braintrust_wrappers_cassettes_test_error_handling_00.error.json", "/v1beta/models/there-is-no-such-model:generateContent", "", hello},
	{"Chats_Tests_sendMessage_Send_message_stream_with_error_00.error.json", "/v1beta/models/custom-gemini-2.0-flash:streamGenerateContent?alt=sse", "", hello},
	{"llms_googleai_testdata_TestGoogleAIErrorHandling_00.error.json", "/v1beta/models/gemini-2.0-flash:generateContent", "X-None: x", hello},
	{"model_gemini_testdata_TestModel_TrackingHeaders_verifies_headers_are_set_vertex_enabled_00.error.json",
		"/v1beta1/projects/p/locations/us/publishers/google/models/gemini-2.0-flash:generateContent",
		"X-Goog-Api-Key: any", hello},
	{"400-missing-thought-signature.gemini.error.json", geminiPath, "",
		turns(question, `{"role":"model","parts":[{"functionCall":{"name":"get_current_time","args":{}}}]}`,
			`{"parts":[{"functionResponse":{"name":"get_current_time","response":{}}}]}`)},
	{"400-missing-thought-signature.vertex.error.json",
		strings.Replace(vertexPath, "generateContent", "streamGenerateContent", 1) + "?alt=sse", "",
		turns(question, `{"role":"model","parts":[{"text":"Noon."}]}`, question,
			`{"role":"model","parts":[{"text":"Wait."}]}`,
			`{"role":"model","parts":[{"functionCall":{"name":"xxx","args":{}}}]}`,
			`{"parts":[{"functionResponse":{"name":"xxx","response":{}}}]}`)},
	{"400-unknown-name-const.error.json", geminiPath, "", withParameters(`"a":{},"b":{},"c":{},"d":{"type":"STRING","const":1}`)},
	{"400-unknown-name-exclusiveMinimum.error.json", geminiPath, "", withParameters(`"a":{"type":"INTEGER","exclusiveMinimum":1}`)},
	{"400-not-repeating.error.json", geminiPath, "",
		ask(`"tools":[{"functionDeclarations":[{},{},{},{},{},{},{"name":"f","parameters":{"type":"OBJECT","properties":{
		"a":{},"b":{},"c":{},"d":{},"e":{"type":"OBJECT","properties":{"a":{},"b":{},"c":{},"d":{},"e":{"type":["STRING","NULL"]}}}}}}]}]`)},
	{"400-unknown-name-root.error.json", geminiPath, "", ask(`"stream":true`)},
}

// withParameters returns a request with a function whose parameters have properties.
func withParameters(properties string) string {
	return ask(`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{` +
		properties + `}}}]}]`)
}

// The fake server's refusals equal the recorded ones: status, message and details, except the
// DebugInfo that the servers of 2024 added.
func TestRecordedRefusalsAreReproduced(t *testing.T) {
	t.Parallel()
	recordings := map[string]corpustest.Payload{}
	for _, p := range corpustest.Payloads(t, corpustest.Error) {
		recordings[path.Base(p.Name)] = p
	}
	handler := newHandler(t, geminitest.WithAPIKeys("any"))
	for _, test := range provocations {
		recording, known := recordings[test.recording]
		if !known {
			t.Errorf("%s is not there", test.recording)
			continue
		}
		want := gemini.DecodeError(0, nil, recording.Read(t))
		r := request(test.path, []byte(test.body))
		if name, value, _ := strings.Cut(test.header, ": "); name != "" {
			r.Header = http.Header{name: {value}}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		got := gemini.DecodeError(w.Code, w.Header(), w.Body.Bytes())
		if diff := cmp.Diff(refused(want), refused(got)); diff != "" {
			t.Errorf("%s (-recorded +given): %s", test.recording, diff)
		}
	}
}

// refusal is the content of an error.
type refusal struct {
	HTTPStatus int
	Status     geminiapi.ErrorStatus
	Message    string
	Details    []geminiapi.ErrorDetail
}

func refused(err *gemini.Error) refusal {
	isDebugInfo := func(d geminiapi.ErrorDetail) bool { return strings.HasSuffix(*d.Type, ".DebugInfo") }
	details := slices.DeleteFunc(slices.Clone(err.Details), isDebugInfo)
	if len(details) == 0 {
		details = nil
	}
	return refusal{err.HTTPStatus, err.Status, err.Message, details}
}

// do sends a body with a key and a token.
func do(t *testing.T, handler http.Handler, path string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request(path, body))
	return w
}

func request(path string, body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("X-Goog-Api-Key", "any")
	r.Header.Set("Authorization", "Bearer any")
	return r
}
