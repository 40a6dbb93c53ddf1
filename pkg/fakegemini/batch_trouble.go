package fakegemini

import (
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/batch"
)

// BatchTrouble is a failure of a batch, as users report of real batches. The zero value is no
// failure. For a batch that is stuck use [WithBatchTime]. To make creation fail, use a script with
// [Operation] "batchGenerateContent".
type BatchTrouble struct {
	// Ends is the final state of the batch, by default BATCH_STATE_SUCCEEDED. A batch in
	// BATCH_STATE_FAILED has no results; in BATCH_STATE_EXPIRED they are in its metadata.
	Ends geminiapi.BatchState
	// Reverses returns the results in the opposite order.
	Reverses bool
	// Loses omits every n-th result. Doubles puts every n-th result under the key of the result
	// before it.
	Loses, Doubles int
}

// WithBatchTrouble makes the first batches fail, one for each argument. Later batches succeed.
func WithBatchTrouble(troubles ...BatchTrouble) Option {
	return optionFunc(func(s *settings) { s.troubles = &batchTroubles{remaining: troubles} })
}

// batchTroubles are the troubles of future batches.
type batchTroubles struct {
	mu        sync.Mutex
	remaining []BatchTrouble
}

// next returns the trouble of the next batch.
func (b *batchTroubles) next() batch.Trouble {
	if b == nil {
		return batch.Trouble{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.remaining) == 0 {
		return batch.Trouble{}
	}
	first := b.remaining[0]
	b.remaining = b.remaining[1:]
	return batch.Trouble(first)
}
