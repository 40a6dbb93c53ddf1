package geminibatch

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// batchState is stored with a range between two polls.
type batchState struct {
	// Creating is when the creation of a batch began, or zero. If Batch is empty then, it is
	// unknown whether the batch exists.
	Creating time.Time `json:"creating,omitzero"`
	// Batch is the name of the batch, and Created its creation time. File is the file of its
	// requests.
	Batch   string    `json:"batch,omitzero"`
	Created time.Time `json:"created,omitzero"`
	File    string    `json:"file,omitzero"`
	// Tries counts batches of the range that have failed.
	Tries int `json:"tries,omitzero"`
	// Stopped is when the batch was cancelled because it took too long.
	Stopped time.Time `json:"stopped,omitzero"`
	// IsOver reports that the batch is no longer useful. Lines without a result are called live.
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
