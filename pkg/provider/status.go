package provider

import (
	"errors"
	"iter"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// replyStatus is the HTTP status of the last reply to a call, 0 without a reply.
type replyStatus struct{ last atomic.Int32 }

func (s *replyStatus) code() int { return int(s.last.Load()) }

// noting adds an option that records the status of each reply.
func (s *replyStatus) noting(opts []gemini.CallOption) []gemini.CallOption {
	return append(slices.Clone(opts), gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
		return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
			reply, err := next.Do(request)
			status := 0
			if err == nil && reply != nil { // a Doer that returns neither is an error of the client
				status = reply.StatusCode
			}
			s.last.Store(int32(status))
			return reply, err
		})
	}))
}

// describe distinguishes an error that replaces a stream, which has the status of the reply, from
// an error that the stream reports. A client that does not use HTTP has no status; its errors
// before the first chunk replace the stream.
func (s *replyStatus) describe(
	chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		begun := false
		for chunk, err := range chunks {
			_, isReply := errors.AsType[*gemini.Error](err)
			if isReply && (s.code() >= http.StatusMultipleChoices || s.code() == 0 && !begun) {
				err = normalize.FromError(err)
			}
			if !yield(chunk, err) {
				return
			}
			begun = true
		}
	}
}
