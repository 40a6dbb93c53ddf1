package intermediary

import (
	"context"
	"fmt"
	"os"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/quota/ledger"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/store"
	counted "github.com/gemwire/gemwire/server/usage"
)

// prices has a price of the model that the load asks for.
const prices = `currency: USD
sources: {load: {date: 2026-01-01}}
prices:
- {models: [gemini-load], surface: gemini_api, tier: standard, source: load, rates: {input: 1, output: 2}}`

// Pricing returns a gateway that knows the price of each call, but counts none.
func Pricing(upstream string) (*gateway.Handler, error) {
	card, err := ratecard.Read([]byte(prices))
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	return Gateway(upstream, gateway.WithRateCard(card))
}

// Counting returns a gateway that counts usage and budgets in a store in a temporary folder. The
// store is removed with the machine's temporary files.
func Counting(upstream string) (*gateway.Handler, error) {
	folder, err := os.MkdirTemp("", "gemwire-load-*")
	if err != nil {
		return nil, err
	}
	opened, err := store.Open(context.Background(), store.InFolder(folder))
	if err != nil {
		return nil, err
	}
	book, err := counted.Open(context.Background(), counted.In(opened.Engine()))
	if err != nil {
		return nil, err
	}
	card, err := ratecard.Read([]byte(prices))
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	const much = 1 << 50
	return Gateway(upstream, gateway.WithRateCard(card), gateway.WithObserver(book.Observer()),
		gateway.WithQuota(quota.New(quota.On(ledger.OnEngine(opened.Engine())))),
		gateway.WithBudgets(
			quota.Budget{Amount: much, Currency: "USD", Tokens: much, Period: quota.Month}))
}
