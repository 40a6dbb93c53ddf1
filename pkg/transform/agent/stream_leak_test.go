package agent_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/transform/agent"
)

// These tests count all goroutines, so they do not run in parallel with others.

func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	for name, stream := range map[string]struct {
		begun string
		parts func(io.Reader) iter.Seq2[aisdkapi.Part, error]
	}{
		"of an agent": {
			`{"type":"message","role":"assistant","content":"a","delta":true}` + "\n",
			func(r io.Reader) iter.Seq2[aisdkapi.Part, error] { return agent.MapNDJSON(r) },
		},
		"of results of an agent": {
			`{"type":"message","role":"assistant","content":"a","delta":true}` + "\n",
			func(r io.Reader) iter.Seq2[aisdkapi.Part,
				error] {
				return partsOf(agent.NewStream(r).Results())
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

// partsOf returns the parts of results.
func partsOf(results iter.Seq2[agent.Result, error]) iter.Seq2[aisdkapi.Part, error] {
	return func(yield func(aisdkapi.Part, error) bool) {
		for result, err := range results {
			for _, part := range result.Parts {
				if !yield(part, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		}
	}
}
