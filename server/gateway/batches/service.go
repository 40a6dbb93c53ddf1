package batches

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Service stores files and runs batches. It must be safe for concurrent use. An owner cannot find
// what belongs to another owner.
type Service interface {
	// CreateFile stores a file, as a whole or not at all.
	CreateFile(ctx context.Context, owner Owner, upload Upload) (*openaiapi.File, error)
	// File returns the metadata of a file.
	File(ctx context.Context, owner Owner, id string) (*openaiapi.File, error)
	// Files lists files, and reports whether more files follow.
	Files(ctx context.Context, owner Owner, page FilePage) (files []openaiapi.File, hasMore bool,
		err error)
	// DeleteFile deletes a file. Batches that have read it continue.
	DeleteFile(ctx context.Context, owner Owner, id string) error
	// OpenFile opens a file for reading, and returns its size in bytes.
	OpenFile(ctx context.Context, owner Owner, id string) (content io.ReadCloser, size int64,
		err error)

	// CreateBatch starts a batch. Its status is validating when CreateBatch returns.
	CreateBatch(ctx context.Context, owner Owner,
		request *openaiapi.CreateBatchRequest) (*openaiapi.Batch, error)
	// Batch returns the state of a batch.
	Batch(ctx context.Context, owner Owner, id string) (*openaiapi.Batch, error)
	// Batches lists batches, the newest first, and reports whether more follow.
	Batches(ctx context.Context, owner Owner, page Page) (list []openaiapi.Batch, hasMore bool,
		err error)
	// CancelBatch cancels a batch.
	CancelBatch(ctx context.Context, owner Owner, id string) (*openaiapi.Batch, error)
}

// Owner is the client that owns files and batches: the name of its key, or "" if the gateway has no
// keys. The requests of a batch run under this name.
type Owner string

// Upload is a file that is being uploaded.
type Upload struct {
	// Filename is the client's name for it, such as "questions.jsonl". It may be any text.
	Filename string
	// Content is read once, to its end.
	Content io.Reader
	// Details is called after the end of Content, because a client may send the details last.
	Details func() (Details, error)
}

// Details are the client's data about a file.
type Details struct {
	// Purpose is the purpose of the file, such as "batch".
	Purpose string
	// ExpiresAfter is how long the file is stored. 0 is as long as the server stores files.
	ExpiresAfter time.Duration
}

// Page selects the batches in a list.
type Page struct {
	// After is the id after which the page begins, or "" for the first page.
	After string
	// Limit is the maximum number of entries, above 0.
	Limit int
}

// FilePage selects the files in a list.
type FilePage struct {
	Page
	// Purpose selects files with this purpose. "" selects all files.
	Purpose string
	// OldestFirst reverses the order.
	OldestFirst bool
}

// ErrNotFound is returned for a file or batch that does not exist, was deleted, or belongs to
// another owner.
var ErrNotFound = errors.New("batches: not found")

// RefusedError is an invalid request. The client has to change it.
type RefusedError struct {
	// Param is a pointer to the invalid member, such as "/input_file_id", or "" for none.
	Param string
	// Code is OpenAI's error code, or "" for none.
	Code string
	// Message is for people.
	Message string
}

// Error returns the message.
func (e *RefusedError) Error() string { return "batches: " + e.Message }

// FullError reports that the store has no room.
type FullError struct{ Err error }

// Error returns the message.
func (e *FullError) Error() string { return "batches: no room: " + e.Err.Error() }

// Unwrap returns the error of the store.
func (e *FullError) Unwrap() error { return e.Err }
