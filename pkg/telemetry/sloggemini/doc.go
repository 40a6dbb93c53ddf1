// Package sloggemini logs the calls of a [gemini.Client] with package slog: the method, the
// outcome, the duration and the token counts.
//
//	client, err := gemini.NewClient(gemini.WithObserver(sloggemini.New(slog.Default())))
//
// Each finished call is one record, at the level Info, or Warn if it failed. Each failed attempt is
// one record at the level Debug. The records contain only metadata: no prompt, no answer, no
// credential, and no text of the server, which may quote any of these.
package sloggemini
