package engine

import (
	"context"
	"fmt"
	"log/slog"
)

// serverLogger passes the server's warnings to a logger. It implements the server's own interface.
type serverLogger struct{ to *slog.Logger }

func (l *serverLogger) log(level slog.Level, format string, values []any) {
	l.to.Log(context.Background(), level,
		"store: the server of the store: "+fmt.Sprintf(format, values...))
}

func (l *serverLogger) Noticef(string, ...any) {}
func (l *serverLogger) Debugf(string, ...any)  {}
func (l *serverLogger) Tracef(string, ...any)  {}

func (l *serverLogger) Warnf(format string,
	values ...any) {
	l.log(slog.LevelDebug, format, values)
}
func (l *serverLogger) Errorf(format string,
	values ...any) {
	l.log(slog.LevelError, format, values)
}
func (l *serverLogger) Fatalf(format string,
	values ...any) {
	l.log(slog.LevelError, format, values)
}
