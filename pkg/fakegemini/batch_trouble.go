package fakegemini

import (
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/batch"
)

// BatchTrouble is what goes wrong with a batch, as users of the real ones report. The zero value is
// nothing. A batch that is stuck is one by [WithBatchTime]; creation fails by a script, on
// [Operation] "batchGenerateContent".
type BatchTrouble struct {
	// Ends is the state in which the batch ends, by default BATCH_STATE_SUCCEEDED. One that is
	// BATCH_STATE_FAILED has no results, one that is BATCH_STATE_EXPIRED has them in its metadata.
	Ends geminiapi.BatchState
	// Reverses has the results come in the opposite order.
	Reverses bool
	// Loses has every so many-th result be missing, Doubles every so many-th be under the key of
	// the one before it.
	Loses, Doubles int
}

// WithBatchTrouble has the first batches be in trouble, each in its own. Behind those all is well.
func WithBatchTrouble(troubles ...BatchTrouble) Option {
	return optionFunc(func(s *settings) { s.troubles = &batchTroubles{remaining: troubles} })
}

// batchTroubles are those of batches to come.
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
