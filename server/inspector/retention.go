package inspector

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/internal/credential"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Limits of one recorded value.
const (
	maxValue   = 2 << 10 // of a header field, an address, an error
	maxFields  = 100     // of a header
	cutMargin  = 1 << 10 // searched after a cut, as a secret may begin before it
	leftOutTag = "…[gemwire left out "
)

// retention decides what is recorded: no secrets, and only a part of long values.
type retention struct {
	maxBody, maxString, maxMedia int
	// seen are media that were decoded before.
	seen seenMedia

	mu      sync.RWMutex
	secrets []string
	finder  *redact.Finder // of the secrets; nil for none
}

func (r *retention) add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(r.secrets, secret) {
			r.secrets = append(r.secrets, secret)
		}
	}
	r.finder = redact.NewFinder(r.secrets...)
	r.seen.clear() // A medium may have a new secret.
}

// value returns the recorded part of a short text, such as an error.
func (r *retention) value(text string) string {
	if len(text) <= maxValue {
		return r.blank(text)
	}
	return prefix(r.blank(text[:min(len(text), maxValue+cutMargin)]), maxValue) + "…"
}

// blank removes secrets, and invalid UTF-8.
func (r *retention) blank(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return credential.Blank(r.known().Text(text))
}

// known returns the finder of the secrets.
func (r *retention) known() *redact.Finder {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.finder
}

// prefix returns the first n bytes of a text, or fewer so that no character is cut.
func prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// start returns the recorded part of the start of an exchange.
func (r *retention) start(start exchange.Start) exchange.Start {
	for _, text := range []*string{&start.ID, &start.Form, &start.Method, &start.ClientName,
		&start.UserAgent, &start.RemoteAddr,
		&start.Session, &start.Agent, &start.ParentAgent} {
		*text = r.value(*text)
	}
	start.Path = r.address(start.Path)
	start.Traceparent, start.Tracestate, start.Mark = "", "", nil
	start.Job = r.value(start.Job)
	return start
}

// broken returns the recorded part of the bytes that broke a stream.
func (r *retention) broken(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	return []byte(prefix(r.blank(string(data[:min(len(data), exchange.MaxBroken)])),
		exchange.MaxBroken))
}

// end returns the recorded part of the end of an exchange.
func (r *retention) end(end exchange.End) exchange.End {
	for _, text := range []*string{&end.Model, &end.AskedModel, &end.UpstreamModel, &end.Service,
		&end.UpstreamHost, &end.ErrorType, &end.ErrorCode, &end.ErrorMessage} {
		*text = r.value(*text)
	}
	end.FinishReason = normalize.FinishReason(r.value(string(end.FinishReason)))
	if end.Cost != nil { // without the items, which no view shows
		end.Cost = &ratecard.Cost{Amount: end.Cost.Amount, Currency: r.value(end.Cost.Currency),
			Source: r.value(end.Cost.Source)}
	}
	notes := end.ModelWarnings
	end.ModelWarnings = make([]string, len(notes))
	for i := range notes {
		end.ModelWarnings[i] = r.value(notes[i])
	}
	end.Usage.Wire = nil // It may be any size.
	end.Broken = r.broken(end.Broken)
	if end.Rest != nil {
		rest := *end.Rest
		rest.Account, rest.Reason, rest.By = r.value(rest.Account), r.value(rest.Reason),
			r.value(rest.By)
		end.Rest = &rest
	}
	return end
}
