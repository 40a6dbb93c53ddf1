package aisdk_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/aisdk"
)

// The tests here inspect all goroutines, so they do not run in parallel with others.

func TestAStreamOfPartsThatStallsIsLeftWithoutATrace(t *testing.T) {
	for name, stream := range map[string]struct {
		begun string
		parts func(io.Reader) iter.Seq2[aisdkapi.Part, error]
	}{
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
