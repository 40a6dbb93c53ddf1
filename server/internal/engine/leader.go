package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// lastMessage is a leader's reply to a request for the last message of a subject. If a stream
// allows it, NATS' client asks any replica, and has no option to ask the leader.
type lastMessage struct {
	Error   *jetstream.APIError `json:"error"`
	Message *struct {
		Subject  string    `json:"subject"`
		Sequence uint64    `json:"seq"`
		Header   []byte    `json:"hdrs"`
		Data     []byte    `json:"data"`
		Time     time.Time `json:"time"`
	} `json:"message"`
}

// last returns the last message of a subject from the leader of the stream; see [IsNotFound].
func (s *Stream) last(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	if s.engine.host != nil { // there is one server
		return s.stream.GetLastMsgForSubject(ctx, subject)
	}
	request, err := json.Marshal(map[string]string{"last_by_subj": subject})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	reply, err := s.engine.conn.RequestWithContext(ctx,
		jetstream.DefaultAPIPrefix+"STREAM.MSG.GET."+s.name, request)
	if err != nil {
		return nil, err
	}
	var answer lastMessage
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return nil, fmt.Errorf("store: decode a message of the store: %w", err)
	}
	return answer.message()
}

func (a *lastMessage) message() (*jetstream.RawStreamMsg, error) {
	switch found := a.Message; {
	case a.Error != nil && a.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return nil, jetstream.ErrMsgNotFound
	case a.Error != nil:
		return nil, a.Error
	case found == nil:
		return nil, jetstream.ErrInvalidJetStreamResponse
	default:
		out := &jetstream.RawStreamMsg{Subject: found.Subject, Sequence: found.Sequence,
			Data: found.Data, Time: found.Time}
		if len(found.Header) == 0 {
			return out, nil
		}
		header, err := nats.DecodeHeadersMsg(found.Header)
		out.Header = header
		return out, err
	}
}
