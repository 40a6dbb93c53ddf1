package inbound

import (
	"context"
	"sync/atomic"
)

// answer is the answer that the requests of a context belong to.
type answer struct {
	isDownload bool
	size       atomic.Int64 // of what was read so far
}

type answerKey struct{}

// Answer returns a context for the requests of one answer, whose sizes are counted together.
// Without it each reply counts as an answer.
func Answer(ctx context.Context) context.Context {
	return context.WithValue(ctx, answerKey{}, &answer{})
}

// Download returns a context for requests that download a file. Downloads have no size limit,
// because the gateway passes them on as they arrive.
func Download(ctx context.Context) context.Context {
	return context.WithValue(ctx, answerKey{}, &answer{isDownload: true})
}

func answerOf(ctx context.Context) *answer {
	if a, ok := ctx.Value(answerKey{}).(*answer); ok {
		return a
	}
	return &answer{}
}
