// Package sloggemini logs the calls of a [gemini.Client] by package slog: what was called, how it
// ended, how long it took and how many tokens it took.
//
//	client, err := gemini.NewClient(gemini.WithObserver(sloggemini.New(slog.Default())))
//
// A call is one record, when it has ended: at the level Info, or Warn when it failed. An attempt
// that failed is one at the level Debug. The records hold metadata only: no prompt, no answer, no
// credential, and not what a server said in words, as it may quote any of these.
package sloggemini
