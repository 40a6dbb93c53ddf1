package gateway

import (
	"errors"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway/batches"
	"github.com/gemwire/gemwire/server/gateway/internal/batchrequest"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// batchForm is OpenAI's Batch API.
var batchForm = openAIOperation("batches")

// Page sizes of lists of batches.
const (
	defaultBatchPage = 20
	largestBatchPage = 100
)

// WithBatches serves files and batches with the given service. The gateway does not close the
// service. By default the gateway serves no batches.
func WithBatches(service batches.Service) Option { return func(s *settings) { s.batches = service } }

// WithBatchesAway answers requests about files and batches with 503 while there is no
// [WithBatches], because the store is not available yet.
func WithBatchesAway() Option { return func(s *settings) { s.batchesAway = true } }

// errBatchesOfCallers is the reason why callers' keys exclude batches: no caller is connected to
// send a key when a request of a batch runs.
var errBatchesOfCallers = errors.New("gateway: batches need the gateway's own accounts and cannot use callers' keys")

// serveBatches answers a request about files and batches, also if the gateway has no batch service.
func (s openAIServer) serveBatches(w http.ResponseWriter, r *http.Request, f *form,
	answer func(*call, batches.Owner) *problem.Problem) {
	if isFromAnthropicsClient(r) { // who has other files in the same place
		s.serveNotFound(w, r)
		return
	}
	s.serve(w, r, f, func(c *call) *problem.Problem {
		if s.batches == nil && s.batchesAway {
			return &problem.Problem{Status: http.StatusServiceUnavailable,
				Type: problem.TypeServer, Message: "the store of the gateway is not available"}
		}
		if s.batches == nil {
			return &problem.Problem{
				Status: http.StatusNotFound, Type: problem.TypeInvalidRequest, Code: "unknown_url",
				Message: "files and batches are not enabled on this gateway (--store FOLDER or URLs)",
			}
		}
		return answer(c, batches.Owner(c.clientName))
	})
}

// serveBatchesOf answers a request about a file or a batch by its id. A malformed id is an id that
// does not exist.
func (s openAIServer) serveBatchesOf(
	w http.ResponseWriter, r *http.Request, f *form, kind, id string,
	answer func(*call, batches.Owner) *problem.Problem,
) {
	s.serveBatches(w, r, f, func(c *call, owner batches.Owner) *problem.Problem {
		if !history.IsID(id) {
			return c.batchProblem(batches.ErrNotFound, kind, id)
		}
		return answer(c, owner)
	})
}

// writeEncoded writes a value with its codec.
func writeEncoded[T any](c *call, value *T, encode func(*T) ([]byte, error)) *problem.Problem {
	body, err := encode(value)
	if err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// batchProblem returns the problem of an error about files or batches. The id is the requested one.
func (c *call) batchProblem(err error, kind, id string) *problem.Problem {
	if errors.Is(err, batches.ErrNotFound) {
		return &problem.Problem{
			Status: http.StatusNotFound, Type: problem.TypeInvalidRequest, Param: "id",
			Message: kind + " " + id + " does not exist or was deleted",
		}
	}
	if refused, ok := errors.AsType[*batches.RefusedError](err); ok {
		return problem.Invalid(refused.Code, refused.Param, refused.Message)
	}
	if _, isFull := errors.AsType[*batches.FullError](err); isFull {
		return &problem.Problem{
			Status: http.StatusServiceUnavailable, Type: problem.TypeServer, Code: "store_full",
			Message: "the store of files and batches is full", RetryAfter: time.Minute,
			Err: err,
		}
	}
	return c.failed(err)
}

// CreateBatch starts a batch.
func (s openAIServer) CreateBatch(w http.ResponseWriter, r *http.Request) {
	s.serveBatches(w, r, &batchForm, func(c *call, owner batches.Owner) *problem.Problem {
		in, err := openai.DecodeBatchRequest(c.body)
		if err != nil {
			return problem.Unreadable(err)
		}
		if p := batchrequest.Check(in); p != nil {
			return p
		}
		batch, err := s.batches.CreateBatch(r.Context(), owner, in)
		if err != nil {
			return c.batchProblem(err, "file", in.InputFileID)
		}
		return writeEncoded(c, batch, openai.EncodeBatch)
	})
}

// RetrieveBatch returns a batch.
func (s openAIServer) RetrieveBatch(w http.ResponseWriter, r *http.Request, id openaiapi.BatchID) {
	s.serveBatchesOf(w, r, &batchForm, "batch", id,
		func(c *call, owner batches.Owner) *problem.Problem {
			batch, err := s.batches.Batch(r.Context(), owner, id)
			if err != nil {
				return c.batchProblem(err, "batch", id)
			}
			return writeEncoded(c, batch, openai.EncodeBatch)
		})
}

// CancelBatch cancels a batch.
func (s openAIServer) CancelBatch(w http.ResponseWriter, r *http.Request, id openaiapi.BatchID) {
	s.serveBatchesOf(w, r, &batchForm, "batch", id,
		func(c *call, owner batches.Owner) *problem.Problem {
			batch, err := s.batches.CancelBatch(r.Context(), owner, id)
			if err != nil {
				return c.batchProblem(err, "batch", id)
			}
			return writeEncoded(c, batch, openai.EncodeBatch)
		})
}

// ListBatches lists the client's batches, the newest first.
func (s openAIServer) ListBatches(w http.ResponseWriter, r *http.Request,
	params openaiapi.ListBatchesParams) {
	s.serveBatches(w, r, &batchForm, func(c *call, owner batches.Owner) *problem.Problem {
		limit, p := pageLimit(params.Limit, defaultBatchPage, largestBatchPage)
		if p != nil {
			return p
		}
		page := batches.Page{After: jsonx.Deref(params.After), Limit: limit}
		found, hasMore, err := s.batches.Batches(r.Context(), owner, page)
		if err != nil {
			return c.batchProblem(err, "batch", page.After)
		}
		list := &openaiapi.ListBatchesResponse{Object: openaiapi.ObjectTypeList, Data: found,
			HasMore: hasMore}
		if len(found) > 0 {
			list.FirstID, list.LastID = &found[0].ID, &found[len(found)-1].ID
		}
		return writeEncoded(c, list, openai.EncodeBatches)
	})
}
