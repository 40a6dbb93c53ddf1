package problem

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Inside a stream an error has no HTTP status, and many agents decide by its words whether to try
// again; see testdata/retry_patterns.tsv. So a message has the words of its kind.

// retryWords are the words of a temporary failure.
type retryWords struct {
	// known are words by which clients recognise the failure, in lower case.
	known []string
	// prefix is put before a message without them.
	prefix string
}

// wordsOfStatus are the words by status. It is never modified.
var wordsOfStatus = map[int]retryWords{
	http.StatusTooManyRequests: {[]string{"rate limit", "too many requests",
		strings.ToLower(usedUpMessage)}, "rate limit"},
	http.StatusInternalServerError: {[]string{"internal error", "server error"}, "server error"},
	http.StatusServiceUnavailable: {[]string{"overloaded", "service unavailable"},
		"service unavailable"},
	http.StatusGatewayTimeout: {[]string{"timeout", "timed out"}, "timeout"},
}

// cutWords are the words of an answer that ended before its end.
var cutWords = retryWords{[]string{"connection lost"},
	"network error: connection lost before the end of the answer"}

// addRetryWords adds the words of a temporary failure to the message.
func (p *Problem) addRetryWords(err error) {
	if p.IsFinal || p.Status < http.StatusInternalServerError &&
		p.Status != http.StatusTooManyRequests {
		return
	}
	words := wordsOfStatus[p.Status]
	if isCut(err) {
		words = cutWords
	}
	message := strings.ToLower(p.Message)
	for _, known := range words.known {
		if strings.Contains(message, known) {
			return
		}
	}
	if words.prefix != "" {
		p.Message = words.prefix + ": " + p.Message
	}
}

// isCut reports whether a stream broke off.
func isCut(err error) bool {
	if errors.Is(err, wire.ErrTruncated) {
		return true
	}
	_, isOfStream := errors.AsType[*wire.StreamError](err)
	return isOfStream && gemini.CategoryOf(err) == gemini.CategoryNetwork
}
