package batchapi

import (
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
)

// Files of 200 MiB are too large for a test.
func TestAFileForBatchesHasALimitThatOthersHaveNot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		purpose, name string
		bytes         int64
		isRefused     bool
	}{
		{"batch", "in.jsonl", maxFileBytes, false},
		{"batch", "in.jsonl", maxFileBytes + 1, true},
		{"batch", "IN.JSONL", 1, false},
		{"batch", "in", 1, false},
		{"batch", "in.csv", 1, true},
		{"user_data", "in.csv", maxFileBytes + 1, false},
	} {
		if err := refuseFile(&bulk.File{Purpose: tt.purpose, Name: tt.name,
			Bytes: tt.bytes}); (err != nil) != tt.isRefused {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
