package main

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/usage"
)

// spent is what three keys spent in the last days.
type spent struct{}

// Rows implements [inspector.Spend].
func (spent) Rows(context.Context, string, string) (rows []usage.Row, err error) {
	add := func(ago int, client, model string, requests int64, cost money.Nano) {
		row := usage.Row{Key: usage.Key{Day: usage.DayOf(time.Now().AddDate(0, 0, -ago)),
			Client: client, Model: model, Service: "gemini", Tier: "standard", Currency: "USD"},
			Counts: usage.Counts{Requests: requests, Failures: requests / 40,
				InputTokens: requests * 2100, OutputTokens: requests * 340, Cost: cost}}
		if cost == 0 {
			row.Currency, row.UnpricedTokens = "", row.Tokens()
			row.Unpriced = model + " at the Gemini API, standard, has no price"
		}
		rows = append(rows, row)
	}
	for ago := range 12 {
		n := int64(200 + (ago*137)%260)
		add(ago, "team-search", "gemini-3.6-flash", n, money.Nano(n)*1_700_000)
		if ago%2 == 0 {
			add(ago, "team-agents", "gemini-3.6-pro", n/3, money.Nano(n)*9_100_000)
		}
		if ago%5 == 1 {
			add(ago, "nightly", "gemini-3.6-flash", n*2, money.Nano(n)*900_000)
			add(ago, "team-agents", "tunedModels/support", 12, 0)
		}
	}
	return rows, nil
}

// Losses implements [inspector.Spend].
func (spent) Losses(context.Context, time.Time) ([]usage.Loss, error) { return nil, nil }
