package ratecard_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/ratecard"
	"go.yaml.in/yaml/v3"
)

// shippedRow is a row as it is written in google.yaml.
type shippedRow struct {
	Models      []string
	Surface     ratecard.Surface
	Tier        ratecard.Tier
	Above       int
	From, Until string
	Source      string
	Rates       map[string]float64
}

func shippedRows(t *testing.T) []shippedRow {
	t.Helper()
	data, err := os.ReadFile("google.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Prices []shippedRow }
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Prices
}

// days returns the first and the last day of a row.
func (r *shippedRow) days() (from, until string) {
	from, until = "0000-01-01", "9999-12-31"
	if r.From != "" {
		from = r.From[:10]
	}
	if r.Until != "" {
		until = r.Until[:10]
	}
	return from, until
}

// No day has two prices for one model in one tier and one length of the prompt.
func TestPricesThatShipDoNotOverlap(t *testing.T) {
	t.Parallel()
	rows := shippedRows(t)
	for i := range rows {
		for j := range rows[:i] {
			a, b := &rows[i], &rows[j]
			if a.Surface != b.Surface || a.Tier != b.Tier || a.Above != b.Above {
				continue
			}
			aFrom, aUntil := a.days()
			bFrom, bUntil := b.days()
			for _, model := range a.Models {
				if slices.Contains(b.Models, model) && aFrom <= bUntil && bFrom <= aUntil {
					t.Errorf("%s, %s, %s: rows %d and %d overlap", model, a.Surface, a.Tier, j, i)
				}
			}
		}
	}
}

// endWithoutSuccessor has the rows that no other row or model follows with a price, and the reason.
var endWithoutSuccessor = map[string]string{
	"gemini-2.5-flash-image":        "it was shut down",
	"gemini-3.8-flash-tts":          "one source alone has its price of 2027",
	"gemini-3.8-flash-lite-tts":     "one source alone has its price of 2027",
	"gemini-3.8-flash at vertex_ai": "no source has its price of 2027",
}

// Every row prices a call on its first and on its last day with its own rates. The day after its
// last day also has a price: the next row's, or the price of the model that answers from then on.
func TestPricesThatShipHaveNoHole(t *testing.T) {
	t.Parallel()
	card := ratecard.Google()
	ended := 0
	for _, row := range shippedRows(t) {
		from, until := row.days()
		for _, model := range row.Models {
			call := ratecard.Call{Model: model, Surface: row.Surface, Tier: row.Tier}
			call.Usage.InputTokens = max(1, row.Above+1)
			for _, day := range []string{from, until} {
				if day == "0000-01-01" || day == "9999-12-31" { // any day will do
					day = min(max("2026-11-23", from), until)
				}
				call.At = parseDay(t, day)
				cost, err := card.Cost(call)
				if err != nil {
					t.Errorf("%s on %s: %v", model, day, err)
					continue
				}
				want := row.Rates["input"] * float64(call.Usage.InputTokens) / 1e6
				if math.Abs(cost.Amount-want) > 1e-12 ||
					!strings.HasPrefix(cost.Source, model+", ") {
					t.Errorf("%s on %s: %+v, want %v", model, day, cost, want)
				}
			}
			if until == "9999-12-31" {
				continue
			}
			ended++
			call.At = parseDay(t, until).AddDate(0, 0, 1)
			cost, err := card.Cost(call)
			name := model
			if row.Surface == ratecard.VertexAI {
				name += " at vertex_ai"
			}
			if why, ok := endWithoutSuccessor[name]; ok == (err == nil) {
				t.Errorf("%s, %s after %s: %v, %v %s", name, row.Tier, until, cost, err, why)
			}
		}
	}
	if ended < 30 {
		t.Errorf("only %d rows end", ended)
	}
}

func parseDay(t *testing.T, day string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// When Google changes a name or a price on a day, the last moment before the day has the old price.
// The first moment of the day has the new price.
func TestPricesChangeOnTheirDay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model           string
		surface         ratecard.Surface
		tier            ratecard.Tier
		day             string
		before, after   float64
		answersFromThen string
	}{
		{"gemini-3.5-flash", ratecard.GeminiAPI, ratecard.Standard, "2026-10-08", 1.5, 0.75, "gemini-3.6-flash"},
		{"gemini-3.5-flash", ratecard.GeminiAPI, ratecard.Priority, "2026-10-08", 2.7, 1.35, "gemini-3.6-flash"},
		{"gemini-3.5-flash", ratecard.VertexAI, ratecard.Standard, "2026-10-08", 1.5, 1.5, "gemini-3.5-flash"},
		{"gemini-3.7-flash", ratecard.GeminiAPI, ratecard.Batch, "2026-10-08", 0.375, 0.375, "gemini-3.8-flash"},
		{"gemini-2.5-pro", ratecard.GeminiAPI, ratecard.Standard, "2026-12-01", 1.25, 0.75, "gemini-3.8-flash"},
		{"gemini-2.5-flash", ratecard.GeminiAPI, ratecard.Flex, "2026-12-01", 0.15, 0.15, "gemini-3.5-flash-lite"},
		{"gemini-2.5-flash-lite", ratecard.GeminiAPI, ratecard.Standard, "2026-12-01", 0.1, 0.1, "gemini-2.5-flash-lite"},
		{"gemini-4-argon", ratecard.GeminiAPI, ratecard.Standard, "2026-12-01", 2, 4, "gemini-4-argon"},
		{"gemini-4-argon", ratecard.GeminiAPI, ratecard.Batch, "2026-12-01", 1, 2, "gemini-4-argon"},
		{"gemini-3.6-flash", ratecard.GeminiAPI, ratecard.Standard, "2027-01-01", 0.75, 1.5, "gemini-3.6-flash"},
		{"gemini-3.8-flash", ratecard.GeminiAPI, ratecard.Flex, "2027-01-01", 0.375, 0.75, "gemini-3.8-flash"},
		{"gemini-3.8-flash", ratecard.GeminiAPI, ratecard.Priority, "2027-01-01", 1.35, 2.7, "gemini-3.8-flash"},
		{"gemini-3.6-flash", ratecard.VertexAI, ratecard.Standard, "2027-01-01", 0.75, 1.5, "gemini-3.6-flash"},
	} {
		day := parseDay(t, test.day)
		c := ratecard.Call{Model: test.model, Surface: test.surface, Tier: test.tier}
		c.Usage.InputTokens = 1
		c.At = day.Add(-time.Nanosecond)
		wantCost(t, ratecard.Google(), c, test.before/1e6)
		c.At = day
		if cost := wantCost(t, ratecard.Google(), c,
			test.after/1e6); !strings.HasPrefix(cost.Source, test.answersFromThen+", ") {
			t.Errorf("%s from %s: %s", test.model, test.day, cost.Source)
		}
	}
}

// If Google answers with another model, that model has a price at that time.
func TestEveryModelThatAnswersForAnotherHasAPrice(t *testing.T) {
	t.Parallel()
	routed := 0
	for _, at := range []time.Time{when, parseDay(t, "2026-12-01"), parseDay(t, "2027-01-01")} {
		for _, model := range models.All(models.GeminiAPI, at) {
			if model.Route.Kind != models.RouteReplaced {
				continue
			}
			routed++
			c := ratecard.Call{Model: model.Asked, Surface: ratecard.GeminiAPI, At: at}
			c.Usage.InputTokens, c.Usage.OutputTokens, c.Usage.CachedTokens = 10, 1, 5
			if _, err := ratecard.Google().Cost(c); err != nil {
				t.Errorf("%s on %s: %v", model.Asked, at.Format(time.DateOnly), err)
			}
		}
	}
	if routed < 8 {
		t.Errorf("only %d routed models", routed)
	}
}

// Other locations of Vertex AI cost a tenth more for the models that are marked so, including
// cached tokens.
func TestALocationHasItsOwnPrice(t *testing.T) {
	t.Parallel()
	u := usage(t, `{"promptTokenCount":1000000,"cachedContentTokenCount":500000,"totalTokenCount":1000000}`)
	for _, test := range []struct {
		model, location string
		want            float64
		source          string
	}{
		{"gemini-3.5-flash-lite", "", 0.165, "gemini-3.5-flash-lite, Vertex AI, 2026-08-21"},
		{"gemini-3.5-flash-lite", "global", 0.165, "gemini-3.5-flash-lite, Vertex AI, 2026-08-21"},
		{"gemini-3.5-flash-lite", "europe-west4", 0.1815, "gemini-3.5-flash-lite, Vertex AI, europe-west4, 2026-08-21"},
		{"gemini-3.6-flash", "us", 0.4125, "gemini-3.6-flash, Vertex AI, 2026-08-13"},
	} {
		c := ratecard.Call{Model: test.model, Surface: ratecard.VertexAI, Location: test.location,
			At: when, Usage: u}
		if cost := wantCost(t, ratecard.Google(), c, test.want); cost.Source != test.source {
			t.Errorf("%s: %s", test.model, cost.Source)
		}
	}
}

// If the card only knows that a kind of tokens has another price, the whole cost is unknown.
func TestTokensOfAnUnknownPriceAreNotGuessed(t *testing.T) {
	t.Parallel()
	spoken := usage(t, `{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":4}],"totalTokenCount":10}`)
	c := ratecard.Call{Model: "gemini-3.1-flash-lite", Surface: ratecard.VertexAI, At: when,
		Usage: spoken}
	wantUnpriced(t, ratecard.Google(), c, "input_audio")
	c.Surface = ratecard.GeminiAPI
	wantCost(t, ratecard.Google(), c, (6*0.25+4*0.5)/1e6)
}

// Images have a separate price, or make the whole cost unknown.
func TestPicturesAreNotPricedAsText(t *testing.T) {
	t.Parallel()
	drawn := usage(t, `{"promptTokenCount":10,"candidatesTokenCount":1130,"candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":1120}],"totalTokenCount":1140}`)
	c := ratecard.Call{Model: "gemini-nano-banana-2.1", Surface: ratecard.GeminiAPI, At: when,
		Usage: drawn}
	wantCost(t, ratecard.Google(), c, (10*1.5+10*7.5+1120*30)/1e6)
	for _, tier := range []ratecard.Tier{ratecard.Batch, ratecard.Flex} {
		c := ratecard.Call{Model: "gemini-3-pro-image", Surface: ratecard.GeminiAPI, Tier: tier,
			At: when, Usage: drawn}
		wantUnpriced(t, ratecard.Google(), c, "output_image")
		c.Usage = usage(t,
			`{"promptTokenCount":10,"candidatesTokenCount":10,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":10}],"totalTokenCount":20}`)
		wantCost(t, ratecard.Google(), c, (10*1+10*6)/1e6)
	}
}

// A cost lists the model's charges other than tokens.
func TestACostNamesWhatIsNotTokens(t *testing.T) {
	t.Parallel()
	// which 3.6 answers
	c := call("models/gemini-3.5-flash", usage(t, `{"promptTokenCount":1,"totalTokenCount":1}`))
	cost, err := ratecard.Google().Cost(c)
	if err != nil || len(cost.Extras) != 1 ||
		cost.Extras[0].String() != "Google Search: 0.014 USD a query, 5000 a month over all models are free" {
		t.Errorf("%+v, %v", cost, err)
	}
	for model, want := range map[string]string{
		"lyria-3.5": "music: 0.08 USD a song", "lyria-3-clip-preview": "music: 0.04 USD a song",
		"gemini-2.5-flash-lite": "",
	} {
		got := ""
		for _, extra := range ratecard.Google().Extras(model, ratecard.GeminiAPI, when) {
			got += extra.String()
		}
		if got != want {
			t.Errorf("%s: %q", model, got)
		}
	}
	own := read(t, head+row("m", "rates: {input: 1}")+
		extraRow("name: maps, unit: query, price: 2, until: 2026-11-21")+
		"- {models: [lyria-3.5], surface: gemini_api, source: contract, name: music, unit: song, price: 1}\n")
	card := ratecard.Google().With(own)
	if got := card.Extras("m", ratecard.GeminiAPI, when); len(got) != 0 {
		t.Errorf("an extra that has ended: %v", got)
	}
	if got := card.Extras("lyria-3.5", ratecard.GeminiAPI, when); len(got) != 1 ||
		got[0].String() != "music: 1 EUR a song" {
		t.Errorf("%v", got)
	}
}
