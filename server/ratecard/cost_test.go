package ratecard_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/ratecard"
)

// usage returns the usage of a response whose usageMetadata is as given.
func usage(t *testing.T, metadata string) normalize.Usage {
	t.Helper()
	response, err := gemini.DecodeResponse([]byte(`{"usageMetadata":` + metadata + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return normalize.NewUsage(response.UsageMetadata)
}

func read(t *testing.T, card string) *ratecard.Card {
	t.Helper()
	out, err := ratecard.Read([]byte(card))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// when is a day on which all shipped prices without an end are valid.
var when = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func call(model string, u normalize.Usage) ratecard.Call {
	return ratecard.Call{Model: model, Surface: ratecard.GeminiAPI, At: when, Usage: u}
}

func wantCost(t *testing.T, card *ratecard.Card, call ratecard.Call, want float64) *ratecard.Cost {
	t.Helper()
	cost, err := card.Cost(call)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(cost.Amount-want) > 1e-9 {
		t.Errorf("%v costs %v, want %v", call.Model, cost.Amount, want)
	}
	sum := 0.0
	for _, line := range cost.Lines {
		sum += line.Amount
	}
	if math.Abs(sum-cost.Amount) > 1e-12 {
		t.Errorf("the lines make %v, the cost is %v", sum, cost.Amount)
	}
	return cost
}

func wantUnpriced(t *testing.T, card *ratecard.Card, call ratecard.Call, class ratecard.Class) {
	t.Helper()
	cost, err := card.Cost(call)
	unpriced, ok := errors.AsType[*ratecard.UnpricedError](err)
	if !ok || cost != nil || unpriced.Class != class {
		t.Errorf("%s: %+v, %v", call.Model, cost, err)
	}
}

// TestCachedTokensArePaidOnce has the numbers of BerriAI/litellm#14849: 262,960 input tokens, with
// 257,955 of them from a cache, and 1,744 output tokens. By the prices in the issue they cost
// 0.1849. The cost is 0.7642 if cached tokens are also charged as fresh tokens, with the prices for
// long prompts.
func TestCachedTokensArePaidOnce(t *testing.T) {
	t.Parallel()
	u := usage(t, `{"promptTokenCount":262960,"cachedContentTokenCount":257955,"candidatesTokenCount":1744,"totalTokenCount":264704}`)
	short := read(t, head+
		row("gemini-2.5-pro", "rates: {input: 1.25, cached_input: 0.625, output: 10}"))
	wantCost(t, short, call("gemini-2.5-pro", u), (5005*1.25+257955*0.625+1744*10)/1e6)
	if cost, _ := short.Cost(call("gemini-2.5-pro", u)); math.Round(cost.Amount*1e4) != 1849 {
		t.Errorf("%v, the report says 0.1849", cost.Amount)
	}
	long := read(t, head+
		row("gemini-2.5-pro", "rates: {input: 2.5, cached_input: 0.3125, output: 15}"))
	if cost, _ := long.Cost(call("gemini-2.5-pro",
		u)); math.Round((cost.Amount+257955*2.5/1e6)*1e4) != 7642 {
		t.Errorf("%v and the cached tokens once more are not the 0.7642 of the report", cost.Amount)
	}
}

// TestEveryClassOfTokensHasItsPrice covers BerriAI/litellm#16341, #19775, #11156 and #10667, in
// which cached, audio and thinking tokens had the price of other tokens.
func TestEveryClassOfTokensHasItsPrice(t *testing.T) {
	t.Parallel()
	card := read(t, head+
		row("m", `rates: {input: 1, input_audio: 2, input_image: 3, cached_input: 4, cached_input_audio: 5,
		output: 6, output_image: 7, thinking: 8, tool_use: 9}`))
	for metadata, want := range map[string]float64{
		`{"promptTokenCount":10,"totalTokenCount":10}`: 10 * 1,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":4},{"modality":"TEXT","tokenCount":6}],"totalTokenCount":10}`: 4*2 +
			6*1,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"DOCUMENT","tokenCount":4}],"totalTokenCount":10}`: 4*3 +
			6*1,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"VIDEO","tokenCount":4}],"totalTokenCount":10}`:  10 * 1,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":99}],"totalTokenCount":10}`: 10 * 2,
		`{"promptTokenCount":10,"cachedContentTokenCount":4,"totalTokenCount":10}`: 6*1 +
			4*4,
		`{"promptTokenCount":10,"cachedContentTokenCount":40,"totalTokenCount":10}`: 10 * 4,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":8}],"cachedContentTokenCount":4,"cacheTokensDetails":[{"modality":"AUDIO","tokenCount":3}],"totalTokenCount":10}`: 5*2 +
			3*5 + 1*1 + 1*4,
		`{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":8}],"cachedContentTokenCount":4,"totalTokenCount":10}`: 6*2 +
			2*5 + 2*4,
		`{"promptTokenCount":10,"toolUsePromptTokenCount":5,"totalTokenCount":15}`: 10*1 +
			5*9,
		`{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":3,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":5}],"totalTokenCount":18}`: 10*1 +
			5*6 + 3*8,
		`{"promptTokenCount":10,"candidatesTokenCount":5,"candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":3}],"totalTokenCount":15}`: 10*1 +
			3*7 + 2*6,
		`{"promptTokenCount":10,"cachedContentTokenCount":10,"toolUsePromptTokenCount":7,"candidatesTokenCount":1,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":1}],"thoughtsTokenCount":1,"totalTokenCount":19}`: 10*4 +
			7*9 + 6 + 8,
	} {
		wantCost(t, card, call("m", usage(t, metadata)), want/1e6)
	}
}

func TestNothingIsPricedWithoutAPrice(t *testing.T) {
	t.Parallel()
	card := read(t, head+row("m", "rates: {input: 1, output: 2}")+
		row("drawing", "rates: {input: 1, output: 2, output_image: 3}"))
	plain := usage(t, `{"promptTokenCount":10,"candidatesTokenCount":1,"totalTokenCount":11}`)
	wantUnpriced(t, card,
		call("m", usage(t,
			`{"promptTokenCount":10,"cachedContentTokenCount":4,"totalTokenCount":10}`)),
		ratecard.CachedInput)
	wantUnpriced(t, card,
		call("m", usage(t, `{"promptTokenCount":10,"thoughtsTokenCount":4,"totalTokenCount":14}`)),
		ratecard.Thinking)
	wantUnpriced(t, card,
		call("m", usage(t,
			`{"promptTokenCount":10,"toolUsePromptTokenCount":4,"totalTokenCount":14}`)),
		ratecard.ToolUse)
	wantUnpriced(t, card, call("m", normalize.Usage{}), "")
	wantUnpriced(t, card, call("n", plain), "")
	wantUnpriced(t, card, call("m-pro", plain), "")
	// an image costs more than text, and the response does not say which of them it contains
	wantUnpriced(t, card, call("drawing", plain), "")
	wantUnpriced(t, card, ratecard.Call{Model: "m", Surface: ratecard.VertexAI, Usage: plain}, "")
	wantUnpriced(t, card, ratecard.Call{Model: "m", Usage: plain}, "")
	wantUnpriced(t, nil, call("m", plain), "")
	wantUnpriced(t, new(ratecard.Card), call("m", plain), "")
}

// TestServicesAndTiersHaveCardsOfTheirOwn covers BerriAI/litellm#36042 and #38458.
func TestServicesAndTiersHaveCardsOfTheirOwn(t *testing.T) {
	t.Parallel()
	card := read(t, head+`
- {models: [m], surface: gemini_api, tier: standard, source: contract, rates: {input: 1}}
- {models: [m], surface: gemini_api, tier: flex, source: contract, rates: {input: 2}}
- {models: [m], surface: gemini_api, tier: priority, source: contract, rates: {input: 3}}
- {models: [m], surface: vertex_ai, tier: standard, source: contract, rates: {input: 4}}
- {models: [m], surface: vertex_ai, tier: flex, source: contract, rates: {input: 5}}
- {models: [m], surface: vertex_ai, tier: batch, source: contract, rates: {input: 6}}
`)
	metadata := func(rest string) string { return `{"promptTokenCount":1000000,"totalTokenCount":1000000` + rest + `}` }
	for _, test := range []struct {
		surface ratecard.Surface
		asked   ratecard.Tier
		told    string
		want    float64
	}{
		{ratecard.GeminiAPI, "", "", 1},
		{ratecard.GeminiAPI, ratecard.Flex, "", 2},
		{ratecard.GeminiAPI, ratecard.Priority, `,"serviceTier":"priority"`, 3},
		{ratecard.GeminiAPI, ratecard.Priority, `,"serviceTier":"standard"`, 1}, // it found no room
		{ratecard.VertexAI, "", "", 4},
		{ratecard.VertexAI, "", `,"trafficType":"ON_DEMAND"`, 4},
		{ratecard.VertexAI, "", `,"trafficType":"ON_DEMAND_FLEX"`, 5},
		{ratecard.VertexAI, ratecard.Batch, `,"trafficType":"ON_DEMAND"`, 6},
		{ratecard.VertexAI, ratecard.Priority, `,"trafficType":"ON_DEMAND"`, 4}, // it found no room
		{ratecard.VertexAI, ratecard.Flex, `,"trafficType":"TRAFFIC_TYPE_UNSPECIFIED"`, 5},
	} {
		wantCost(t, card,
			ratecard.Call{Model: "models/m", Surface: test.surface, Tier: test.asked,
				Usage: usage(t, metadata(test.told))}, test.want)
	}
	paidOtherwise := usage(t, metadata(`,"trafficType":"PROVISIONED_THROUGHPUT"`))
	wantUnpriced(t, card,
		ratecard.Call{Model: "m", Surface: ratecard.VertexAI, Usage: paidOtherwise}, "")
}

func TestALongPromptHasAPriceOfItsOwn(t *testing.T) {
	t.Parallel()
	card := ratecard.Google()
	for metadata, want := range map[string]float64{
		`{"promptTokenCount":200000,"totalTokenCount":200000}`: 200000 * 1.25,
		`{"promptTokenCount":200001,"totalTokenCount":200001}`: 200001 * 2.5,
		// Input from tools is not part of the prompt. Cached input is.
		`{"promptTokenCount":200000,"toolUsePromptTokenCount":50000,"totalTokenCount":250000}`: 250000 * 1.25,
		`{"promptTokenCount":200001,"cachedContentTokenCount":200000,"totalTokenCount":200001}`: 2.5 +
			200000*0.25,
		`{"promptTokenCount":300000,"candidatesTokenCount":10,"thoughtsTokenCount":5,"totalTokenCount":300015}`: 300000*2.5 +
			15*15,
	} {
		wantCost(t, card, call("gemini-2.5-pro", usage(t, metadata)), want/1e6)
	}
}

func TestAPriceHoldsFromItsFirstDayToItsLast(t *testing.T) {
	t.Parallel()
	u := usage(t, `{"promptTokenCount":1000000,"totalTokenCount":1000000}`)
	for at, want := range map[time.Time]float64{
		time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC):                         0.75,
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC):                              1.50,
		time.Date(2027, 1, 1, 1, 0, 0, 0, time.FixedZone("ahead", 2*60*60)):      0.75,
		time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("behind", -2*60*60)): 1.50,
	} {
		c := call("gemini-3.8-flash", u)
		c.At = at
		wantCost(t, ratecard.Google(), c, want)
	}
	over := call("gemini-3.8-flash-tts", u)
	over.At = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	wantUnpriced(t, ratecard.Google(), over, "") // no two sources agree on what it costs then
}

func TestYourOwnCardOverridesTheBuiltInCard(t *testing.T) {
	t.Parallel()
	u := usage(t, `{"promptTokenCount":1000000,"totalTokenCount":1000000}`)
	own := read(t, head+row("gemini-2.5-pro", "rates: {input: 1}")+row("mine", "rates: {input: 2}")+
		row("gemini-2.5-flash-lite", "until: 2026-11-21, rates: {input: 3}"))
	card := ratecard.Google().With(own)
	// no row for long prompts beneath it counts
	if cost := wantCost(t, card, call("gemini-2.5-pro", u), 1); cost.Currency != "EUR" {
		t.Error(cost)
	}
	wantCost(t, card, call("mine", u), 2)
	wantUnpriced(t, card, call("gemini-2.5-flash-lite", u), "") // the own price has ended
	if cost := wantCost(t, card, call("gemini-2.5-flash", u), 0.3); cost.Currency != "USD" {
		t.Error(cost)
	}
	other := read(t, head+row("mine", "rates: {input: 5}"))
	wantCost(t, card.With(other), call("mine", u), 5)
	wantCost(t, card.With(other), call("gemini-2.5-flash", u), 0.3)
	wantCost(t, read(t, head+row("m", "rates: {input: 7}")).With(card.With(other)), call("m", u), 7)
	wantCost(t, ratecard.Google().With(nil), call("gemini-2.5-flash", u), 0.3)
}

func TestACostNamesItsSource(t *testing.T) {
	t.Parallel()
	u := usage(t, `{"promptTokenCount":300000,"totalTokenCount":300000}`)
	if cost, err := ratecard.Google().Cost(call("models/gemini-2.5-pro-001", u)); err != nil ||
		cost.Source != "gemini-2.5-pro-001, Gemini API, prompts above 200000 tokens, 2026-06-02" {
		t.Error(cost, err)
	}
	flex := call("gemini-2.5-flash", u)
	flex.Tier = ratecard.Flex
	if cost, err := ratecard.Google().Cost(flex); err != nil ||
		cost.Source != "gemini-2.5-flash, Gemini API, flex, 2026-06-02" {
		t.Error(cost, err)
	}
	_, err := ratecard.Google().Cost(call("gemini-9", u))
	if err == nil || err.Error() != "ratecard: gemini-9 at the Gemini API, standard, has no price" {
		t.Error(err)
	}
}

// TestKeepingACacheIsPricedByTheHour covers chatcli#1451: storing a cache is not part of the price
// of a call.
func TestKeepingACacheIsPricedByTheHour(t *testing.T) {
	t.Parallel()
	c := ratecard.Call{Model: "gemini-2.5-pro", Surface: ratecard.GeminiAPI, At: when}
	cost, err := ratecard.Google().Storage(c, 100_000, 90*time.Minute)
	if err != nil || math.Abs(cost.Amount-0.1*1.5*4.5) > 1e-12 {
		t.Error(cost, err)
	}
	c.Model = "gemini-3.8-flash"
	if cost, err := ratecard.Google().Storage(c, 1_000_000, time.Hour); err != nil ||
		cost.Amount != 0.5 {
		t.Error(cost, err)
	}
	c.At = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if cost, err := ratecard.Google().Storage(c, 1_000_000, time.Hour); err != nil ||
		cost.Amount != 1 {
		t.Error(cost, err)
	}
	c.Model = "gemini-4-argon" // which has no cache to keep
	if cost, err := ratecard.Google().Storage(c, 1, time.Hour); err == nil || cost != nil {
		t.Error(cost)
	}
}
