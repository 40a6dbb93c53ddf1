package gateway_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
)

const embeddingsPath = "/v1/embeddings"

// embeddingsOf returns the embeddings of an answer, which must have some.
func embeddingsOf(t testing.TB,
	answer *httptest.ResponseRecorder) *openaiapi.CreateEmbeddingResponse {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.OpenAI(t, "CreateEmbeddingResponse", answer.Body.Bytes())
	embeddings, err := openai.DecodeEmbeddingResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i, embedding := range embeddings.Data {
		if embedding.Index != i {
			t.Fatalf("vector %d has the index %d", i, embedding.Index)
		}
	}
	return embeddings
}

// numbers returns the numbers of a vector in the form float.
func numbers(t testing.TB, embedding openaiapi.Embedding) []float64 {
	t.Helper()
	values, ok := embedding.Embedding.AsValue()
	if !ok {
		t.Fatal("the vector is no list of numbers")
	}
	return values
}

// decoded returns the numbers of a vector in the form base64, as clients read them.
func decoded(t testing.TB, embedding openaiapi.Embedding) []float32 {
	t.Helper()
	text, ok := embedding.Embedding.AsString()
	if !ok {
		t.Fatal("the vector is no string")
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var values []float32
	for ; len(raw) >= 4; raw = raw[4:] {
		values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	}
	return values
}

func lengthOf(values []float64) float64 {
	square := 0.0
	for _, v := range values {
		square += v * v
	}
	return math.Sqrt(square)
}

// The npm package openai and LangChain request base64 by default, and decode only base64
// (RooCodeInc/Roo-Code#4462, openai-node#1542, gbrain#220, LocalAI#9135, litellm#42421,
// Flowise#6197).
func TestBase64IsTheSameVectorInSinglePrecision(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	const request = `{"model":"gemini-embedding-001","input":["one","two"],"encoding_format":%q}`
	plain := embeddingsOf(t, post(handler, embeddingsPath, fmt.Sprintf(request, "float")))
	coded := embeddingsOf(t, post(handler, embeddingsPath, fmt.Sprintf(request, "base64")))
	for i := range plain.Data {
		want := numbers(t, plain.Data[i])
		got := decoded(t, coded.Data[i])
		if len(got) != 3072 || len(want) != 3072 {
			t.Fatalf("vector %d has %d numbers in base64 and %d in float", i, len(got), len(want))
		}
		for j := range got {
			if got[j] != float32(want[j]) {
				t.Fatalf("number %d of vector %d is %v, in float %v", j, i, got[j], want[j])
			}
		}
	}
	if slices.Equal(numbers(t, plain.Data[0]), numbers(t, plain.Data[1])) {
		t.Error("two texts have one vector")
	}
}

// AI SDK sends float. Others send nothing, which means float for OpenAI.
func TestNumbersComeWithoutAnEncodingFormat(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, format := range []string{``, `,"encoding_format":"float"`, `,"encoding_format":null`} {
		body := embeddingsOf(t,
			post(handler, embeddingsPath, `{"model":"gemini-embedding-001","input":"x"`+format+`}`))
		if n := len(numbers(t, body.Data[0])); n != 3072 {
			t.Errorf("%s: %d numbers", format, n)
		}
		if body.Object != "list" || body.Data[0].Object != "embedding" ||
			body.Model != "gemini-embedding-001" {
			t.Errorf("not embeddings: %+v", body)
		}
	}
}

// The input is a text or a list of up to 2,048 texts. Gemini accepts fewer at once.
func TestVectorsComeInTheOrderOfTheirTexts(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	texts := make([]string, 205)
	for i := range texts {
		texts[i] = strconv.Quote("text number " + strconv.Itoa(i))
	}
	ask := func(texts ...string) []openaiapi.Embedding {
		return embeddingsOf(t, post(handler, embeddingsPath,
			`{"model":"gemini-embedding-2","dimensions":8,"input":[`+strings.Join(texts, ",")+
				`]}`)).Data
	}
	all := ask(texts...)
	if len(all) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(all), len(texts))
	}
	server.AssertCalls(3, geminitest.Operation("batchEmbedContents"))
	for _, i := range []int{0, 99, 100, 199, 200, 204} {
		if one := ask(texts[i]); !slices.Equal(numbers(t, one[0]), numbers(t, all[i])) {
			t.Errorf("vector %d is not that of its text", i)
		}
	}
}

func TestTokenIDsAreRefusedAsSuch(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for input, param := range map[string]string{
		`[9906,1917]`: "input[0]", `[[9906,1917],[1]]`: "input[0]", `["text",[1,2]]`: "input[1]",
		`["text",7]`: "input[1]",
	} {
		e := errorOf(t, post(handler, embeddingsPath,
			`{"model":"gemini-embedding-001","input":`+input+`}`), http.StatusBadRequest)
		if jsonx.Deref(e.Param) != param || jsonx.Deref(e.Code) != "unsupported_value" ||
			!strings.Contains(e.Message, "token ids") {
			t.Errorf("%s: %+v", input, e)
		}
	}
}

func TestErrorsOfARequestForEmbeddingsUseOpenAIsNames(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithDefaultModel("gemini-2.5-flash"))
	many := strings.TrimSuffix(strings.Repeat(`"x",`, 2049), ",")
	for body, want := range map[string]struct{ param, code, message string }{
		`{"input":"x"}`: {"model", "missing_required_parameter",
			"/model"},
		`{"model":"m"}`: {"input", "missing_required_parameter",
			"/input"},
		`{"model":"m","input":[]}`: {"input", "missing_required_parameter",
			"/input"},
		`{"model":"m","input":""}`:                        {"input", "", "empty"},
		`{"model":"m","input":["x",""]}`:                  {"input[1]", "", "empty"},
		`{"model":"m","input":["x",{"text":"y"}]}`:        {"input[1]", "", "must be a text"},
		`{"model":"m","input":[` + many + `]}`:            {"input", "", "2049"},
		`{"model":"m","input":7}`:                         {"input", "", ""},
		`{"model":"m","input":"x","dimensions":0}`:        {"dimensions", "", "at least 1"},
		`{"model":"m","input":"x","dimensions":"many"}`:   {"dimensions", "", ""},
		`{"model":"m","input":"x","encoding_format":"b"}`: {"encoding_format", "", "base64"},
		`{"model":"m","input":"x","dimension":8}`: {"dimension", "unknown_parameter",
			"/dimension"},
		`{"model":`: {"model", "", ""},
		``:          {"", "", ""},
	} {
		e := errorOf(t, post(handler, embeddingsPath, body), http.StatusBadRequest)
		if jsonx.Deref(e.Param) != want.param || jsonx.Deref(e.Code) != want.code ||
			!strings.Contains(e.Message, want.message) {
			t.Errorf("%.80s: param %q, code %q, %s", body, jsonx.Deref(e.Param),
				jsonx.Deref(e.Code), e.Message)
		}
	}
}

// Other gateways ignored dimensions, or did not normalize the cut vectors of gemini-embedding-001
// (9router#1366, OmniRoute#4449, n8n#38127, RAG-Anything#110, gemini-rust#19, vane#360).
func TestDimensionsCutVectorsOfTheLengthOne(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	for _, model := range []string{"gemini-embedding-001", "gemini-embedding-2"} {
		answer := post(handler, embeddingsPath,
			`{"model":"`+model+`","input":"some words","dimensions":256}`)
		values := numbers(t, embeddingsOf(t, answer).Data[0])
		if len(values) != 256 || math.Abs(lengthOf(values)-1) > 1e-5 {
			t.Errorf("%s: %d numbers of the length %v", model, len(values), lengthOf(values))
		}
		server.AssertCalled(geminitest.Model(model), geminitest.Operation("embedContent"),
			geminitest.Where(func(r *geminitest.Request) bool {
				return strings.Contains(string(r.Body),
					`"embedContentConfig":{"outputDimensionality":256}`)
			}))
	}
}

func TestVectorsOfZerosStayAndOthersAreScaledOnlyWhenCut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ model, dimensions, values, want string }{
		"zeros":                {"gemini-embedding-001", `,"dimensions":3`, `[0,0,0]`, `[0,0,0]`},
		"cut":                  {"gemini-embedding-001", `,"dimensions":3`, `[3,0,4]`, `[0.6,0,0.8]`},
		"whole":                {"gemini-embedding-001", ``, `[3,0,4]`, `[3,0,4]`},
		"scaled by the server": {"gemini-embedding-2", `,"dimensions":3`, `[3,0,4]`, `[3,0,4]`},
	} {
		handler := newGateway(t,
			gateway.WithUpstream(answering(`{"embedding":{"values":`+tc.values+`}}`)))
		answer := post(handler, embeddingsPath,
			`{"model":"`+tc.model+`","input":"x"`+tc.dimensions+`}`)
		embeddingsOf(t, answer)
		if !strings.Contains(answer.Body.String(), `"embedding":`+tc.want) {
			t.Errorf("%s: %s", name, answer.Body)
		}
	}
}

// answering returns an upstream that answers everything with one body.
func answering(body string) gateway.Upstream {
	return gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			answer := httptest.NewRecorder()
			answer.Header().Set("Content-Type", "application/json")
			_, _ = answer.WriteString(body)
			return answer.Result(), nil
		}),
	}
}

func TestAnswersThatDoNotFitTheTextsAreRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ request, answer string }{
		"a vector short":   {`"input":["x","y"]`, `{"embeddings":[{"values":[1]}]}`},
		"a vector more":    {`"input":["x","y"]`, `{"embeddings":[{"values":[1]},{"values":[1]},{"values":[1]}]}`},
		"no numbers":       {`"input":"x"`, `{"embedding":{"values":[]}}`},
		"no vector":        {`"input":"x"`, `{}`},
		"other dimensions": {`"input":"x","dimensions":2`, `{"embedding":{"values":[1,2,3]}}`},
		"a page":           {`"input":"x"`, `<html></html>`},
	} {
		handler := newGateway(t, gateway.WithUpstream(answering(tc.answer)))
		e := errorOf(t, post(handler, embeddingsPath,
			`{"model":"gemini-embedding-001",`+tc.request+`}`), http.StatusBadGateway)
		if e.Type != "server_error" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestUsageOfEmbeddingsIsGeminisOrAnEstimate(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	observed := &diary{}
	handler := gatewayOf(t, server, gateway.WithObserver(observed))
	for model, isEstimated := range map[string]bool{"gemini-embedding-2": false,
		"gemini-embedding-001": true} {
		for _, input := range []string{`"some words to count"`,
			`["some words to count","and more"]`} {
			body := embeddingsOf(t,
				post(handler, embeddingsPath, `{"model":"`+model+`","input":`+input+`}`))
			if body.Usage.PromptTokens == 0 || body.Usage.TotalTokens != body.Usage.PromptTokens {
				t.Errorf("%s: %+v", model, body.Usage)
			}
			if end := observed.last().end; end.UsageEstimated != isEstimated ||
				end.Usage.InputTokens != body.Usage.PromptTokens {
				t.Errorf("%s: got %+v", model, end)
			}
		}
	}
}

func TestLossesOfARequestForEmbeddingsAreReportedAndRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	const request = `{"model":"gemini-embedding-001","input":"x","user":"u-1","dimensions":8}`
	answer := post(handler, embeddingsPath, request, "X-Gemwire-Report", "true")
	embeddingsOf(t, answer)
	if got := answer.Header().Get("X-Gemwire-Losses"); got != "1" ||
		answer.Header().Get("X-Gemwire-Model") != "gemini-embedding-001" {
		t.Errorf("the header is %v", answer.Header())
	}
	for _, want := range []string{`"extra_content":{"gemwire":{"request":[{"pointer":"/user"`,
		`"/usageMetadata"`, `"/embeddings"`} {
		if !strings.Contains(answer.Body.String(), want) {
			t.Errorf("not listed: %s: %.300s", want, answer.Body)
		}
	}
	e := errorOf(t, post(handler, embeddingsPath, request, "X-Gemwire-Strict", "true"),
		http.StatusBadRequest)
	if jsonx.Deref(e.Code) != "lossy_conversion" || jsonx.Deref(e.Param) != "user" {
		t.Errorf("%+v", e)
	}
}

func TestEmbeddingsKeepWhatAnAccountFoundBeforeItsQuotaWasUsedUp(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	var keys []string
	upstream := upstreamOf(server, gateway.KeyAccount("one", "key-of-one"),
		gateway.KeyAccount("two", "key-of-two"))
	inner := upstream.HTTPClient
	upstream.HTTPClient = gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		keys = append(keys, r.Header.Get("X-Goog-Api-Key"))
		if len(keys) == 2 {
			answer := httptest.NewRecorder()
			answer.WriteHeader(http.StatusTooManyRequests)
			_, _ = answer.WriteString(`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"quota"}}`)
			return answer.Result(), nil
		}
		return inner.Do(r)
	})
	handler := newGateway(t, gateway.WithUpstream(upstream))
	texts := strings.TrimSuffix(strings.Repeat(`"x",`, 150), ",")
	body := embeddingsOf(t,
		post(handler, embeddingsPath,
			`{"model":"gemini-embedding-001","dimensions":4,"input":[`+texts+`]}`))
	if want := []string{"key-of-one", "key-of-one", "key-of-two"}; len(body.Data) != 150 ||
		!slices.Equal(keys, want) {
		t.Errorf("%d vectors by the keys %v", len(body.Data), keys)
	}
}

func TestAnAliasOfAnEmbeddingModelIsEchoedAndFallbacksAreNotAsked(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server,
		gateway.WithAliases(map[string]string{"text-embedding-3-small": "gemini-embedding-001",
			"gone": "gone-embedding"}),
		gateway.WithFallbacks(map[string][]string{"gone-embedding": {"gemini-embedding-001"}}))
	answer := post(handler, embeddingsPath, `{"model":"text-embedding-3-small","input":"x"}`)
	if got := embeddingsOf(t, answer).Model; got != "text-embedding-3-small" ||
		answer.Header().Get("X-Gemwire-Model") != "gemini-embedding-001" {
		t.Errorf("the model is %q, in the header %q", got, answer.Header().Get("X-Gemwire-Model"))
	}
	e := errorOf(t, post(handler, embeddingsPath, `{"model":"gone","input":"x"}`),
		http.StatusNotFound)
	if jsonx.Deref(e.Code) != "model_not_found" {
		t.Errorf("%+v", e)
	}
}

// Gemini does not embed under the model names of other vendors. Neither does the embedded server,
// so that a program that works with it also works with Gemini.
func TestTheEmbeddedServerHasNoModelOfAnotherMaker(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, body := range []string{`{"model":"text-embedding-3-small","input":"x"}`,
		`{"model":"text-embedding-ada-002","input":["x","y"]}`} {
		e := errorOf(t, post(handler, embeddingsPath, body), http.StatusNotFound)
		if jsonx.Deref(e.Code) != "model_not_found" ||
			!strings.Contains(e.Message, "--alias text-embedding-") {
			t.Errorf("%s: %+v", body, e)
		}
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer,
		httptest.NewRequest(http.MethodGet, "/v1/models/text-embedding-3-small", nil))
	if answer.Code != http.StatusNotFound {
		t.Errorf("the model is described: %s", answer.Body)
	}
}

// tokens is a source of access tokens.
type tokens string

func (t tokens) Token(context.Context) (string, error) { return string(t), nil }

func TestEmbeddingsOfVertexAIComeByACallForEachText(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.VertexAI,
		Accounts: []gateway.Account{gateway.VertexAccount("p-1", "europe-west4",
			tokens("token-of-vertex"))},
		HTTPClient: server.HTTPClient(), BaseURL: "https://vertex.example",
	}))
	for _, model := range []string{"gemini-embedding-001", "gemini-embedding-2"} {
		texts := strings.TrimSuffix(strings.Repeat(`"some words",`, 19), ",")
		body := embeddingsOf(t,
			post(handler, embeddingsPath,
				`{"model":"`+model+`","dimensions":16,"input":["other words",`+texts+`]}`))
		if len(body.Data) != 20 || body.Usage.PromptTokens < 40 {
			t.Fatalf("%s: %d vectors for %d tokens", model, len(body.Data), body.Usage.PromptTokens)
		}
		first, last := numbers(t, body.Data[0]), numbers(t, body.Data[19])
		if len(last) != 16 || slices.Equal(first, last) ||
			!slices.Equal(last, numbers(t, body.Data[1])) {
			t.Errorf("%s: vectors are not in the order of their texts", model)
		}
	}
}
