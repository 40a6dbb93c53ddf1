// Package ratecard calculates what tokens cost: by model, service (Gemini API or Vertex AI), tier
// and class of tokens.
//
//	card := ratecard.Google()
//	cost, err := card.Cost(ratecard.Call{
//		Model: "gemini-3.6-flash", Surface: ratecard.GeminiAPI, Usage: answer.Usage,
//	})
//	if err != nil { ... } // an *UnpricedError: the card has no price for it
//	fmt.Println(cost.Amount, cost.Currency, cost.Source)
//
// A cost is
//
//	(prompt − cached) × input + cached × cached_input + tool use × tool_use
//		+ answer × output + thoughts × thinking
//
// so that a cached token is counted once. A price for a modality, such as input_audio, applies to
// the tokens that the response reports for that modality. All other tokens are text.
//
// The package never guesses. A call with tokens of a class without a price has no cost. Neither
// has a call for an unknown model, tier or day. Every price names a source, its date and its
// confidence.
//
// # Which row applies
//
// The model of a call is the one that answered. Google answers some names with another model, and
// the answer's modelVersion names it. If a call has only such a name, as in an estimate, it has
// the price of the model that answers at that time ([models.At]). The tier is the one that the
// answer reports (serviceTier at the Gemini API, trafficType at Vertex AI). If there is no
// capacity, a priority call is served, and charged, as standard. The prices of Vertex AI are for
// the location global; some models cost a tenth more at the others.
//
// # What a cost does not include
//
// Google charges some things in units other than tokens: searches by the query, music by the song.
// No answer reports how many there were. [Cost.Extras] names their prices, and no amount includes
// them. [Card.Storage] calculates the cost of stored caches.
//
// # A custom card
//
// A YAML or JSON file has the format of google.yaml in this folder:
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
//	  - {models: [gemini-3.6-flash], surface: vertex_ai, name: Google Search,
//	     unit: query, price: 0.02, source: contract}
//
// Rates are for a million tokens. A row with above: 200000 applies to prompts with more tokens
// than that. from and until are the first and the last day of a row, in UTC. [Card.With] puts such
// a card on top of another one.
package ratecard
