package ratecard

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Surface is where a model is called, since the two services have prices of their own.
type Surface string

// The services.
const (
	GeminiAPI Surface = "gemini_api"
	VertexAI  Surface = "vertex_ai"
)

// surfaceNames are the services as people call them.
var surfaceNames = map[Surface]string{GeminiAPI: "Gemini API", VertexAI: "Vertex AI"}

// Tier is how urgently a call is served.
type Tier string

// The tiers.
const (
	Standard Tier = "standard"
	Batch    Tier = "batch"
	Flex     Tier = "flex"
	Priority Tier = "priority"
)

// tiers are those that a card may have.
var tiers = []Tier{Standard, Batch, Flex, Priority}

// Class is a kind of tokens that has a price. Input, CachedInput and Output can be followed by an
// underscore and a modality, such as "input_audio"; without one they are the price of all
// modalities that have none.
type Class string

// The kinds of tokens.
const (
	// Input is the prompt without what came from a cache.
	Input Class = "input"
	// CachedInput is what of the prompt came from a cache.
	CachedInput Class = "cached_input"
	// Output is the answer.
	Output Class = "output"
	// Thinking is what the model thought before it answered.
	Thinking Class = "thinking"
	// ToolUse is what tools of the server, such as URL context, gave the model to read.
	ToolUse Class = "tool_use"
)

// classes are the names that rates may have.
var classes = []Class{
	Input, Input.of(image), Input.of(video), Input.of(audio), Input.of(pdf),
	CachedInput, CachedInput.of(image), CachedInput.of(video), CachedInput.of(audio),
	CachedInput.of(pdf),
	Output, Output.of(image), Output.of(video), Output.of(audio),
	Thinking, ToolUse,
}

// of returns the class for a modality.
func (c Class) of(m modality) Class {
	if m == text {
		return c
	}
	return c + "_" + Class(modalityNames[m])
}

// Rates are prices for a million tokens.
type Rates map[Class]float64

// rate returns the price of a class for a modality. Documents have the price of images where they
// have none of their own, as Google's page of prices says in its notes.
func (p *Price) rate(class Class, m modality) (float64, bool) {
	if rate, ok := p.Rates[class.of(m)]; ok {
		return rate, true
	}
	if slices.Contains(p.Unknown, class.of(m)) {
		return 0, false
	}
	if m == pdf {
		return p.rate(class, image)
	}
	rate, ok := p.Rates[class]
	return rate, ok
}

// hasModalities reports whether tokens of a class differ in price by their modality.
func (p *Price) hasModalities(class Class) bool {
	for m := text + 1; m < modalities; m++ {
		if _, ok := p.Rates[class.of(m)]; ok || slices.Contains(p.Unknown, class.of(m)) {
			return true
		}
	}
	return false
}

// Day is a date without a time, such as 2026-12-31. The zero value is none.
type Day struct{ time time.Time }

// UnmarshalText reads a date as ISO 8601 writes it.
func (d *Day) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is no date; want one such as 2026-12-31", text)
	}
	d.time = parsed
	return nil
}

// String returns the date as it is read, "" for none.
func (d Day) String() string {
	if d.time.IsZero() {
		return ""
	}
	return d.time.Format(time.DateOnly)
}

// Source is where prices were read.
type Source struct {
	Title string `json:"title"`
	URL   string `json:"url,omitzero"`
	// Date is when the source said so.
	Date Day `json:"date"`
	// Confidence is how sure the prices are: "vendor" for a page of the vendor's, "quoted" for at
	// least two others that quote it, "single" for one; "" where a card of one's own does not say.
	Confidence string `json:"confidence,omitzero"`
	// Note says what else there is to know of it.
	Note string `json:"note,omitzero"`
}

// Price is what tokens of models cost in one tier of one service.
type Price struct {
	// Models are names without "models/", such as "gemini-3.6-flash". One fits its numbered
	// versions too, such as "gemini-3.6-flash-001".
	Models  []string `json:"models"`
	Surface Surface  `json:"surface"`
	Tier    Tier     `json:"tier"`
	// Above is the number of tokens that a prompt has to exceed for the row to hold; 0 for any
	// prompt. Of several rows the one with the highest number holds.
	Above int `json:"above,omitzero"`
	// From and Until are the first and the last day of the row, in UTC.
	From  Day `json:"from,omitzero"`
	Until Day `json:"until,omitzero"`
	// Source is a name in the card's sources.
	Source string `json:"source"`
	// Rates are for a million tokens, Storage is for a million tokens that are kept in a cache for
	// an hour, nil where no source says.
	Rates Rates `json:"rates"`
	// Unknown are kinds of tokens that cost something else than Rates say, and no source says what.
	// A call that has such tokens has no cost.
	Unknown []Class `json:"unknown,omitzero"`
	// Regional is by what the rates are multiplied where Vertex AI is called at another location
	// than global: 1.1 for ten per cent more. 0 is for the same rates everywhere.
	Regional float64  `json:"regional,omitzero"`
	Storage  *float64 `json:"storage,omitzero"`
}

// isFor reports whether the row is for a model there.
func (p *Price) isFor(model string, surface Surface, tier Tier) bool {
	return p.Surface == surface && p.Tier == tier &&
		slices.ContainsFunc(p.Models, func(name string) bool { return isVersion(model, name) })
}

// isVersion reports whether a model is the named one or a numbered version of it.
func isVersion(model, name string) bool {
	rest, ok := strings.CutPrefix(model, name)
	if !ok || rest == "" {
		return ok
	}
	return len(rest) == 4 && rest[0] == '-' && strings.Trim(rest[1:], "0123456789") == ""
}

// holds reports whether the row holds for a prompt of so many tokens at a time.
func (p *Price) holds(prompt int, at time.Time) bool {
	return (p.Above == 0 || prompt > p.Above) && isWithin(p.From, p.Until, at)
}

// isWithin reports whether a time is in the days from the first to the last, both in UTC. The zero
// day sets no bound.
func isWithin(from, until Day, at time.Time) bool {
	day := at.UTC().Truncate(24 * time.Hour)
	return !day.Before(from.time) && (until.time.IsZero() || !day.After(until.time))
}

// factor returns by what the rates are multiplied at a location, "" for the global one.
func (p *Price) factor(location string) float64 {
	if p.Regional == 0 || location == "" || location == "global" {
		return 1
	}
	return p.Regional
}

// check returns what is wrong with a row, and a pointer to it.
func (p *Price) check(sources map[string]Source) (pointer string, err error) {
	switch {
	case len(p.Models) == 0:
		return "", fmt.Errorf("the price names no models")
	case surfaceNames[p.Surface] == "":
		return "/surface", fmt.Errorf("%q is no service; want gemini_api or vertex_ai", p.Surface)
	case !slices.Contains(tiers, p.Tier):
		return "/tier", fmt.Errorf("%q is no tier; want standard, batch, flex or priority", p.Tier)
	case p.Above < 0:
		return "/above", fmt.Errorf("above must not be negative")
	case sources[p.Source].Date == Day{}:
		return "/source",
			fmt.Errorf("the price has no source with a date; %q is none of the card's sources",
				p.Source)
	case p.Storage != nil && !isPrice(*p.Storage):
		return "/storage", fmt.Errorf("a price is not negative")
	case p.Regional != 0 && (!isPrice(p.Regional) || p.Surface != VertexAI):
		return "/regional", fmt.Errorf("regional must be a factor such as 1.1, for vertex_ai")
	case len(p.Rates) == 0:
		return "/rates", fmt.Errorf("the price has no rates")
	}
	for class, rate := range p.Rates {
		if !slices.Contains(classes, class) {
			return "/rates/" + string(class), unknownClass(class)
		}
		if !isPrice(rate) {
			return "/rates/" + string(class), fmt.Errorf("a price is not negative")
		}
	}
	for i, class := range p.Unknown {
		if !slices.Contains(classes, class) {
			return fmt.Sprintf("/unknown/%d", i), unknownClass(class)
		}
	}
	return "", nil
}

func isPrice(amount float64) bool { return amount >= 0 && !math.IsInf(amount, 0) }

// describe names the row, such as "gemini-2.5-pro, Gemini API, batch, prompts above 200000 tokens,
// 2026-06-02".
func (p *Price) describe(model, location string, source Source) string {
	parts := []string{model, cmp.Or(surfaceNames[p.Surface], string(p.Surface))}
	if p.Tier != Standard {
		parts = append(parts, string(p.Tier))
	}
	if p.Above > 0 {
		parts = append(parts, fmt.Sprintf("prompts above %d tokens", p.Above))
	}
	if p.factor(location) != 1 {
		parts = append(parts, location)
	}
	return strings.Join(append(parts, source.Date.String()), ", ")
}
