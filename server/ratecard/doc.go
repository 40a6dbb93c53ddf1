// Package ratecard says what tokens cost: by the model, where it was called (Gemini API or Vertex AI), in which tier, and
// what kind of tokens they were.
//
//	card := ratecard.Google()
//	cost, err := card.Cost(ratecard.Call{Model: "gemini-3.6-flash", Surface: ratecard.GeminiAPI, Usage: answer.Usage})
//	if err != nil { ... } // an *UnpricedError: the card has no price for it
//	fmt.Println(cost.Amount, cost.Currency, cost.Source)
//
// A cost is
//
//	(prompt − cached) × input + cached × cached_input + tool use × tool_use + answer × output + thoughts × thinking
//
// so that a cached token is paid once. Where a card has a price for a modality, such as input_audio, it holds for the
// tokens of which the response says that they are of that modality; all others are text.
//
// Nothing is guessed. A call that has tokens of a kind without a price has no cost at all, and neither has a model, a
// tier or a day that the card does not know. Every price names a source, its date and how sure it is.
//
// # Which row holds
//
// The model of a call is the one that answered: Google answers some names with another model, and the modelVersion of
// the answer says with which. Where a call only has such a name, as an estimate has, the price is that of the model that
// answers at that time ([models.At]). The tier is the one that the answer reports (serviceTier at the Gemini API,
// trafficType at Vertex AI), since a priority call that finds no room is served, and charged, as standard. The prices of
// Vertex AI are for the location global; some models cost a tenth more at the others.
//
// # What is not in a cost
//
// Google charges some things by another unit than tokens: searches by the query, music by the song. No answer says
// how many of them there were. [Cost.Extras] names their prices, and no amount has them. Caches that are kept are priced by
// [Card.Storage].
//
// # A card of one's own
//
// A file in YAML or JSON has the form of google.yaml in this folder:
//
//	currency: USD
//	sources:
//	  contract: {title: our contract, date: 2026-11-01}
//	prices:
//	  - models: [gemini-3.6-flash]
//	    surface: vertex_ai        # or gemini_api
//	    tier: standard            # or batch, flex, priority
//	    source: contract
//	    rates: {input: 1.00, cached_input: 0.10, output: 8.00, thinking: 8.00, tool_use: 1.00}
//	    regional: 1.1             # ten per cent more at other locations than global
//	    unknown: [input_audio]    # has another price, which is not published
//	extras:
//	  - {models: [gemini-3.6-flash], surface: vertex_ai, name: Google Search, unit: query, price: 0.02, source: contract}
//
// Rates are for a million tokens. A row with above: 200000 holds for prompts of more tokens than that; from and until
// are the first and the last day of a row, in UTC. [Card.With] lays such a card over another.
package ratecard
