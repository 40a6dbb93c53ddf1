package inspector

import (
	"cmp"
	"net/http"

	"github.com/gemwire/gemwire/server/inspector/internal/overview"
	"github.com/gemwire/gemwire/server/inspector/internal/search"
)

// overview answers with counts of all exchanges, or of those since an age or a time.
func (i *Inspector) overview(w http.ResponseWriter, r *http.Request) {
	now := i.clock()
	from, ok := since(r, now)
	if !ok {
		refuse(w, http.StatusBadRequest, "since: expected an age such as 1h or 7d, or a time")
		return
	}
	records := i.store.copies()
	exchanges := make([]overview.Exchange, len(records))
	for n := range records {
		exchanges[n] = records[n].counted(i.store)
		if n == 0 && from.IsZero() {
			from = records[n].start.At
		}
	}
	if from.IsZero() {
		from = now
	}
	writeJSON(w, http.StatusOK, overview.Of(exchanges, from, now))
}

// counted returns what the overview knows about an exchange.
func (r *record) counted(s *store) overview.Exchange {
	e := overview.Exchange{
		Number: r.number, At: r.start.At, Client: r.clientName(), IsRunning: r.end == nil,
		Failure: string(r.failure()), Duration: milliseconds(r.duration()),
		FirstToken: milliseconds(r.firstToken()), Rest: r.restOf(s),
	}
	if end := r.end; end != nil {
		e.Model = cmp.Or(end.UpstreamModel, end.Model)
		e.Message = cmp.Or(end.ErrorMessage, end.ErrorType)
		e.Tokens = end.Usage.InputTokens + end.Usage.OutputTokens + end.Usage.ThinkingTokens
		if end.Cost != nil {
			e.Cost, e.Currency = &end.Cost.Amount, end.Cost.Currency
		}
	}
	for _, f := range r.losses() {
		todo, docs := r.adviceOf(&f)
		e.Losses = append(e.Losses, overview.Loss{Pointer: search.Pattern(f.entry.Pointer),
			Kind: string(f.entry.Kind), Side: string(f.side), Detail: f.entry.Detail, Docs: docs,
			Todo: todo})
	}
	for n := range r.attempts {
		a := &r.attempts[n]
		attempt := overview.Attempt{Account: a.Account, IsAnswered: a.IsAnswered(), Reason: a.Err}
		if a.Wait > 0 {
			attempt.Until = a.Started.Add(a.Duration + a.Wait)
		}
		e.Attempts = append(e.Attempts, attempt)
	}
	return e
}
