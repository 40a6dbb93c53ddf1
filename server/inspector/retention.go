package inspector

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/internal/credential"
)

// Limits of one recorded value.
const (
	maxString  = 8 << 10 // of a string in a body
	maxValue   = 2 << 10 // of a header field, an address, an error
	maxFields  = 100     // of a header
	cutMargin  = 1 << 10 // searched after a cut, as a secret may begin before it
	leftOutTag = "…[gemwire left out "
)

// retention decides what is recorded: no secrets, and only a part of long values.
type retention struct {
	maxBody int

	mu      sync.RWMutex
	secrets []string
}

func (r *retention) add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(r.secrets, secret) {
			r.secrets = append(r.secrets, secret)
		}
	}
}

// body is a recorded body or chunk.
type body struct {
	text string
	// leftOut is the number of missing bytes: within strings, and at the end of a truncated body.
	leftOut int
	// cut reports that the end is missing.
	cut bool
}

// body returns the recorded part of a body.
func (r *retention) body(data []byte) body {
	if len(data) == 0 {
		return body{}
	}
	kept, leftOut := r.shortenStrings(data)
	b := body{leftOut: leftOut}
	if len(kept) > r.maxBody {
		b.cut = true
		b.leftOut += len(kept) - r.maxBody
		text := r.blank(string(kept[:min(len(kept), r.maxBody+cutMargin)]))
		b.text = prefix(text, r.maxBody)
		return b
	}
	b.text = r.blank(string(kept))
	return b
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
	r.mu.RLock()
	secrets := r.secrets
	r.mu.RUnlock()
	text = strings.ToValidUTF8(text, "\uFFFD")
	return credential.Blank(redact.Text(text, secrets...))
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
		&start.UserAgent, &start.RemoteAddr} {
		*text = r.value(*text)
	}
	start.Path = r.address(start.Path)
	start.Traceparent, start.Tracestate = "", ""
	return start
}

// end returns the recorded part of the end of an exchange.
func (r *retention) end(end exchange.End) exchange.End {
	for _, text := range []*string{&end.Model, &end.AskedModel, &end.UpstreamModel, &end.Service,
		&end.UpstreamHost, &end.ErrorType, &end.ErrorCode, &end.ErrorMessage} {
		*text = r.value(*text)
	}
	notes := end.ModelWarnings
	end.ModelWarnings = make([]string, len(notes))
	for i := range notes {
		end.ModelWarnings[i] = r.value(notes[i])
	}
	end.Usage.Wire = nil // It may be any size.
	return end
}
