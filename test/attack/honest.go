package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// An ask is a request of an honest client in one form.
type ask struct {
	name string
	path string
	body string // for goodModel
}

// asks are the forms, whole and streamed. A model stands in them as MODEL.
var asks = []ask{
	{"chat", "/v1/chat/completions",
		`{"model":"MODEL","messages":[{"role":"user","content":"Hello"}]}`},
	{"chat stream", "/v1/chat/completions",
		`{"model":"MODEL","stream":true,"messages":[{"role":"user","content":"Hello"}]}`},
	{"responses", "/v1/responses", `{"model":"MODEL","input":"Hello"}`},
	{"responses stream", "/v1/responses", `{"model":"MODEL","stream":true,"input":"Hello"}`},
	{"messages", "/v1/messages",
		`{"model":"MODEL","max_tokens":99,"messages":[{"role":"user","content":"Hello"}]}`},
	{"messages stream", "/v1/messages",
		`{"model":"MODEL","stream":true,"max_tokens":99,"messages":[{"role":"user","content":"Hello"}]}`},
	{"native", "/v1beta/models/MODEL:generateContent",
		`{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}`},
	{"native stream", "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
		`{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}`},
}

// of returns the path and the body for a model.
func (a ask) of(model string) (path, body string) {
	return strings.Replace(a.path, "MODEL", model, 1), strings.Replace(a.body, "MODEL", model, 1)
}

// honest is a client that asks as often as people do, whatever goes on around it.
type honest struct {
	address string
	key     string
	client  *http.Client
	next    int
}

// seen contains the results of an honest client's requests.
type seen struct {
	asked    int
	failures []error
	times    []time.Duration // of what was answered, sorted
}

func newHonest(address, key string) *honest {
	return &honest{address: address, key: key, client: &http.Client{Timeout: 10 * time.Second}}
}

// pause is the time between two requests of the honest client.
const pause = 10 * time.Millisecond

// askUntil asks in each form in turn until the context is done.
func (h *honest) askUntil(ctx context.Context) seen {
	var s seen
	for ctx.Err() == nil {
		began := time.Now()
		err := h.ask(context.Background())
		s.asked++
		if err != nil {
			s.failures = append(s.failures, err)
		} else {
			s.times = append(s.times, time.Since(began))
		}
		time.Sleep(pause)
	}
	slices.Sort(s.times)
	return s
}

// ask asks in the next form, and fails unless the whole answer comes.
func (h *honest) ask(ctx context.Context) error {
	a := asks[h.next%len(asks)]
	h.next++
	path, body := a.of(goodModel)
	request, err := http.NewRequestWithContext(ctx, "POST", "http://"+h.address+path,
		strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+h.key)
	response, err := h.client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	if response.StatusCode != http.StatusOK || !strings.Contains(string(text), goodText[4:]) {
		return fmt.Errorf("%s: %s: %.200s", a.name, response.Status, text)
	}
	return nil
}
