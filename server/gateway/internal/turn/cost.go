package turn

import (
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// WithCost adds the cost and the currency of the rate card to the unknown members of a usage.
// OpenRouter reports the cost in the same way. If the cost is unknown the members stay unchanged.
func WithCost(unknown jsontext.Value, cost *ratecard.Cost) jsontext.Value {
	if cost == nil {
		return unknown
	}
	amount := jsontext.Value(strconv.FormatFloat(cost.Amount, 'f', -1, 64))
	currency, _ := jsontext.AppendQuote(nil, cost.Currency)
	return jsonx.MergeObjects(unknown,
		jsonx.MergeObjects(jsonx.Object("cost", amount), jsonx.Object("cost_currency", currency)))
}
