package bulk

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// File is the metadata of an input, an output, or any other file of OpenAI's Files API. It is a
// copy.
type File struct {
	// ID is "file-" and 32 hexadecimal digits.
	ID    string `json:"id"`
	Owner string `json:"owner,omitzero"`
	// Name is the client's name for it, such as "questions.jsonl".
	Name string `json:"filename"`
	// Purpose is OpenAI's purpose, such as "batch" and "batch_output".
	Purpose string `json:"purpose"`
	Bytes   int64  `json:"bytes"`
	// SHA256 is the digest of the content in hexadecimal digits.
	SHA256    string    `json:"sha256"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is when the file is deleted, or zero for never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Purposes that this package uses.
const (
	PurposeBatch       = "batch"
	PurposeBatchOutput = "batch_output"
)

// fileRecord is the stored record of a file.
type fileRecord struct {
	File
	// Ready reports that the content is complete.
	Ready bool `json:"ready,omitzero"`
}

// PutFile stores a file completely or not at all. It uses Name, Purpose, Owner and ExpiresAt of the
// argument, and returns the complete metadata. Each function of details is called after the end of
// the content, when the size is known. It may change these four fields, or refuse the file with an
// error.
func (s *Service) PutFile(ctx context.Context, file File, content io.Reader,
	details ...func(*File) error) (*File, error) {
	w, err := s.newFileWriter(ctx, file)
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(w, content); err == nil {
		err = w.keep(details...)
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	return &w.record.File, nil
}

// fileWriter writes a file. The file exists when keep has returned nil. It implements [io.Writer].
type fileWriter struct {
	ctx     context.Context
	service *Service
	record  fileRecord
	content *blob.Writer
}

// newFileWriter makes a file that is not ready.
func (s *Service) newFileWriter(ctx context.Context, file File) (*fileWriter, error) {
	file.ID, file.CreatedAt = newID("file-"), s.settings.now()
	w := &fileWriter{
		ctx: ctx, service: s, record: fileRecord{File: file},
		content: blob.NewWriter(s.engine.Files, engine.SubjectFiles+file.ID),
	}
	return w, s.files.Create(ctx, file.ID, &w.record)
}

// Write implements [io.Writer].
func (w *fileWriter) Write(data []byte) (int, error) {
	if err := w.content.Write(w.ctx, data); err != nil {
		return 0, err
	}
	return len(data), nil
}

// keep completes the file.
func (w *fileWriter) keep(details ...func(*File) error) error {
	w.record.Bytes = w.content.Size()
	for _, detail := range details {
		if err := detail(&w.record.File); err != nil {
			return err
		}
	}
	if err := w.content.Close(w.ctx); err != nil {
		return err
	}
	w.record.SHA256, w.record.Ready = w.content.SHA256(), true
	made := w.record
	_, err := w.service.files.Change(w.ctx, made.ID,
		func(found *fileRecord) error { *found = made; return nil })
	return err
}

// drop removes what was written. If that fails, a sweep removes it a day later.
func (w *fileWriter) drop() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), leaseTime)
	defer cancel()
	if err := w.service.removeFile(ctx, w.record.ID); err != nil {
		w.service.settings.logger.Warn("bulk: an incomplete file stays for a day", "file",
			w.record.ID, "error", err)
	}
}

// File returns the metadata of a file, or a *NotFoundError.
func (s *Service) File(ctx context.Context, id string) (*File, error) {
	if !engine.Token(id) {
		return nil, &NotFoundError{Kind: "file", ID: id}
	}
	found, _, err := s.files.Get(ctx, id)
	if errors.Is(err, record.ErrNotFound) || err == nil && !s.isThere(found) {
		return nil, &NotFoundError{Kind: "file", ID: id}
	}
	if err != nil {
		return nil, err
	}
	return &found.File, nil
}

// isThere reports whether a file is ready and has not expired.
func (s *Service) isThere(file *fileRecord) bool {
	return file.Ready && (file.ExpiresAt.IsZero() || s.settings.now().Before(file.ExpiresAt))
}

// OpenFile opens a file for reading. The context applies to all reads.
func (s *Service) OpenFile(ctx context.Context, id string) (io.ReadCloser, error) {
	if _, err := s.File(ctx, id); err != nil {
		return nil, err
	}
	return blob.NewReader(ctx, s.engine.Files, engine.SubjectFiles+id), nil
}

// DeleteFile deletes a file. A job with this input continues if it is past validating.
func (s *Service) DeleteFile(ctx context.Context, id string) error {
	if _, err := s.File(ctx, id); err != nil {
		return err
	}
	return s.removeFile(ctx, id)
}

// removeFile removes all data of a file. It removes the record last, so that no data is left
// without a record.
func (s *Service) removeFile(ctx context.Context, id string) error {
	if err := s.removeBlob(ctx, id); err != nil {
		return err
	}
	return s.files.Delete(ctx, id)
}

// removeBlob removes the blob with a name, or nothing for "".
func (s *Service) removeBlob(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	return s.engine.Files.Purge(ctx, blob.Pieces(engine.SubjectFiles+name))
}
