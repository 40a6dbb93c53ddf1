package toolloop_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model answers with the elements of a list in turn. Each element is the chunks of a stream. model
// stores the requests.
type model struct {
	answers [][]string

	mu       sync.Mutex
	requests []string
}

// answering returns a model with whole answers.
func answering(answers ...string) *model {
	m := &model{}
	for _, answer := range answers {
		m.answers = append(m.answers, []string{answer})
	}
	return m
}

var errNoAnswer = errors.New("the model has nothing more to say")

// next stores a request and returns the chunks of its answer.
func (m *model) next(request *geminiapi.GenerateContentRequest) ([]*geminiapi.GenerateContentResponse,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, err := gemini.EncodeRequest(request)
	if err != nil {
		return nil, err
	}
	m.requests = append(m.requests, string(body))
	if len(m.requests) > len(m.answers) {
		return nil, errNoAnswer
	}
	var chunks []*geminiapi.GenerateContentResponse
	for _, text := range m.answers[len(m.requests)-1] {
		chunk, err := gemini.DecodeResponse([]byte(text))
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, chunk)
	}
	return chunks, nil
}

func (m *model) GenerateContent(
	_ context.Context, request *geminiapi.GenerateContentRequest, _ ...gemini.CallOption,
) (*geminiapi.GenerateContentResponse, error) {
	chunks, err := m.next(request)
	if err != nil {
		return nil, err
	}
	return chunks[0], nil
}

func (m *model) StreamGenerateContent(
	_ context.Context, request *geminiapi.GenerateContentRequest, _ ...gemini.CallOption,
) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		chunks, err := m.next(request)
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// request returns a member of a request to the model.
func (m *model) request(t *testing.T, i int, member string) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if i >= len(m.requests) {
		t.Fatalf("the model was asked %d times", len(m.requests))
	}
	return string(jsonx.Member(jsontext.Value(m.requests[i]), member))
}

// question is a request.
func question() *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("How warm is it?")},
	}
}

// place is the type of a tool's arguments.
type place struct {
	City string `json:"city" validate:"required"`
}

// weather is a tool that runs a function.
func weather(f func(context.Context, place) (string, error)) toolloop.Tool {
	return toolloop.Func("get_weather", "Tells the weather.", f)
}

// sunny is a tool that always returns the same answer.
var sunny = weather(func(_ context.Context, p place) (string,
	error) {
	return "sunny in " + p.City, nil
})

// call is an answer that calls the weather.
const call = `{"candidates":[{"content":{"role":"model","parts":[
	{"functionCall":{"id":"c1","name":"get_weather","args":{"city":"Porto"}}}]},"finishReason":"STOP"}],
	"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"totalTokenCount":12}}`

// answer is an answer without calls.
const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"It is sunny."}]},"finishReason":"STOP"}],
	"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":4,"totalTokenCount":24}}`

func newLoop(t *testing.T, m *model, tools []toolloop.Tool,
	opts ...toolloop.Option) *toolloop.Loop {
	t.Helper()
	loop, err := toolloop.New(m, tools, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return loop
}

// wantJSON compares JSON and ignores white space.
func wantJSON(t *testing.T, want, got string) {
	t.Helper()
	a, b := jsontext.Value(want), jsontext.Value(got)
	if err := errors.Join(a.Compact(), b.Compact()); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if diff := cmp.Diff(string(a), string(b)); diff != "" {
		t.Error(diff)
	}
}

// silent is a faulty model that returns neither an answer nor an error.
type silent struct{}

func (silent) GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...gemini.CallOption) (*geminiapi.GenerateContentResponse, error) {
	return nil, nil
}

func (silent) StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) { yield(nil, nil) }
}
