package main

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// scripted is an exchange that is reported to the inspector as it is, without a conversion.
type scripted struct {
	start    exchange.Start
	request  string
	calls    []call
	response string
	end      exchange.End
}

// call is a call of the upstream. Without a method it is a look-up of models, of which the gateway
// reports neither a model nor bodies.
type call struct {
	method, url, body string
	status            int
	response          string
	after             time.Duration
}

const (
	upstream = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash"
	path     = "/v1/chat/completions"
)

// reversed is a file name that reads as "photo_exe.png" on a page that renders U+202E.
const reversed = "photo_\u202egnp.exe"

// scenes are exchanges that the package exchangetest does not have.
var scenes = map[string]scripted{
	"content-filter": {
		start:   exchange.Start{ClientName: "team-search"},
		request: `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Tell me."}]}`,
		calls: []call{{method: http.MethodPost, url: upstream + ":generateContent", body: "{}",
			status: http.StatusOK, after: 200 * time.Millisecond,
			response: `{"candidates":[{"finishReason":"SAFETY","index":0}]}`}},
		response: `{"choices":[{"index":0,"finish_reason":"content_filter"}]}`,
		end: exchange.End{Status: http.StatusOK, Model: "gemini-3.6-flash",
			FinishReason: normalize.FinishContentFilter},
	},
	"invisible": {
		start: exchange.Start{ClientName: "cli\u200bent", UserAgent: "x"},
		request: `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Open ` + reversed +
			"\U000e0041\U000e0042" + `"}]}`,
		response: `{"error":{"message":"no"}}`,
		end: exchange.End{Status: http.StatusBadRequest, Model: "gemini\u202e-3.6-flash",
			ErrorType: "invalid_request_error", ErrorMessage: "cannot open " + reversed},
	},
	"look-up": {
		request: `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Hi"}]}`,
		calls: []call{
			{status: http.StatusOK, after: 80 * time.Millisecond},
			{method: http.MethodPost, url: upstream + ":generateContent", body: "{}",
				status: http.StatusOK, after: 400 * time.Millisecond,
				response: `{"candidates":[{"finishReason":"STOP","index":0}]}`},
		},
		response: `{"choices":[{"index":0,"finish_reason":"stop"}]}`,
		end:      exchange.End{Status: http.StatusOK, Model: "gemini-3.6-flash"},
	},
	"models": {
		start:    exchange.Start{Form: "models", Method: http.MethodGet, Path: "/v1/models"},
		response: `{"object":"list","data":[]}`,
		end:      exchange.End{Status: http.StatusOK},
	},
	"long": {
		request: `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"` +
			strings.Repeat("a word, ", 300_000) + `"}]}`,
		response: `{"choices":[{"index":0,"finish_reason":"stop"}]}`,
		end:      exchange.End{Status: http.StatusOK, Model: "gemini-3.6-flash"},
	},
	"long-name": {
		request:  `{"model":"x","messages":[]}`,
		response: `{"error":{"message":"no"}}`,
		end: exchange.End{Status: http.StatusNotFound, Model: strings.Repeat("model-", 500),
			ErrorType:     "invalid_request_error",
			ErrorMessage:  "the model " + strings.Repeat("model-", 500) + " does not exist",
			ModelWarnings: []string{strings.Repeat("warning-", 300)}},
	},
}

// report reports a scene.
func (s *stage) report(scene scripted) {
	start := scene.start
	s.scripted++
	start.ID, start.At = fmt.Sprintf("req_scripted_%d", s.scripted), s.clock.Now()
	start.Form = cmp.Or(start.Form, "chat_completions")
	start.Method = cmp.Or(start.Method, http.MethodPost)
	start.Path = cmp.Or(start.Path, path)
	recorder := s.inspector.Begin(start)
	request := exchange.Request{Method: start.Method, URL: start.Path, Body: []byte(scene.request)}
	recorder.Request(exchange.Client, request)
	for n := range scene.calls {
		s.call(recorder, n+1, &scene.calls[n])
	}
	end := scene.end
	recorder.Response(exchange.Client, exchange.Response{Status: end.Status,
		Body: []byte(scene.response)})
	end.Duration = s.clock.Now().Sub(start.At)
	recorder.End(end)
}

func (s *stage) call(recorder exchange.Recorder, number int, c *call) {
	attempt := exchange.Attempt{Number: number, Started: s.clock.Now(), Status: c.status}
	if c.method != "" {
		attempt.Model = "gemini-3.6-flash"
		recorder.Request(exchange.Upstream, exchange.Request{Method: c.method, URL: c.url,
			Body: []byte(c.body)})
	}
	s.clock.Sleep(c.after)
	attempt.Duration = s.clock.Now().Sub(attempt.Started)
	if c.method != "" {
		recorder.Response(exchange.Upstream, exchange.Response{Status: c.status,
			Body: []byte(c.response)})
	}
	recorder.Attempt(attempt)
}
