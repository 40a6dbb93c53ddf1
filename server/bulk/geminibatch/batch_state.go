package geminibatch

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// batchState is what is kept with a range between two looks.
type batchState struct {
	// Creating is when a batch was about to be created, zero when it was not. Where there is no
	// Batch then, nobody knows.
	Creating time.Time `json:"creating,omitzero"`
	// Batch is the name of the batch, and Created since when there is one. File is that of its
	// requests.
	Batch   string    `json:"batch,omitzero"`
	Created time.Time `json:"created,omitzero"`
	File    string    `json:"file,omitzero"`
	// Tries counts batches of the range that have failed.
	Tries int `json:"tries,omitzero"`
	// Stopped is when the batch was asked to stop, as it took too long.
	Stopped time.Time `json:"stopped,omitzero"`
	// IsOver is whether the batch is of no use any more: what has no result is asked live.
	IsOver bool `json:"is_over,omitzero"`
}

func readBatchState(data []byte) (n batchState, err error) {
	if len(data) == 0 {
		return n, nil
	}
	if err := json.Unmarshal(data, &n); err != nil {
		return n, fmt.Errorf("geminibatch: the note of the range: %w", err)
	}
	return n, nil
}

func (n *batchState) encode() []byte {
	data, err := json.Marshal(n)
	if err != nil { // of times and texts of our own
		return nil
	}
	return data
}
