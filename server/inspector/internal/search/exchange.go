package search

import (
	"context"
	"iter"
	"time"
)

// Exchange has the facts of an exchange that a query can find.
type Exchange struct {
	ID, Client, Endpoint, Path string
	// Models are the names of its models: requested, called, answered. Accounts are the called
	// ones.
	Models, Accounts []string
	Status           int
	IsRunning        bool
	// Failure is the kind of a failure, or "". Errors are the texts of errors.
	Failure string
	Errors  []string
	Finish  string
	// Lost are the pointers of lost values.
	Lost              []string
	Has, Tools        []string
	Job, Conversation string
	// Is are the words of the filter "is" that apply.
	Is      []string
	Headers []Header

	At                   time.Time
	Duration, FirstToken time.Duration
	// Cost is nil if it is unknown.
	Cost   *float64
	Tokens int

	// Texts iterates over the texts in which words are looked for.
	Texts iter.Seq[Text]
}

// Header is a header field of any side.
type Header struct{ Name, Value string }

// Text is a text of an exchange.
type Text struct {
	// Where says what it is, such as "client request".
	Where string
	// Pointer is the text's own location if it is a part of a document. Otherwise it is "".
	Pointer string
	Text    string
	// IsJSON reports that the text has JSON's escapes.
	IsJSON bool
}

// scan returns the text for a search.
func (t *Text) scan(ctx context.Context) *scan {
	return &scan{ctx: ctx, text: t.Text, isJSON: t.IsJSON}
}

// contains reports whether any text contains a needle.
func (e *Exchange) contains(ctx context.Context, n *needle) bool {
	if e.Texts == nil {
		return false
	}
	for text := range e.Texts {
		if at, _ := n.findIn(text.scan(ctx), 0); at >= 0 {
			return true
		}
	}
	return false
}
