package ratecard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Extra is the price of something that is not counted in tokens, such as a search query, a song or
// an image. No response reports how many there were, so no [Cost] includes it in its amount.
type Extra struct {
	// Models are model names as in [Price].
	Models  []string `json:"models"`
	Surface Surface  `json:"surface"`
	// Name names the charged item, such as "Google Search". Unit is its unit, such as "query".
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Price is the price of one unit, in units of Currency.
	Price    float64 `json:"price"`
	Currency string  `json:"-"`
	// Free says how many units are free, or is "" for none.
	Free string `json:"free,omitzero"`
	// From and Until are the first and the last day of the price, in UTC.
	From  Day `json:"from,omitzero"`
	Until Day `json:"until,omitzero"`
	// Source is the name of a source of the card.
	Source string `json:"source"`
}

// String describes the price, such as "Google Search: 0.014 USD a query, 5000 a month over all
// models are free".
func (e Extra) String() string {
	text := fmt.Sprintf("%s: %s %s a %s", e.Name, strconv.FormatFloat(e.Price, 'f', -1, 64),
		e.Currency, e.Unit)
	if e.Free != "" {
		text += ", " + e.Free + " are free"
	}
	return text
}

// Extras returns the possible costs of a model's calls in addition to tokens at a time. The zero
// time is now. If a card has a row for the model and the service, cards below it are not used.
func (c *Card) Extras(model string, surface Surface, at time.Time) []Extra {
	model = strings.TrimPrefix(model, "models/")
	for ; c != nil; c = c.under {
		var found []Extra
		known := false
		for i := range c.extras {
			e := &c.extras[i]
			if e.Surface != surface ||
				!slices.ContainsFunc(e.Models,
					func(name string) bool { return isVersion(model, name) }) {
				continue
			}
			known = true
			if isWithin(e.From, e.Until, atOrNow(at)) {
				found = append(found, *e)
			}
		}
		if known {
			return found
		}
	}
	return nil
}

// check returns the error of a row, and a pointer to it.
func (e *Extra) check(sources map[string]Source) (pointer string, err error) {
	switch {
	case len(e.Models) == 0:
		return "", fmt.Errorf("the extra names no models")
	case surfaceNames[e.Surface] == "":
		return "/surface", fmt.Errorf("%q is not a service; want gemini_api or vertex_ai", e.Surface)
	case e.Name == "" || e.Unit == "":
		return "", fmt.Errorf("the extra needs a name, such as Google Search, and a unit, such as query")
	case !isPrice(e.Price):
		return "/price", fmt.Errorf("the price must not be negative")
	case sources[e.Source].Date == Day{}:
		return "/source",
			fmt.Errorf("the extra has no source with a date; %q is not one of the card's sources",
				e.Source)
	}
	return "", nil
}
