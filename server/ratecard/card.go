package ratecard

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/document"
)

// Card is a list of prices. It is immutable and safe for concurrent use. The zero value has no
// prices.
type Card struct {
	currency string
	sources  map[string]Source
	prices   []Price
	extras   []Extra
	// under is the card below this one, or nil.
	under *Card
}

//go:embed google.yaml
var google []byte

// Google returns Google's prices that the package knows, with the source of each.
func Google() *Card {
	card, _ := Read(google) // which a test reads, too
	return card
}

// ReadFile reads a card from a YAML or JSON file. An error names the file and the line.
func ReadFile(path string) (*Card, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ratecard: %w", err)
	}
	card, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("ratecard: %s: %w", path, err)
	}
	return card, nil
}

// file is a card in its file format.
type file struct {
	Currency string            `json:"currency"`
	Sources  map[string]Source `json:"sources"`
	Prices   []Price           `json:"prices"`
	Extras   []Extra           `json:"extras"`
}

// Read reads a card in YAML or JSON. Unknown names are errors, and so are prices without a source.
// An error names the line.
func Read(data []byte) (*Card, error) {
	var f file
	lines, err := document.Read(data, &f, document.Form{Unknown: unknownName})
	if err != nil {
		return nil, err
	}
	if f.Currency == "" {
		return nil, lines.Error("", "the card has no currency; expected one such as USD")
	}
	for i := range f.Prices {
		if inner, err := f.Prices[i].check(f.Sources); err != nil {
			return nil, lines.Error(fmt.Sprintf("/prices/%d%s", i, inner), err.Error())
		}
	}
	for i := range f.Extras {
		f.Extras[i].Currency = f.Currency
		if inner, err := f.Extras[i].check(f.Sources); err != nil {
			return nil, lines.Error(fmt.Sprintf("/extras/%d%s", i, inner), err.Error())
		}
	}
	return &Card{currency: f.Currency, sources: f.Sources, prices: f.Prices, extras: f.Extras}, nil
}

// names are the member names of a card's file, for suggestions.
var names = []string{
	"currency", "sources", "prices", "extras", "title", "url", "date", "confidence", "note",
	"models", "surface", "tier",
	"above", "from", "until", "source", "regional", "unknown", "rates", "storage", "name", "unit",
	"price", "free",
}

func unknownName(pointer string) string {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if meant := document.NearestName(name, names); meant != "" {
		return fmt.Sprintf("unknown member %q of a rate card; did you mean %q?", name, meant)
	}
	return fmt.Sprintf("unknown member %q of a rate card", name)
}

func unknownClass(class Class) error {
	known := make([]string, len(classes))
	for i, c := range classes {
		known[i] = string(c)
	}
	if meant := document.NearestName(string(class), known); meant != "" {
		return fmt.Errorf("unknown token class %q; did you mean %q?", class, meant)
	}
	return fmt.Errorf("unknown token class %q; want one of %s", class,
		strings.Join(known, ", "))
}

// With returns a card with the prices of own. Prices of c apply to models, services and tiers that
// own does not have. Either may be nil.
func (c *Card) With(own *Card) *Card {
	if own == nil {
		return c
	}
	over := *own
	over.under = over.under.overlaid(c)
	return &over
}

// overlaid returns c on top of another card.
func (c *Card) overlaid(under *Card) *Card {
	if c == nil {
		return under
	}
	return under.With(c)
}

// Sources returns the sources of the card's prices by name, without the sources of a card below it.
func (c *Card) Sources() map[string]Source {
	if c == nil {
		return nil
	}
	return c.sources
}

// Currencies returns the currencies of the card and of the cards below it.
func (c *Card) Currencies() (all []string) {
	for ; c != nil; c = c.under {
		if c.currency != "" && !slices.Contains(all, c.currency) {
			all = append(all, c.currency)
		}
	}
	return all
}

// find returns the row that applies, and its card. If a card has a row for the model, service and
// tier, cards below it are not used, even if that row does not apply.
func (c *Card) find(model string, surface Surface, tier Tier, prompt int, at time.Time) (*Card,
	*Price) {
	if c == nil {
		return nil, nil
	}
	var found *Price
	known := false
	for i := range c.prices {
		price := &c.prices[i]
		if !price.isFor(model, surface, tier) {
			continue
		}
		known = true
		if price.holds(prompt, at) && (found == nil || price.Above > found.Above) {
			found = price
		}
	}
	if !known {
		return c.under.find(model, surface, tier, prompt, at)
	}
	return c, found
}

// Models returns the models that have a price at a service, sorted by name.
func (c *Card) Models(surface Surface) []string {
	var models []string
	for ; c != nil; c = c.under {
		for _, price := range c.prices {
			if price.Surface == surface {
				models = append(models, price.Models...)
			}
		}
	}
	slices.Sort(models)
	return slices.Compact(models)
}
