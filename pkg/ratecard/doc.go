// Package ratecard says what tokens cost: by the model, where it was called (Gemini API or Vertex AI), in which tier, and
// what kind of tokens they were.
//
//	card := ratecard.Google()
//	cost, err := card.Cost(ratecard.Call{Model: "gemini-3.5-flash", Surface: ratecard.GeminiAPI, Usage: answer.Usage})
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
// tier or a day that the card does not know. Every price names a source and its date.
//
// What is not counted in tokens is not in a cost: searches, which Google charges by the query, and caches that are kept,
// for which [Card.Storage] is.
//
// # A card of one's own
//
// A file in YAML or JSON has the form of gemini_api.yaml in this folder:
//
//	currency: USD
//	sources:
//	  contract: {title: our contract, date: 2026-11-01}
//	prices:
//	  - models: [gemini-2.5-pro]
//	    surface: vertex_ai        # or gemini_api
//	    tier: standard            # or batch, flex, priority
//	    source: contract
//	    rates: {input: 1.00, cached_input: 0.10, output: 8.00, thinking: 8.00, tool_use: 1.00}
//
// Rates are for a million tokens. A row with above: 200000 holds for prompts of more tokens than that; from and until
// are the first and the last day of a row, in UTC. [Card.With] lays such a card over another.
package ratecard
