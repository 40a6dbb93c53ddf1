package geminibatch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/bulk"
	"github.com/gemwire/gemwire/pkg/bulk/line"
	"github.com/gemwire/gemwire/pkg/bulk/live"
	"github.com/gemwire/gemwire/pkg/gateway"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// converter makes Gemini's requests of lines, and results of its answers, by a gateway in front of nobody: what that would
// send is caught, and what it gets is given.
type converter struct {
	handler *gateway.Handler
	live    *live.Executor
}

func newConverter(options []gateway.Option) (*converter, error) {
	handler, err := gateway.New(append(options[:len(options):len(options)],
		gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("batch", "none")}, HTTPClient: gemini.DoerFunc(answerPassage),
		}),
		gateway.WithMaxAttempts(1), gateway.WithFallbacks(nil), gateway.WithRateCard(nil))...)
	if err != nil {
		return nil, err
	}
	return &converter{handler: handler, live: live.New(handler, live.WithAttempts(1))}, nil
}

// passage is the way of one line through the gateway, of which the context of its request knows.
type passage struct {
	// answer is what Gemini has answered, nil where the request is to be caught.
	answer []byte
	status int
	caught *caught
}

// caught is a request for Gemini. Its model is "" where it is none for generateContent, its body nil where the answer was
// given.
type caught struct {
	model string
	body  []byte
}

// errNobody is that of a request which is no line's, such as one for the list of models.
var errNobody = errors.New("geminibatch: nobody answers here")

// passageKey is the key of a passage in a context.
type passageKey struct{}

// answerPassage stands in for Gemini.
func answerPassage(r *http.Request) (*http.Response, error) {
	p, ok := r.Context().Value(passageKey{}).(*passage)
	if !ok {
		return nil, errNobody
	}
	p.caught = &caught{model: modelOf(r.URL.Path)}
	status, body := p.status, p.answer
	if p.answer == nil {
		if r.Body != nil {
			content, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			p.caught.body = content
		}
		status, body = http.StatusBadRequest, []byte(`{"error":{"code":400,"message":"caught","status":"INVALID_ARGUMENT"}}`)
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Request: r,
	}, nil
}

// modelOf returns the model of a path that ends in models/M:generateContent.
func modelOf(path string) string {
	resource, isGenerate := strings.CutSuffix(path, ":generateContent")
	_, model, isModel := strings.Cut(resource, "/models/")
	if !isGenerate || !isModel {
		return ""
	}
	return model
}

// pass has a line pass the gateway, and returns what that makes of it.
func (c *converter) pass(ctx context.Context, job *bulk.Job, l *line.Line, p *passage) (*line.Result, error) {
	var out *line.Result
	item := bulk.NewItem(job, 0, []line.Line{*l}, nil, func(_ context.Context, result line.Result) error {
		out = &result
		return nil
	})
	err := c.live.Run(context.WithValue(ctx, passageKey{}, p), item)
	return out, err
}

// request returns what the gateway would ask Gemini for a line, or the result of one that it refuses itself.
func (c *converter) request(ctx context.Context, job *bulk.Job, l *line.Line) (*caught, *line.Result, error) {
	p := &passage{}
	result, err := c.pass(ctx, job, l, p)
	if err != nil || p.caught != nil {
		return p.caught, nil, err
	}
	return nil, result, nil
}

// convert writes the result of a line by Gemini's answer.
func (r *run) convert(ctx context.Context, l *line.Line, a *answer) error {
	p := &passage{answer: a.response, status: http.StatusOK}
	if a.response == nil {
		p.status = refusals[a.code]
		p.answer = []byte(`{"error":` + string(a.failure) + `}`)
	}
	result, err := r.converter.pass(ctx, r.item.Job, l, p)
	if err != nil {
		return err
	}
	r.price(result, p.caught, a.response)
	return r.item.Write(ctx, *result)
}

// price sets the cost of a result, by the price of batches.
func (r *run) price(result *line.Result, asked *caught, response jsontext.Value) {
	result.Usage.Cost, result.Usage.Currency, result.Usage.Unpriced = 0, "", 0
	if result.Usage == (line.Usage{}) {
		return
	}
	result.Usage.Unpriced = 1
	answer, err := gemini.DecodeResponse(response)
	if err != nil || answer.UsageMetadata == nil || asked == nil || r.card == nil {
		return
	}
	used := *answer.UsageMetadata
	used.ServiceTier = nil // the tier of calls, where it is told
	cost, err := r.card.Cost(ratecard.Call{
		Model: asked.model, Surface: ratecard.GeminiAPI, Tier: ratecard.Batch, At: time.Now(), Usage: normalize.NewUsage(&used),
	})
	if err == nil {
		result.Usage.Cost, result.Usage.Currency, result.Usage.Unpriced = cost.Amount, cost.Currency, 0
	}
}

// refusals are the statuses of HTTP of the failures that another try does not change, by their codes (google.rpc.Code).
var refusals = map[int]int{
	3:  http.StatusBadRequest, // INVALID_ARGUMENT
	5:  http.StatusNotFound,   // NOT_FOUND
	9:  http.StatusBadRequest, // FAILED_PRECONDITION
	11: http.StatusBadRequest, // OUT_OF_RANGE
	12: http.StatusBadRequest, // UNIMPLEMENTED
}
