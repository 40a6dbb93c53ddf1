package ratecard_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/server/ratecard"
)

func TestEveryPriceThatShipsNamesASourceAndItsDate(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("google.yaml")
	if err != nil {
		t.Fatal(err)
	}
	card, err := ratecard.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(card.Sources()) == 0 {
		t.Error("the card has no source")
	}
	for name, source := range card.Sources() {
		if source.Title == "" || source.URL == "" || source.Note == "" ||
			source.Date.String() == "" {
			t.Errorf("%s: %+v", name, source)
		}
		if !slices.Contains([]string{"vendor", "quoted", "single"}, source.Confidence) {
			t.Errorf("%s has the confidence %q", name, source.Confidence)
		}
	}
	if got := ratecard.Google().Models(ratecard.GeminiAPI); len(got) < 12 {
		t.Errorf("prices for %v alone", got)
	}
	if got := ratecard.Google().Models(ratecard.VertexAI); len(got) < 8 {
		t.Errorf("prices at Vertex AI for %v alone", got)
	}
}

const head = "currency: EUR\nsources: {contract: {title: ours, date: 2026-11-01}}\nprices:\n"

// row returns a row of a card at the Gemini API, in the standard tier.
func row(models, rest string) string {
	return "- {models: [" + models + "], surface: gemini_api, tier: standard, source: contract, " +
		rest + "}\n"
}

// extraRow returns a list with one price that is not per token.
func extraRow(rest string) string {
	return "extras:\n- {models: [m], surface: gemini_api, source: contract, " + rest + "}\n"
}

func TestAMistakeInACardIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for card, want := range map[string]string{
		"prices: []":                                                "the card has no currency",
		"curency: EUR":                                              `line 1: /curency: unknown member "curency" of a rate card; did you mean "currency"?`,
		head + row("m", "rates: {inptu: 1}"):                        `line 4: /prices/0/rates/inptu: unknown token class "inptu"; did you mean "input"?`,
		head + row("m", "rates: {input: -1}"):                       "line 4: /prices/0/rates/input: the price must not be negative",
		head + row("m", "rates: {}"):                                "the price has no rates",
		head + row("", "rates: {input: 1}"):                         "the price names no models",
		head + row("m", "until: soon, rates: {a: 1}"):               `/prices/0/until: "soon" is not a date; want one such as 2026-12-31`,
		head + row("m", "regional: 1.1, rates: {input: 1}"):         "line 4: /prices/0/regional: regional must be a factor such as 1.1, for vertex_ai",
		head + row("m", "unknown: [input_adio], rates: {input: 1}"): `/prices/0/unknown/0: unknown token class "input_adio"; did you mean "input_audio"?`,
		head + row("m", "rates: {input: 1}") +
			extraRow("name: a"): "the extra needs a name, such as Google Search, and a unit, such as query",
		head + row("m", "rates: {input: 1}") +
			extraRow("name: a, unit: b, price: -1"): "/extras/0/price: the price must not be negative",
		head + row("m", "above: -1, rates: {input: 1}"): "above must not be negative",
		head + strings.Replace(row("m", "rates: {input: 1}"), "contract", "nowhere",
			1): `the price has no source with a date; "nowhere"`,
		head + strings.Replace(row("m", "rates: {input: 1}"), "standard", "cheap",
			1): `"cheap" is not a tier`,
		head + strings.Replace(row("m", "rates: {input: 1}"), "gemini_api", "elsewhere",
			1): `"elsewhere" is not a service`,
		"currency: EUR\nsources: {a: {title: b}}\nprices:\n- {models: [m], surface: gemini_api, tier: batch, source: a, rates: {input: 1}}": "no source with a date",
	} {
		_, err := ratecard.Read([]byte(card))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v\nwant %s", card, err, want)
		}
		if _, ok := errors.AsType[*document.Error](err); !ok {
			t.Errorf("%T", err)
		}
	}
}

func TestAFileIsNamedInItsErrors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prices.yaml")
	if _, err := ratecard.ReadFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("a: b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ratecard.ReadFile(path); err == nil ||
		!strings.Contains(err.Error(), path+": line 1") {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte(head+row("m", "rates: {input: 1}")), 0o600); err != nil {
		t.Fatal(err)
	}
	if card, err := ratecard.ReadFile(path); err != nil ||
		len(card.Models(ratecard.GeminiAPI)) != 1 {
		t.Error(card, err)
	}
}
