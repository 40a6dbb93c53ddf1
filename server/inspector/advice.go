package inspector

import (
	"strings"

	"github.com/gemwire/gemwire/internal/lossadvice"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/inspector/internal/search"
)

// adviceOf returns what to do about an entry of a report, or "", and the path of the reference that
// explains it, or "".
func (r *record) adviceOf(f *finding) (todo, docs string) {
	if f.entry.Detail == missingSignature {
		return adviceOfSignatures, docsOfSignatures
	}
	direction := r.direction(f)
	docs = lossadvice.Page(direction, f.entry.Kind)
	if f.entry.Kind != report.Lost {
		return "", docs
	}
	if a := lossadvice.For(direction, search.Pattern(f.entry.Pointer)); a != nil {
		todo = plain(a.Text)
	}
	return todo, docs
}

// Advice about thought signatures that a client did not send back.
const (
	adviceOfSignatures = "Send messages of the model back as you got them."
	docsOfSignatures   = "docs/signatures.md"
)

// direction returns the conversion that made an entry, as the reference names it.
func (r *record) direction(f *finding) string {
	isAnswer := f.side != exchange.Client
	switch {
	case !r.isNative():
		return lossadvice.Direction(r.start.Form, isAnswer)
	case r.isFromInteractions():
		return lossadvice.Direction("bridge", isAnswer)
	case r.isFromOpenAI():
		return lossadvice.Direction("reverse", isAnswer)
	default:
		return ""
	}
}

// plain removes the marks of Markdown from an advice, because the page shows it as text.
func plain(markdown string) string { return strings.ReplaceAll(markdown, "`", "") }
