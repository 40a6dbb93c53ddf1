package inbound

import (
	"context"
	"sync/atomic"
)

// answer is what the requests of a context are for.
type answer struct {
	isDownload bool
	size       atomic.Int64 // of what was read so far
}

type answerKey struct{}

// Answer returns a context whose requests are for one answer: their sizes are counted together.
// Without it each reply is an answer.
func Answer(ctx context.Context) context.Context {
	return context.WithValue(ctx, answerKey{}, &answer{})
}

// Download returns a context whose requests download a file, which is passed on as it comes: it has
// no limit.
func Download(ctx context.Context) context.Context {
	return context.WithValue(ctx, answerKey{}, &answer{isDownload: true})
}

func answerOf(ctx context.Context) *answer {
	if a, ok := ctx.Value(answerKey{}).(*answer); ok {
		return a
	}
	return &answer{}
}
