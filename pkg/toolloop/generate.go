package toolloop

import (
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// generate asks the model. It uses a stream if the caller wants its events.
func (r *run) generate(
	ctx context.Context, request *geminiapi.GenerateContentRequest, step int, ids callIDs,
) (*geminiapi.GenerateContentResponse, error) {
	if r.yield == nil {
		return r.model.GenerateContent(ctx, request, r.opts...)
	}
	s := answerStream{step: step, events: normalize.NewStream(normalize.WithToolCallIDs(ids.of)),
		yield: r.yield}
	for chunk, err := range r.model.StreamGenerateContent(ctx, request, r.opts...) {
		if err != nil {
			s.failure = err
			break
		}
		if err := s.add(chunk); err != nil {
			return nil, err
		}
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	response, _ := normalize.MergeChunks(s.chunks...)
	return response, nil
}

// answerStream is an answer that arrives in chunks.
type answerStream struct {
	step    int
	chunks  []*geminiapi.GenerateContentResponse
	events  *normalize.Stream
	yield   func(Event) bool
	failure error // of the client
}

// add yields the events of a chunk.
func (s *answerStream) add(chunk *geminiapi.GenerateContentResponse) error {
	s.chunks = append(s.chunks, chunk)
	events, err := s.events.Push(chunk)
	if !s.deliver(events) {
		return errLeft
	}
	return err
}

// end yields the last events. It returns the client's error, if there is one.
func (s *answerStream) end() error {
	events, err := s.events.Close(s.failure)
	switch {
	case !s.deliver(events):
		return errLeft
	case s.failure != nil:
		return s.failure
	default:
		return err
	}
}

func (s *answerStream) deliver(events []normalize.Event) bool {
	for i := range events {
		event := events[i] // which the next chunk would change
		if !s.yield(Event{Step: s.step, Delta: &event}) {
			return false
		}
	}
	return true
}
