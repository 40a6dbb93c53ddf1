package ratecard_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/ratecard"
)

func BenchmarkCost(b *testing.B) {
	card := ratecard.Google()
	call := ratecard.Call{Model: "gemini-3.6-flash", Surface: ratecard.GeminiAPI,
		At:    time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		Usage: normalize.Usage{InputTokens: 1000, OutputTokens: 100, ThinkingTokens: 10}}
	for b.Loop() {
		if _, err := card.Cost(call); err != nil {
			b.Fatal(err)
		}
	}
}
