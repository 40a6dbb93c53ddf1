package usage

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/internal/credential"
	"github.com/gemwire/gemwire/server/money"
)

// Observer returns an observer that counts the requests of a gateway.
func (b *Book) Observer() exchange.Observer { return observer{b} }

type observer struct{ book *Book }

// Begin implements [exchange.Observer].
func (o observer) Begin(start exchange.Start) exchange.Recorder {
	if isCounting(&start) {
		return nil
	}
	return &recorder{book: o.book, client: start.ClientName, form: start.Form}
}

// isCounting reports whether a request only counts tokens, which is free.
func isCounting(start *exchange.Start) bool {
	return start.Form == "message_tokens" || start.Form == "input_tokens" ||
		strings.HasSuffix(start.Path, ":countTokens")
}

// recorder counts one request.
type recorder struct {
	exchange.Nothing
	book         *Book
	client, form string
	attempts     int
}

// Attempt counts a call of a model.
func (r *recorder) Attempt(exchange.Attempt) { r.attempts++ }

// End counts the request, unless it called no model.
func (r *recorder) End(end exchange.End) {
	if r.attempts == 0 || end.AskedModel == "" {
		return
	}
	key := Key{
		Client: r.client, Model: clean(cmp.Or(end.UpstreamModel, end.AskedModel)),
		Service: end.Service, Tier: end.Tier, Form: r.form,
	}
	counts := countsOf(&end)
	switch {
	case end.Cost != nil:
		key.Currency = end.Cost.Currency
		counts.Cost = money.Of(end.Cost.Amount)
	case counts.Tokens() > 0 || counts.Failures == 0:
		key.Unpriced = clean(cmp.Or(end.Unpriced, "has no price"))
		counts.UnpricedTokens = counts.Tokens()
	}
	r.book.Add(key, counts)
}

// maxText is the maximum length of a text in a key. Clients choose the names of models.
const maxText = 200

// clean returns a text without what could be a credential.
func clean(text string) string {
	text = credential.Blank(text[:min(len(text), 2*maxText)])
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "\ufffd")
}

func countsOf(end *exchange.End) *Counts {
	u := &end.Usage
	counts := &Counts{
		Requests: 1, InputTokens: int64(u.InputTokens), CachedTokens: int64(u.CachedTokens),
		ToolUseTokens: int64(u.ToolUseTokens), OutputTokens: int64(u.OutputTokens),
		ThinkingTokens: int64(u.ThinkingTokens), Losses: int64(end.Lost),
	}
	if end.Status >= http.StatusBadRequest || end.ErrorType != "" || end.ErrorCode != "" {
		counts.Failures = 1
	}
	if end.UsageEstimated {
		counts.Estimated = 1
	}
	addModalities(counts, u)
	return counts
}

// addModalities adds the tokens of sounds and images.
func addModalities(counts *Counts, u *normalize.Usage) {
	if u.Wire == nil {
		return
	}
	of := func(details []geminiapi.ModalityTokenCount, modality geminiapi.Modality) (n int64) {
		for _, detail := range details {
			if jsonx.Deref(detail.Modality) == modality {
				n += int64(max(jsonx.Deref(detail.TokenCount), 0))
			}
		}
		return n
	}
	in, out := u.Wire.PromptTokensDetails, u.Wire.CandidatesTokensDetails
	counts.InputAudioTokens = of(in, geminiapi.ModalityAudio)
	counts.InputImageTokens = of(in, geminiapi.ModalityImage)
	counts.OutputAudioTokens = of(out, geminiapi.ModalityAudio)
	counts.OutputImageTokens = of(out, geminiapi.ModalityImage)
}
