package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of an atomic batch. NATS' client has no names for them.
const (
	headerBatch       = "Nats-Batch-Id"
	headerBatchNumber = "Nats-Batch-Sequence"
	headerBatchCommit = "Nats-Batch-Commit"
)

// Error codes of atomic batches. NATS' client has no names for them.
const (
	codeBatchIncomplete jetstream.ErrorCode = 10176
	codeTooManyBatches  jetstream.ErrorCode = 10210
)

// MaxBatch is the maximum number of messages of [Stream.AppendAll].
const MaxBatch = 1000

// AppendAll writes all messages or none, each as [Stream.Append] does after the sequence with its
// index in last. The stream must accept batches. It returns the sequence of the last message; the
// messages have consecutive sequences. Between two callers' messages, each must differ in a header
// with the prefix Gemwire-.
func (s *Stream) AppendAll(ctx context.Context, messages []*nats.Msg, last []uint64) (
	sequence uint64, err error) {
	if len(messages) == 1 {
		return s.Append(ctx, messages[0], last[0])
	}
	e := s.engine
	for _, m := range messages {
		if err := e.room.claim(len(m.Data)); err != nil {
			return 0, err
		}
		addChecksum(m)
	}
	isSecond, end := false, len(messages)-1
	err = e.Ask(ctx, func(ctx context.Context) error {
		if isSecond { // the first may have been written, and its answer lost
			sequence, err = s.written(ctx, messages[end], last[end])
			if sequence != 0 || err != nil {
				return err
			}
		}
		sequence, err = s.publishBatch(ctx, messages, last)
		if isSecond && isConflict(apiCode(err)) {
			err = errors.Join(errUnsure, err)
		}
		isSecond = true
		return err
	})
	if err != nil {
		return 0, e.writeFailure(ctx, err)
	}
	return sequence, nil
}

// publishBatch sends a batch and waits for the answer to its last message.
func (s *Stream) publishBatch(ctx context.Context, messages []*nats.Msg, last []uint64) (uint64,
	error) {
	id := rand.Text()
	var sent *nats.Msg
	for i, m := range messages {
		sent = nats.NewMsg(m.Subject)
		sent.Data = m.Data
		for name, values := range m.Header {
			sent.Header[name] = values
		}
		sent.Header.Set(headerBatch, id)
		sent.Header.Set(headerBatchNumber, strconv.Itoa(i+1))
		sent.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last[i], 10))
		if i == len(messages)-1 {
			sent.Header.Set(headerBatchCommit, "1")
			break
		}
		if err := s.engine.conn.PublishMsg(sent); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	reply, err := s.engine.conn.RequestMsgWithContext(ctx, sent)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Error    *jetstream.APIError `json:"error"`
		Sequence uint64              `json:"seq"`
	}
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return 0, jetstream.ErrInvalidJSAck
	}
	switch {
	case answer.Error == nil:
		return answer.Sequence, nil
	case answer.Error.ErrorCode == codeBatchIncomplete,
		answer.Error.ErrorCode == codeTooManyBatches:
		return 0, errors.Join(errNotTaken, answer.Error)
	}
	return 0, answer.Error
}

// errNotTaken is the error of a batch that the server did not take, for example because its leader
// changed meanwhile. A repetition helps.
var errNotTaken = errors.New("store: the store did not take a batch of messages")
