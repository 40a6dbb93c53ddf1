package aisdk_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

// These tests count all goroutines, so they do not run in parallel with others.

func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	for name, stream := range map[string]struct {
		begun string
		parts func(io.Reader) iter.Seq2[aisdkapi.Part, error]
	}{
		"of Gemini": {
			`data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n",
			func(r io.Reader) iter.Seq2[aisdkapi.Part, error] {
				return aisdk.FromGemini(gemini.NewStreamReader(r).All())
			},
		},
	} {
		t.Run(name+", by leaving the loop early", func(t *testing.T) {
			stalledtest.Read(t, stream.begun, func(body io.Reader, _ func()) {
				for part, err := range stream.parts(body) {
					if err != nil {
						t.Error(err)
					}
					if _, read := part.(aisdkapi.TextDelta); read {
						break
					}
				}
			})
		})
		t.Run(name+", by cancelling the request", func(t *testing.T) {
			stalledtest.Read(t, stream.begun, func(body io.Reader, cancel func()) {
				var failure error
				for _, err := range stream.parts(body) {
					if err == nil {
						time.AfterFunc(10*time.Millisecond, cancel)
					}
					failure = err
				}
				if !errors.Is(failure, context.Canceled) {
					t.Errorf("the error is %v", failure)
				}
			})
		})
	}
}

func TestAClientThatIsGoneLeavesNoTraceOfItsStream(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n"
	stalledtest.Read(t, begun, func(body io.Reader, _ func()) {
		client, out := io.Pipe()
		go func() {
			bufio.NewReader(client).ReadString('\n') // the start
			client.Close()
		}()
		if _, err := aisdk.WriteStream(out, gemini.NewStreamReader(body).All()); !errors.Is(err,
			io.ErrClosedPipe) {
			t.Errorf("the error is %v", err)
		}
	})
}
