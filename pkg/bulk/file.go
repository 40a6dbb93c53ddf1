package bulk

import "time"

// File is an input, an output, or anything else that a client of OpenAI's files keeps. It is a copy.
type File struct {
	// ID is "file-" and 32 digits.
	ID    string
	Owner string
	// Name is what the client calls it, such as "questions.jsonl".
	Name string
	// Purpose is OpenAI's word for it, such as "batch" and "batch_output".
	Purpose string
	Bytes   int64
	// SHA256 is the digest of the content, in hexadecimal digits.
	SHA256    string
	CreatedAt time.Time
	// ExpiresAt is when the file is deleted, zero for one that stays.
	ExpiresAt time.Time
}

// The purposes of files that this package knows.
const (
	PurposeBatch       = "batch"
	PurposeBatchOutput = "batch_output"
)
