package batches

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Service keeps files and answers batches. It is safe for use by several goroutines. What belongs
// to another owner is not found.
type Service interface {
	// CreateFile keeps a file, as a whole or not at all.
	CreateFile(ctx context.Context, owner Owner, upload Upload) (*openaiapi.File, error)
	// File describes a file.
	File(ctx context.Context, owner Owner, id string) (*openaiapi.File, error)
	// Files lists files, and says whether there are more behind them.
	Files(ctx context.Context, owner Owner, page FilePage) (files []openaiapi.File, hasMore bool,
		err error)
	// DeleteFile deletes a file. Batches that have read it go on.
	DeleteFile(ctx context.Context, owner Owner, id string) error
	// OpenFile reads a file of so many bytes.
	OpenFile(ctx context.Context, owner Owner, id string) (content io.ReadCloser, size int64,
		err error)

	// CreateBatch begins a batch. It is validating when CreateBatch returns.
	CreateBatch(ctx context.Context, owner Owner,
		request *openaiapi.CreateBatchRequest) (*openaiapi.Batch, error)
	// Batch describes a batch.
	Batch(ctx context.Context, owner Owner, id string) (*openaiapi.Batch, error)
	// Batches lists batches, the newest first, and says whether there are more behind them.
	Batches(ctx context.Context, owner Owner, page Page) (list []openaiapi.Batch, hasMore bool,
		err error)
	// CancelBatch has a batch end.
	CancelBatch(ctx context.Context, owner Owner, id string) (*openaiapi.Batch, error)
}

// Owner is the client whose files and batches they are: the name of its key, "" where the gateway
// has no keys. The requests of a batch are asked in this name.
type Owner string

// Upload is a file that comes.
type Upload struct {
	// Filename is what the client calls it, such as "questions.jsonl"; it may be anything.
	Filename string
	// Content is read once, to its end.
	Content io.Reader
	// Details is called behind the end of Content: a client may send them there.
	Details func() (Details, error)
}

// Details are what a client says of a file.
type Details struct {
	// Purpose is what the file is for, such as "batch".
	Purpose string
	// ExpiresAfter is how long the file is kept, 0 for as long as the server keeps files.
	ExpiresAfter time.Duration
}

// Page is which batches are listed.
type Page struct {
	// After is the id behind which the page begins, "" for the first page.
	After string
	// Limit is how many there are at most, above 0.
	Limit int
}

// FilePage is which files are listed.
type FilePage struct {
	Page
	// Purpose is that of all files, "" for any.
	Purpose string
	// OldestFirst turns the order around.
	OldestFirst bool
}

// ErrNotFound is returned for a file or batch that there is not, or not any more, or that is
// another owner's.
var ErrNotFound = errors.New("batches: not found")

// RefusedError is what cannot be as the client wants it. It is the client's to mend.
type RefusedError struct {
	// Param is the member at fault as a pointer, such as "/input_file_id"; "" for none.
	Param string
	// Code is OpenAI's, "" for none.
	Code string
	// Message is for people.
	Message string
}

// Error returns the message.
func (e *RefusedError) Error() string { return "batches: " + e.Message }

// FullError is a store that has no room.
type FullError struct{ Err error }

// Error says so.
func (e *FullError) Error() string { return "batches: no room: " + e.Err.Error() }

// Unwrap returns the error of the store.
func (e *FullError) Unwrap() error { return e.Err }
