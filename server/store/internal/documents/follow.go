package documents

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// received applies a message of the stream to the index.
func (x *index) received(message jetstream.Msg) {
	meta, err := message.Metadata()
	if err != nil {
		return
	}
	sequence := meta.Sequence.Stream
	k, part, ok := keyOfSubject(message.Subject())
	header := message.Headers()
	switch {
	case ok && part != "":
		x.addPart(k, part, decodeStamps(header.Get(headerStamps)))
	case ok:
		c := change{key: k, sequence: sequence, tail: decodeStamps(header.Get(headerStamps))}
		if json.Unmarshal([]byte(header.Get(headerInfo)), &c.info) == nil {
			x.collect(c)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.applied = max(x.applied, sequence)
	close(x.changed)
	x.changed = make(chan struct{})
}

// collect applies heads once all that were written together are here. Some of them may be missing
// because later writes have replaced them.
func (x *index) collect(c change) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.batch) > 0 && x.batch[0].info.Write != c.info.Write {
		x.applyLocked(x.batch)
		x.batch = nil
	}
	x.batch = append(x.batch, c)
	if c.info.Index+1 >= c.info.Writes {
		x.applyLocked(x.batch)
		x.batch = nil
	}
}

// sync waits until the index has everything that is in the stream now.
func (s *Store) sync(ctx context.Context) error {
	var last uint64
	for _, subjects := range []string{engine.SubjectDocument + ">", engine.SubjectPiece + ">"} {
		message, err := s.stream.Latest(ctx, subjects)
		switch {
		case engine.IsNotFound(err):
		case err != nil:
			return err
		default:
			last = max(last, message.Sequence)
		}
	}
	for {
		s.index.mu.Lock()
		applied, changed := s.index.applied, s.index.changed
		s.index.mu.Unlock()
		if applied >= last {
			return nil
		}
		select {
		case <-changed:
		case <-time.After(syncTime): // the last message may have been removed
			return s.sync(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// syncTime is how long to wait for a message until its existence is checked again.
const syncTime = time.Second
