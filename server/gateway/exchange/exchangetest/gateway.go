package exchangetest

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Gateway reports scenes to an observer.
type Gateway struct {
	Observer exchange.Observer
	// Now returns the time. Sleep waits.
	Now   func() time.Time
	Sleep func(time.Duration)

	played  int
	hanging []*play
}

// Scene is a client's request and Gemini's answer to it.
type Scene struct {
	// Name describes what the scene shows.
	Name string
	// Client, UserAgent and Model are the client's. Model is the requested name.
	Client, UserAgent, Model string
	// Request is the client's JSON, in which MODEL stands for Model.
	Request string
	// Upstream is the model that is called. Tries are the calls.
	Upstream string
	Tries    []Try
	// Leaves makes the client disconnect before the end of the answer.
	Leaves bool
	// Hangs keeps the exchange open until [Gateway.EndHanging].
	Hangs bool
	// Mark is the mark of the request; see [exchange.WithMark].
	Mark any
	// Price is the price of a token in USD, or 0 for a model without a price.
	Price float64
}

// Try is one Gemini call.
type Try struct {
	// After is the time until the answer. Each is the time before each chunk.
	After, Each time.Duration
	// Status is the status of the answer. 0 stands for 200.
	Status int
	// Body is a whole answer or an error. Chunks are the chunks of a stream.
	Body   string
	Chunks []string
	// Retry is how long the gateway waits before the next call.
	Retry time.Duration
}

// play is one exchange while it is reported.
type play struct {
	*Gateway
	scene    *Scene
	recorder exchange.Recorder
	start    exchange.Start
	out      []byte // what the client got
	end      exchange.End

	bodies bool
	stream *chat.Stream // nil for a whole answer
}

// Play reports a scene to the observer. It returns the status of the client's answer and the
// request id.
func (g *Gateway) Play(scene *Scene) (status int, id string) {
	g.played++
	body := []byte(strings.ReplaceAll(scene.Request, "MODEL", scene.Model))
	p := &play{Gateway: g, scene: scene, start: exchange.Start{
		ID: fmt.Sprintf("req_%016x", 0x5eed*g.played), At: g.Now(), Form: "chat_completions",
		Method: http.MethodPost, Path: "/v1/chat/completions",
		ClientName: scene.Client, UserAgent: scene.UserAgent, RemoteAddr: "127.0.0.1:52814",
		Mark: scene.Mark,
	}}
	p.recorder = g.Observer.Begin(p.start)
	p.bodies = p.recorder.WantsBodies()
	p.end.BytesIn = int64(len(body))
	p.withBodies(func() {
		p.recorder.Request(exchange.Client, exchange.Request{
			Method: p.start.Method, URL: p.start.Path, Body: body,
			Header: http.Header{"Content-Type": {"application/json"},
				"User-Agent": {scene.UserAgent}},
		})
	})
	p.converse(body)
	return p.end.Status, p.start.ID
}

// Played returns the number of scenes so far.
func (g *Gateway) Played() int { return g.played }

// withBodies calls a function that reports bodies if the observer wants them.
func (p *play) withBodies(report func()) {
	if p.bodies {
		report()
	}
}

// converse converts the request, calls Gemini, and answers.
func (p *play) converse(body []byte) {
	in, err := openai.DecodeRequest(body)
	if err != nil {
		p.fail(http.StatusBadRequest, "invalid_request_error", "", err.Error())
		return
	}
	p.end.Model, p.end.Stream = in.Model, in.Stream != nil && *in.Stream
	converted, report, err := request.ToGemini(in, request.ForModel(p.scene.Upstream))
	p.report(exchange.Client, report)
	if err != nil {
		p.fail(http.StatusBadRequest, "invalid_request_error", "", err.Error())
		return
	}
	sent, err := gemini.EncodeRequest(converted)
	if err != nil {
		p.fail(http.StatusBadRequest, "invalid_request_error", "", err.Error())
		return
	}
	p.withBodies(func() { p.signaturesOf(converted) })
	for n := range p.scene.Tries {
		if p.try(n, sent) {
			break
		}
	}
	if p.scene.Hangs {
		p.hanging = append(p.hanging, p)
		return
	}
	p.finish()
}

// EndHanging ends the open exchanges; their clients disconnect.
func (g *Gateway) EndHanging() {
	for _, p := range g.hanging {
		p.end.Canceled = true
		p.finish()
	}
	g.hanging = nil
}

func (p *play) report(side exchange.Side, entries report.Report) {
	p.recorder.Report(side, entries)
	p.end.Lost += len(entries.Of(report.Lost))
	p.end.Approximated += len(entries.Of(report.Approximated))
	p.end.Added += len(entries.Of(report.Added))
}

// try calls Gemini, and reports whether the client was answered.
func (p *play) try(n int, sent []byte) (answered bool) {
	try := p.scene.Tries[n]
	method := ":generateContent"
	if p.end.Stream {
		method = ":streamGenerateContent?alt=sse"
	}
	p.withBodies(func() {
		p.recorder.Request(exchange.Upstream, exchange.Request{
			Method: http.MethodPost, Body: sent,
			URL: "https://generativelanguage.googleapis.com/v1beta/models/" + p.scene.Upstream +
				method,
			Header: http.Header{"Content-Type": {"application/json"}},
		})
	})
	started := p.Now()
	p.Sleep(try.After)
	status := max(try.Status, http.StatusOK)
	p.withBodies(func() {
		p.recorder.Response(exchange.Upstream, exchange.Response{
			Status: status, Body: []byte(try.Body),
			Header: http.Header{"Content-Type": {"application/json; charset=UTF-8"},
				"Server-Timing": {"gfet4t7; dur=812"}},
		})
	})
	attempt := exchange.Attempt{
		Number: n + 1, Account: "demo-project", Model: p.scene.Upstream, Started: started,
		Duration: p.Now().Sub(started),
		Status:   status, Wait: try.Retry,
	}
	if status >= http.StatusBadRequest {
		failure := gemini.DecodeError(status, nil, []byte(try.Body))
		attempt.Err = string(failure.Status) + ": " + failure.Message
	}
	p.recorder.Attempt(attempt)
	if status >= http.StatusBadRequest {
		p.Sleep(try.Retry)
		p.end.ErrorMessage = attempt.Err
		p.end.Status = status
		return false
	}
	p.end.ErrorMessage, p.end.Status, p.end.UpstreamModel = "", http.StatusOK, p.scene.Upstream
	p.answer(try)
	return true
}

// answer converts Gemini's answer and sends it.
func (p *play) answer(try Try) {
	if p.end.Stream {
		p.streamed(try)
		return
	}
	if try.Body == "" {
		return // Gemini is still silent.
	}
	response, err := gemini.DecodeResponse([]byte(try.Body))
	if err != nil {
		p.fail(http.StatusBadGateway, "server_error", "", err.Error())
		return
	}
	p.withBodies(func() { p.signatures("", response) })
	completion, report, err := chat.FromGemini(response, chat.WithModelName(p.end.Model),
		chat.WithCreated(p.start.At))
	p.report(exchange.Upstream, report)
	if err != nil {
		p.fail(http.StatusBadGateway, "server_error", "", err.Error())
		return
	}
	p.out, _ = openai.EncodeResponse(completion)
	p.usage(response)
	p.end.FinishReason = normalize.FinishReason(completion.Choices[0].FinishReason)
}

// streamed sends the chunks of a stream.
func (p *play) streamed(try Try) {
	p.stream = chat.NewStream(chat.WithUsage(), chat.WithModelName(p.end.Model),
		chat.WithCreated(p.start.At))
	p.withBodies(func() {
		p.recorder.Response(exchange.Client, exchange.Response{
			Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		})
	})
	var failed error
	for n, text := range try.Chunks {
		p.Sleep(try.Each)
		p.withBodies(func() { p.recorder.Chunk(exchange.Upstream, []byte(text)) })
		chunk, err := gemini.DecodeResponse([]byte(text))
		if err != nil {
			continue
		}
		p.withBodies(func() { p.signatures(fmt.Sprintf("/%d", n), chunk) })
		out, err := p.stream.Push(chunk)
		failed = err
		p.send(out)
		p.usage(chunk)
		if len(out) > 0 && p.end.FirstToken == 0 {
			p.end.FirstToken = p.Now().Sub(p.start.At)
		}
	}
	if p.scene.Leaves || p.scene.Hangs {
		p.end.Canceled = p.scene.Leaves
		return
	}
	out, err := p.stream.Close(failed)
	err = cmp.Or(failed, err)
	p.send(out)
	p.report(exchange.Upstream, p.stream.Report())
	if err != nil {
		_, body := chat.FromError(err)
		p.out, _ = openai.EncodeErrorResponse(body)
		p.withBodies(func() { p.recorder.Chunk(exchange.Client, p.out) })
		p.end.ErrorType, p.end.ErrorMessage = "server_error", err.Error()
		return
	}
	p.withBodies(func() { p.recorder.Chunk(exchange.Client, []byte("[DONE]")) })
	p.end.FinishReason = normalize.FinishStop
}

func (p *play) send(chunks []openaiapi.CreateChatCompletionStreamResponse) {
	for n := range chunks {
		data, err := openai.EncodeChunk(&chunks[n])
		if err != nil {
			continue
		}
		p.end.BytesOut += int64(len(data))
		p.withBodies(func() { p.recorder.Chunk(exchange.Client, data) })
	}
}

func (p *play) usage(response *geminiapi.GenerateContentResponse) {
	if response.UsageMetadata == nil {
		return
	}
	p.end.Usage = normalize.NewUsage(response.UsageMetadata)
	if p.scene.Price > 0 {
		p.end.Cost = &ratecard.Cost{
			Amount: p.scene.Price * float64(p.end.Usage.InputTokens+
				4*(p.end.Usage.OutputTokens+p.end.Usage.ThinkingTokens)),
			Currency: "USD", Source: p.scene.Upstream + ", made up for tests",
		}
	}
}

// signaturesOf reports the signatures that the client sends back.
func (p *play) signaturesOf(converted *geminiapi.GenerateContentRequest) {
	for c := range converted.Contents {
		for n, part := range converted.Contents[c].Parts {
			if part.ThoughtSignature == nil {
				continue
			}
			carrier := exchange.CarrierExtension
			if strings.HasPrefix(*part.ThoughtSignature, "skip_") {
				carrier = exchange.CarrierSentinel
			}
			p.recorder.Signature(exchange.Signature{
				Side:    exchange.Client,
				Pointer: fmt.Sprintf("/contents/%d/parts/%d/thoughtSignature", c, n),
				Carrier: carrier, Size: len(*part.ThoughtSignature),
			})
		}
	}
}

// signatures reports the signatures that Gemini sent.
func (p *play) signatures(prefix string, response *geminiapi.GenerateContentResponse) {
	for c := range response.Candidates {
		if response.Candidates[c].Content == nil {
			continue
		}
		for n, part := range response.Candidates[c].Content.Parts {
			if part.ThoughtSignature == nil {
				continue
			}
			p.recorder.Signature(exchange.Signature{
				Side: exchange.Upstream,
				Pointer: fmt.Sprintf("%s/candidates/%d/content/parts/%d/thoughtSignature", prefix,
					c, n),
				Carrier: exchange.CarrierExtension, Size: len(*part.ThoughtSignature),
			})
		}
	}
}

// fail answers with an error.
func (p *play) fail(status int, kind, code, message string) {
	p.end.Status, p.end.ErrorType, p.end.ErrorCode, p.end.ErrorMessage = status, kind, code, message
	p.finish()
}

// finish reports the client's answer, unless it was a stream, and the end.
func (p *play) finish() {
	if p.end.Status >= http.StatusBadRequest {
		kind := "server_error"
		if p.end.Status == http.StatusTooManyRequests {
			kind = "insufficient_quota"
		}
		if p.end.ErrorType == "" {
			p.end.ErrorType = kind
		}
		p.out, _ = openai.EncodeErrorResponse(&openaiapi.ErrorResponse{
			Error: openaiapi.Error{Message: p.end.ErrorMessage, Type: p.end.ErrorType},
		})
	}
	if p.stream == nil {
		p.withBodies(func() {
			p.recorder.Response(exchange.Client, exchange.Response{
				Status: p.end.Status,
				Header: http.Header{"Content-Type": {"application/json"},
					"X-Request-Id": {p.start.ID}}, Body: p.out,
			})
		})
		p.end.BytesOut = int64(len(p.out))
	}
	p.end.Duration = p.Now().Sub(p.start.At)
	if p.end.Canceled && p.end.BytesOut == 0 {
		p.end.Status = 499
	}
	p.recorder.End(p.end)
}
