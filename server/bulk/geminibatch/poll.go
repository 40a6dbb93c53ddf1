package geminibatch

import (
	"context"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/bulk"
)

// poll checks the state of the batch.
func (r *run) poll(ctx context.Context) error {
	batch, err := r.client.Batches.Get(ctx, r.note.Batch)
	if isGone(err) { // as somebody has deleted it
		return r.askLive(ctx, r.item.Lines)
	}
	if err != nil {
		return waitAfter(ctx, err)
	}
	about := jsonx.Deref(batch.Metadata)
	switch state := jsonx.Deref(about.State); {
	case !hasEnded(state) && !jsonx.Deref(batch.Done):
		return r.await(ctx)
	case state == geminiapi.BatchStateFailed && r.note.Tries < mostTries-1 && outputOf(batch) == "":
		r.release()
		r.note = batchState{Tries: r.note.Tries + 1}
		if err := r.keep(ctx); err != nil {
			return err
		}
		return &bulk.LaterError{After: limitRest,
			Reason: "the batch failed: " + jsonx.Deref(jsonx.Deref(batch.Error).Message)}
	}
	return r.collect(ctx, outputOf(batch))
}

// mostTries is the maximum number of batches for a range whose batches fail.
const mostTries = 2

// endStates are the final states of a batch. A batch in any other state, also an unknown one, is in
// progress. Lines that are called live during that time would be paid twice.
var endStates = []geminiapi.BatchState{
	geminiapi.BatchStateSucceeded, geminiapi.BatchStateFailed, geminiapi.BatchStateCancelled,
	geminiapi.BatchStateExpired,
}

func hasEnded(state geminiapi.BatchState) bool { return slices.Contains(endStates, state) }

// outputOf returns the name of the results file, or "". A batch that failed may have one, but only
// in its metadata.
func outputOf(batch *geminiapi.BatchOperation) string {
	if file := jsonx.Deref(jsonx.Deref(batch.Response).ResponsesFile); file != "" {
		return file
	}
	return jsonx.Deref(jsonx.Deref(jsonx.Deref(batch.Metadata).Output).ResponsesFile)
}

// stopTime is how long a batch may take to stop. It may be stuck forever.
const stopTime = 10 * time.Minute

// await waits for a batch until the patience is over.
func (r *run) await(ctx context.Context) error {
	switch {
	case time.Since(r.note.Created) < r.patience:
		return r.notYet("the batch is in progress")
	case r.note.Stopped.IsZero():
		if err := r.client.Batches.Cancel(ctx, r.note.Batch); err != nil {
			return waitAfter(ctx, err)
		}
		r.note.Stopped = time.Now()
		if err := r.keep(ctx); err != nil {
			return err
		}
		return r.notYet("the batch took too long and is being cancelled")
	case time.Since(r.note.Stopped) < stopTime:
		return r.notYet("the batch took too long and is being cancelled")
	default:
		return r.askLive(ctx, r.item.Lines)
	}
}

// notYet schedules the next poll of the range.
func (r *run) notYet(reason string) error {
	since := r.note.Created
	if !r.note.Stopped.IsZero() {
		since = r.note.Stopped
	}
	return &bulk.LaterError{After: max(r.firstPoll, min(time.Since(since)/10, r.longestPoll)),
		Reason: reason}
}
