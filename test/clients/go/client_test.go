package clients_test

import (
	"context"
	"testing"
)

// client is a client library for chat_completions.
type client struct {
	name string
	// whole asks for a completion.
	whole func(ctx context.Context, baseURL string) (answer, error)
	// stream asks for a stream and accumulates it as the library's users do.
	stream func(ctx context.Context, baseURL string) (answer, error)
}

// goClients are the libraries under test.
var goClients = []client{
	{"openai-go", openaiWhole, openaiStream},
	{"go-openai", goOpenaiWhole, goOpenaiStream},
}

// verdict is the result of a client that reads a stream, compared with the whole completion.
type verdict string

const (
	accepts verdict = "accepts" // no error, and the same answer
	differs verdict = "differs" // no error, but another answer
	refuses verdict = "refuses" // an error
)

// judge lets a client read a stream and its completion. The text says why the verdict is not
// accepts.
func (c client) judge(t *testing.T, baseURL string) (verdict, string) {
	t.Helper()
	whole, err := c.whole(t.Context(), baseURL)
	if err != nil {
		t.Fatalf("%s does not take the whole completion: %v", c.name, err)
	}
	streamed, err := c.stream(t.Context(), baseURL)
	if err != nil {
		return refuses, err.Error()
	}
	if d := diff(whole, streamed); d != "" {
		return differs, "(- whole, + streamed)\n" + d
	}
	return accepts, ""
}
