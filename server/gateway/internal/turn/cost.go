package turn

import (
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// WithCost returns the unknown members of a usage with the cost, as OpenRouter tells it, and its
// currency, which is the rate card's. Where nobody knows the cost they stay as they are.
func WithCost(unknown jsontext.Value, cost *ratecard.Cost) jsontext.Value {
	if cost == nil {
		return unknown
	}
	amount := jsontext.Value(strconv.FormatFloat(cost.Amount, 'f', -1, 64))
	currency, _ := jsontext.AppendQuote(nil, cost.Currency)
	return jsonx.MergeObjects(unknown,
		jsonx.MergeObjects(jsonx.Object("cost", amount), jsonx.Object("cost_currency", currency)))
}
