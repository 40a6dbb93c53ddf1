package provider_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

// twoHundred yields a stream of 200 texts.
func twoHundred(_ context.Context, yield func(*geminiapi.GenerateContentResponse, error) bool) {
	text := textChunk("a few words, ")
	for range 200 {
		if !yield(text, nil) {
			return
		}
	}
	yield(lastChunk, nil)
}

// The difference of the two is the cost of a call.
func BenchmarkStream(b *testing.B) {
	p := provider.New(scripted{stream: twoHundred})
	b.Run("events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var whole normalize.Accumulator
			for event := range p.Stream(b.Context(), request) {
				whole.Add(event)
			}
		}
	})
	for name, opts := range map[string][]provider.Option{"on a goroutine": nil,
		"in Poll": {provider.WithPolling()}} {
		p := provider.New(scripted{stream: twoHundred}, opts...)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call, err := p.StartStream(b.Context(), request,
					func(*provider.Call, normalize.Event) error { return nil }, nil)
				if err != nil {
					b.Fatal(err)
				}
				poll(p, call)
			}
		})
	}
}

// The time of StartRequest on its caller's goroutine, for an image of 50 MB.
func BenchmarkStartRequestOfALargeImage(b *testing.B) {
	data := strings.Repeat("A", 50<<20)
	large := &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"),
		Contents: []geminiapi.Content{{
			Parts: []geminiapi.Part{{InlineData: &geminiapi.Blob{MIMEType: new("image/png"),
				Data: &data}}},
		}}}
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithHTTPClient(gemini.DoerFunc(
		func(*http.Request) (*http.Response, error) { return nil, errors.New("not sent") })),
		gemini.WithMaxAttempts(1))
	if err != nil {
		b.Fatal(err)
	}
	p := provider.New(client)
	for b.Loop() {
		call, err := p.StartRequest(b.Context(), large, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		<-call.Done()
		b.StartTimer()
	}
}
