package batch

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/bulk"
)

// logger returns a log that prints warnings and errors of the store as notes, each once.
func (s *session) logger() *slog.Logger {
	return slog.New(&warnings{session: s, printed: &sync.Map{}})
}

// warnings is the handler of a session's log.
type warnings struct {
	session *session
	attrs   []slog.Attr
	printed *sync.Map // of texts
}

// Enabled implements [slog.Handler].
func (w *warnings) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

// Handle implements [slog.Handler].
func (w *warnings) Handle(_ context.Context, record slog.Record) error {
	var b strings.Builder
	b.WriteString(errortext.WithoutPackage(record.Message))
	add := func(a slog.Attr) bool {
		if a.Key == "error" {
			b.WriteString(": " + errortext.WithoutPackage(a.Value.String()))
		} else if a.Key != "seconds" { // which differs each time
			b.WriteString(", " + a.Key + " " + a.Value.String())
		}
		return true
	}
	for _, a := range w.attrs {
		add(a)
	}
	record.Attrs(add)
	if w.session.showsPauses && record.Message == bulk.WarningPaused {
		return nil
	}
	if _, isPrinted := w.printed.LoadOrStore(b.String(), true); !isPrinted {
		w.session.note("%s", b.String())
	}
	return nil
}

// WithAttrs implements [slog.Handler].
func (w *warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *w
	with.attrs = append(with.attrs[:len(with.attrs):len(with.attrs)], attrs...)
	return &with
}

// WithGroup implements [slog.Handler]. Groups have no names here.
func (w *warnings) WithGroup(string) slog.Handler { return w }
