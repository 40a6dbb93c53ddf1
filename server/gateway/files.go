package gateway

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway/batches"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upload"
)

// fileForm is OpenAI's Files API. uploadForm is its upload operation, whose bodies are read as they
// arrive.
var (
	fileForm   = openAIOperation("files")
	uploadForm = passingBodies(openAIOperation("files"))
)

// passingBodies returns the form with request bodies left unread.
func passingBodies(f form) form {
	f.passesBodies = true
	return f
}

// largestFilePage is the number of files on a page, unless the client asks for fewer.
const largestFilePage = 10_000

// maxFileSize is the limit on a file, the same as OpenAI's. formSize is the allowance for the
// multipart form around the file.
const (
	maxFileSize = 512 << 20
	formSize    = 64 << 10
)

// ListFiles lists the client's files.
func (s openAIServer) ListFiles(w http.ResponseWriter, r *http.Request,
	params openaiapi.ListFilesParams) {
	s.serveBatches(w, r, &fileForm, func(c *call, owner batches.Owner) *problem.Problem {
		page, p := filePageOf(params)
		if p != nil {
			return p
		}
		files, hasMore, err := s.batches.Files(r.Context(), owner, page)
		if err != nil {
			return c.batchProblem(err, "file", page.After)
		}
		list := &openaiapi.ListFilesResponse{Object: openaiapi.ObjectTypeList, Data: files,
			HasMore: hasMore}
		if len(files) > 0 {
			list.FirstID, list.LastID = &files[0].ID, &files[len(files)-1].ID
		}
		return writeEncoded(c, list, openai.EncodeFiles)
	})
}

func filePageOf(params openaiapi.ListFilesParams) (batches.FilePage, *problem.Problem) {
	out := batches.FilePage{Purpose: jsonx.Deref(params.Purpose)}
	limit, p := pageLimit(params.Limit, largestFilePage, largestFilePage)
	if p != nil {
		return out, p
	}
	out.Page = batches.Page{After: jsonx.Deref(params.After), Limit: limit}
	switch jsonx.Deref(params.Order) {
	case "", openaiapi.ListOrderDesc:
	case openaiapi.ListOrderAsc:
		out.OldestFirst = true
	default:
		return out, problem.Invalid("", "/order", "order: must be asc or desc")
	}
	return out, nil
}

// pageLimit returns the maximum number of entries on a page.
func pageLimit(asked *int, usual, largest int) (int, *problem.Problem) {
	if asked == nil {
		return usual, nil
	}
	if *asked < 1 || *asked > largest {
		return 0, problem.Invalid("", "/limit",
			"limit: must be between 1 and "+strconv.Itoa(largest))
	}
	return *asked, nil
}

// CreateFile stores an uploaded file.
func (s openAIServer) CreateFile(w http.ResponseWriter, r *http.Request) {
	s.serveBatches(w, r, &uploadForm, func(c *call, owner batches.Owner) *problem.Problem {
		r.Body = http.MaxBytesReader(w, r.Body, maxFileSize+formSize)
		sent, err := upload.Read(r)
		if err != nil {
			return c.uploadProblem(err)
		}
		content := &countingReader{from: sent.Content()}
		file, err := s.batches.CreateFile(r.Context(), owner, batches.Upload{
			Filename: sent.Filename(), Content: content,
			Details: func() (details batches.Details, err error) {
				details.Purpose, details.ExpiresAfter, err = sent.Details()
				return details, err
			},
		})
		c.end.BytesIn = content.bytes
		if err != nil {
			return c.uploadProblem(err)
		}
		return writeEncoded(c, file, openai.EncodeFile)
	})
}

// countingReader counts the bytes that are read.
type countingReader struct {
	from  io.Reader
	bytes int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.bytes += int64(n)
	return n, err
}

// uploadProblem is the problem of a file that could not be stored.
func (c *call) uploadProblem(err error) *problem.Problem {
	if c.isSlowUpload() {
		return c.slowBody()
	}
	if wrong, ok := errors.AsType[*upload.FieldError](err); ok {
		param := ""
		if wrong.Field != "" {
			param = "/" + wrong.Field
		}
		return problem.Invalid("", param, errortext.WithoutPackage(wrong.Error()))
	}
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		c.writer.Header().Set("Connection", "close")
		return &problem.Problem{
			Status: http.StatusRequestEntityTooLarge, Type: problem.TypeInvalidRequest,
			Code: "request_too_large",
			Message: fmt.Sprintf("the file is larger than the limit of %d bytes",
				maxFileSize),
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return problem.UnreadableBody()
	}
	return c.batchProblem(err, "file", "")
}

func (c *call) isSlowUpload() bool { return c.upload != nil && c.upload.IsSlow() }

// RetrieveFile returns the metadata of a file.
func (s openAIServer) RetrieveFile(w http.ResponseWriter, r *http.Request, id openaiapi.FileID) {
	s.serveBatchesOf(w, r, &fileForm, "file", id,
		func(c *call, owner batches.Owner) *problem.Problem {
			file, err := s.batches.File(r.Context(), owner, id)
			if err != nil {
				return c.batchProblem(err, "file", id)
			}
			return writeEncoded(c, file, openai.EncodeFile)
		})
}

// DeleteFile deletes a file.
func (s openAIServer) DeleteFile(w http.ResponseWriter, r *http.Request, id openaiapi.FileID) {
	s.serveBatchesOf(w, r, &fileForm, "file", id,
		func(c *call, owner batches.Owner) *problem.Problem {
			if err := s.batches.DeleteFile(r.Context(), owner, id); err != nil {
				return c.batchProblem(err, "file", id)
			}
			return writeEncoded(c,
				&openaiapi.DeletedFile{ID: id, Object: openaiapi.ObjectTypeFile, Deleted: true},
				openai.EncodeDeletedFile)
		})
}

// DownloadFile returns the bytes of a file.
func (s openAIServer) DownloadFile(w http.ResponseWriter, r *http.Request, id openaiapi.FileID) {
	s.serveBatchesOf(w, r, &fileForm, "file", id,
		func(c *call, owner batches.Owner) *problem.Problem {
			file, err := s.batches.File(r.Context(), owner, id)
			if err != nil {
				return c.batchProblem(err, "file", id)
			}
			content, size, err := s.batches.OpenFile(r.Context(), owner, id)
			if err != nil {
				return c.batchProblem(err, "file", id)
			}
			defer content.Close()
			w.Header().Set("Content-Disposition",
				mime.FormatMediaType("attachment", map[string]string{"filename": file.Filename}))
			return c.writeContent(content, size)
		})
}

// writeContent writes bytes as they are read. If they end too early it cuts the connection, so that
// the client does not take them for the whole file.
func (c *call) writeContent(content io.Reader, size int64) *problem.Problem {
	header := c.writer.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	c.isAnswered, c.end.Status = true, http.StatusOK
	c.writer.WriteHeader(http.StatusOK)
	return c.copyBody(content)
}
