package aisdk_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

// The tests here look at all goroutines, so they do not run beside others.

func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	for name, stream := range map[string]struct {
		begun string
		parts func(io.Reader) iter.Seq2[aisdk.Part, error]
	}{
		"of Gemini": {
			`data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n",
			func(r io.Reader) iter.Seq2[aisdk.Part, error] {
				return aisdk.MapGemini(gemini.NewStreamReader(r).All())
			},
		},
		"of an agent": {
			`{"type":"message","role":"assistant","content":"a","delta":true}` + "\n",
			func(r io.Reader) iter.Seq2[aisdk.Part, error] { return aisdk.MapNDJSON(r) },
		},
		"of results of an agent": {
			`{"type":"message","role":"assistant","content":"a","delta":true}` + "\n",
			func(r io.Reader) iter.Seq2[aisdk.Part, error] { return partsOf(aisdk.NewAgentStream(r).Results()) },
		},
		"of parts": {
			`{"type":"text-delta","id":"0","delta":"a"}` + "\n",
			aisdk.ReadParts,
		},
	} {
		t.Run(name+", by leaving the loop early", func(t *testing.T) {
			stalledtest.Read(t, stream.begun, func(body io.Reader, _ func()) {
				for part, err := range stream.parts(body) {
					if err != nil {
						t.Error(err)
					}
					if _, read := part.(aisdk.TextDelta); read {
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

// partsOf yields the parts of results.
func partsOf(results iter.Seq2[aisdk.Result, error]) iter.Seq2[aisdk.Part, error] {
	return func(yield func(aisdk.Part, error) bool) {
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

func TestAClientThatIsGoneLeavesNoTraceOfItsStream(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n"
	stalledtest.Read(t, begun, func(body io.Reader, _ func()) {
		client, out := io.Pipe()
		go func() {
			bufio.NewReader(client).ReadString('\n') // the start
			client.Close()
		}()
		if err := aisdk.WriteGemini(out, gemini.NewStreamReader(body).All()); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the error is %v", err)
		}
	})
}
