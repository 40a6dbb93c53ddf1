package bulk

import "time"

// File is an input, an output, or anything else that a client of OpenAI's files keeps. It is a copy.
type File struct {
	// ID is "file-" and 32 digits.
	ID    string `json:"id"`
	Owner string `json:"owner,omitzero"`
	// Name is what the client calls it, such as "questions.jsonl".
	Name string `json:"filename"`
	// Purpose is OpenAI's word for it, such as "batch" and "batch_output".
	Purpose string `json:"purpose"`
	Bytes   int64  `json:"bytes"`
	// SHA256 is the digest of the content, in hexadecimal digits.
	SHA256    string    `json:"sha256"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is when the file is deleted, zero for one that stays.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// The purposes of files that this package knows.
const (
	PurposeBatch       = "batch"
	PurposeBatchOutput = "batch_output"
)
