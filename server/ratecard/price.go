package ratecard

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Surface is the service of a model. The two services have different prices.
type Surface string

// The services.
const (
	GeminiAPI Surface = "gemini_api"
	VertexAI  Surface = "vertex_ai"
)

// surfaceNames are the display names of the services.
var surfaceNames = map[Surface]string{GeminiAPI: "Gemini API", VertexAI: "Vertex AI"}

// Tier is the service tier of a call.
type Tier string

// The tiers.
const (
	Standard Tier = "standard"
	Batch    Tier = "batch"
	Flex     Tier = "flex"
	Priority Tier = "priority"
)

// tiers are the tiers that a card may have.
var tiers = []Tier{Standard, Batch, Flex, Priority}

// Class is a class of tokens with its own price. Input, CachedInput and Output may have a suffix
// with a modality, such as "input_audio". Without a suffix they are the price of all modalities
// without their own price.
type Class string

// The classes of tokens.
const (
	// Input is the prompt without its cached part.
	Input Class = "input"
	// CachedInput is the cached part of the prompt.
	CachedInput Class = "cached_input"
	// Output is the answer.
	Output Class = "output"
	// Thinking is the model's thoughts before the answer.
	Thinking Class = "thinking"
	// ToolUse is the input from server tools, such as URL context.
	ToolUse Class = "tool_use"
)

// classes are the valid names in rates.
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
	if known := ofModality[c]; known != nil {
		return known[m]
	}
	return c + "_" + Class(modalityNames[m])
}

// ofModality has the classes for all modalities, because each call asks for several. It is
// read-only.
var ofModality = func() map[Class]*[modalities]Class {
	out := map[Class]*[modalities]Class{}
	for _, class := range []Class{Input, CachedInput, Output, Thinking, ToolUse} {
		out[class] = &[modalities]Class{class}
		for m := text + 1; m < modalities; m++ {
			out[class][m] = class + "_" + Class(modalityNames[m])
		}
	}
	return out
}()

// Rates are prices for a million tokens.
type Rates map[Class]float64

// rate returns the price of a class for a modality. Documents without their own price have the
// price of images, according to the notes on Google's price page.
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

// hasModalities reports whether the price of a class depends on the modality.
func (p *Price) hasModalities(class Class) bool {
	for m := text + 1; m < modalities; m++ {
		if _, ok := p.Rates[class.of(m)]; ok || slices.Contains(p.Unknown, class.of(m)) {
			return true
		}
	}
	return false
}

// Day is a date without a time, such as 2026-12-31. The zero value is no date.
type Day struct {
	time time.Time
	text string
}

// UnmarshalText parses an ISO 8601 date.
func (d *Day) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is not a date; want one such as 2026-12-31", text)
	}
	d.time, d.text = parsed, string(text)
	return nil
}

// String returns the date in the format of UnmarshalText, or "" for none.
func (d Day) String() string { return d.text }

// Source is the source of prices.
type Source struct {
	Title string `json:"title"`
	URL   string `json:"url,omitzero"`
	// Date is the date of the source.
	Date Day `json:"date"`
	// Confidence is how reliable the prices are: "vendor" for a page of the vendor, "quoted" for at
	// least two others that quote it, "single" for one. It may be "" in a custom card.
	Confidence string `json:"confidence,omitzero"`
	// Note has further remarks.
	Note string `json:"note,omitzero"`
}

// Price is the price of models in one tier of one service.
type Price struct {
	// Models are names without "models/", such as "gemini-3.6-flash". A name also matches its
	// numbered versions, such as "gemini-3.6-flash-001".
	Models  []string `json:"models"`
	Surface Surface  `json:"surface"`
	Tier    Tier     `json:"tier"`
	// Above is the number of prompt tokens above which the row applies, or 0 for any prompt. Of
	// several matching rows the one with the highest number applies.
	Above int `json:"above,omitzero"`
	// From and Until are the first and the last day of the row, in UTC.
	From  Day `json:"from,omitzero"`
	Until Day `json:"until,omitzero"`
	// Source is the name of a source of the card.
	Source string `json:"source"`
	// Rates are for a million tokens. Storage is the price of a million tokens in a cache for an
	// hour, or nil if it is unknown.
	Rates Rates `json:"rates"`
	// Unknown are classes of tokens whose price is different from Rates and not published. A call
	// with such tokens has no cost.
	Unknown []Class `json:"unknown,omitzero"`
	// Regional is the factor of the rates at locations of Vertex AI other than global: 1.1 for ten
	// per cent more. 0 is no difference.
	Regional float64  `json:"regional,omitzero"`
	Storage  *float64 `json:"storage,omitzero"`
}

// isFor reports whether the row is for a model.
func (p *Price) isFor(model string, surface Surface, tier Tier) bool {
	return p.Surface == surface && p.Tier == tier &&
		slices.ContainsFunc(p.Models, func(name string) bool { return isVersion(model, name) })
}

// isVersion reports whether a model has the name, or is a numbered version of it.
func isVersion(model, name string) bool {
	rest, ok := strings.CutPrefix(model, name)
	if !ok || rest == "" {
		return ok
	}
	return len(rest) == 4 && rest[0] == '-' && strings.Trim(rest[1:], "0123456789") == ""
}

// holds reports whether the row applies to a prompt with n tokens at a time.
func (p *Price) holds(prompt int, at time.Time) bool {
	return (p.Above == 0 || prompt > p.Above) && isWithin(p.From, p.Until, at)
}

// isWithin reports whether a time is within the days from the first to the last, both in UTC. The
// zero day is no bound.
func isWithin(from, until Day, at time.Time) bool {
	day := at.UTC().Truncate(24 * time.Hour)
	return !day.Before(from.time) && (until.time.IsZero() || !day.After(until.time))
}

// factor returns the factor of the rates at a location. The location "" is global.
func (p *Price) factor(location string) float64 {
	if p.Regional == 0 || location == "" || location == "global" {
		return 1
	}
	return p.Regional
}

// check returns the error of a row, and a pointer to it.
func (p *Price) check(sources map[string]Source) (pointer string, err error) {
	switch {
	case len(p.Models) == 0:
		return "", fmt.Errorf("the price names no models")
	case surfaceNames[p.Surface] == "":
		return "/surface", fmt.Errorf("%q is not a service; want gemini_api or vertex_ai", p.Surface)
	case !slices.Contains(tiers, p.Tier):
		return "/tier", fmt.Errorf("%q is not a tier; want standard, batch, flex or priority", p.Tier)
	case p.Above < 0:
		return "/above", fmt.Errorf("above must not be negative")
	case sources[p.Source].Date == Day{}:
		return "/source",
			fmt.Errorf("the price has no source with a date; %q is not one of the card's sources",
				p.Source)
	case p.Storage != nil && !isPrice(*p.Storage):
		return "/storage", fmt.Errorf("the price must not be negative")
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
			return "/rates/" + string(class), fmt.Errorf("the price must not be negative")
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

// describe returns the name of the row, such as "gemini-2.5-pro, Gemini API, batch, prompts above
// 200000 tokens, 2026-06-02".
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
	return strings.Join(append(parts, source.Date.text), ", ")
}
