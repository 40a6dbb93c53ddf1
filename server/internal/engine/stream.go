package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Prefixes of the subjects. A job, a range and a file are tokens.
const (
	SubjectWork     = "gemwire.bulk.work."     // PRIORITY.JOB.RANGE
	SubjectTask     = "gemwire.bulk.task."     // TASK.JOB
	SubjectLines    = "gemwire.bulk.lines."    // JOB.GENERATION.RANGE.PIECE
	SubjectResults  = "gemwire.bulk.results."  // JOB.GENERATION.RANGE.ENTRY
	SubjectLarge    = "gemwire.bulk.large."    // JOB.GENERATION.RANGE.ID.PIECE
	SubjectFiles    = "gemwire.bulk.files."    // FILE.PIECE
	SubjectProgress = "gemwire.bulk.progress." // JOB, not kept
	SubjectChange   = "gemwire.bulk.change."   // JOB, not kept
	SubjectWake     = "gemwire.bulk.wake"      // not kept
	SubjectResume   = "gemwire.bulk.resume"    // not kept
	SubjectWho      = "gemwire.bulk.who."      // JOB, not kept
	SubjectHere     = "gemwire.bulk.here."     // QUESTION, not kept

	SubjectDocument  = "gemwire.store.document."  // OWNER.DOCUMENT
	SubjectPiece     = "gemwire.store.piece."     // OWNER.DOCUMENT.NAME.NUMBER
	SubjectSignature = "gemwire.store.signature." // NAME
)

// The consumers of work: ranges of a priority, or tasks.
const (
	ConsumerHigh   = "high"
	ConsumerNormal = "normal"
	ConsumerLow    = "low"
	ConsumerTasks  = "tasks"
)

// AckWait is how long a worker may be silent before its message is given to another one.
const AckWait = 15 * time.Second

// consumers are the subjects of each consumer.
var consumers = map[string]string{
	ConsumerHigh:   SubjectWork + "high.>",
	ConsumerNormal: SubjectWork + "normal.>",
	ConsumerLow:    SubjectWork + "low.>",
	ConsumerTasks:  SubjectTask + ">",
}

const (
	streamWork       = "GEMWIRE_BULK_WORK"
	streamLines      = "GEMWIRE_BULK_LINES"
	streamResults    = "GEMWIRE_BULK_RESULTS"
	streamFiles      = "GEMWIRE_BULK_FILES"
	streamDocuments  = "GEMWIRE_STORE_DOCUMENTS"
	streamSignatures = "GEMWIRE_STORE_SIGNATURES"
	bucketJobs       = "gemwire_bulk_jobs"
	bucketFiles      = "gemwire_bulk_files"
	bucketLedger     = "gemwire_bulk_ledger"
	bucketUsage      = "gemwire_usage"
	bucketLimits     = "gemwire_limits"
	bucketKeys       = "gemwire_keys"
)

// Stream has messages by subject. It is safe for concurrent use.
type Stream struct {
	engine *Engine
	name   string
	stream jetstream.Stream

	// bound is held from reading the stream's limit until writing it. Otherwise the second of two
	// concurrent changes would undo the first. It does not stop other processes; see [Stream.Grow].
	bound sync.Mutex
}

// Get returns the message of a subject; see [IsNotFound] and [ErrDamaged]. If a replica does not
// have it, Get asks the leader, because the replica may lag.
func (s *Stream) Get(ctx context.Context, subject string) (message *jetstream.RawStreamMsg,
	err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		message, err = s.stream.GetLastMsgForSubject(ctx, subject)
		if IsNotFound(err) && s.engine.host == nil {
			message, err = s.last(ctx, subject)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return message, verifyChecksum(subject, message.Header, message.Data)
}

// Create writes the only message of a subject; see [Stream.Append].
//
// A growing list is a series of subjects that end with a number, each with one message, and not one
// subject with many messages. Before the server adds to a subject that has messages, it reads the
// last one. After that it holds the data written around it in memory for ten seconds. That is
// hundreds of megabytes at a high write rate.
func (s *Stream) Create(ctx context.Context, message *nats.Msg) error {
	_, err := s.Append(ctx, message, 0)
	return err
}

// Purge removes all messages of subjects.
func (s *Stream) Purge(ctx context.Context, subject string) error {
	err := s.engine.Ask(ctx, func(ctx context.Context) error {
		return s.stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
	})
	if err != nil {
		return fmt.Errorf("store: remove from the store: %w", err)
	}
	return nil
}

// PurgeBefore removes the messages of subjects that have a lower sequence.
func (s *Stream) PurgeBefore(ctx context.Context, subject string, sequence uint64) error {
	err := s.engine.Ask(ctx, func(ctx context.Context) error {
		return s.stream.Purge(ctx, jetstream.WithPurgeSubject(subject),
			jetstream.WithPurgeSequence(sequence))
	})
	if err != nil {
		return fmt.Errorf("store: remove from the store: %w", err)
	}
	return nil
}

// HasAny reports whether there are messages of subjects.
func (s *Stream) HasAny(ctx context.Context, subject string) (has bool, err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(subject))
		has = err == nil && len(info.State.Subjects) > 0
		return err
	})
	return has, err
}

// Consumer returns one of the consumers of work with its current state.
func (s *Stream) Consumer(ctx context.Context, name string) (consumer jetstream.Consumer,
	err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		consumer, err = s.stream.Consumer(ctx, name)
		return err
	})
	return consumer, err
}

// PieceSize returns the maximum size of a message with a piece of data.
func (s *Stream) PieceSize() int { return int(min(512<<10, s.engine.conn.MaxPayload()/2)) }

// configs returns the streams, including the streams of tables.
func configs(maxBytes int64) []jetstream.StreamConfig {
	return []jetstream.StreamConfig{
		{Name: streamWork, Subjects: []string{SubjectWork + ">", SubjectTask + ">"},
			Retention: jetstream.WorkQueuePolicy},
		data(streamLines, maxBytes/4, SubjectLines),
		data(streamResults, maxBytes/4, SubjectResults, SubjectLarge),
		data(streamFiles, maxBytes/2, SubjectFiles),
		documents(), signatures(),
		table(bucketJobs), table(bucketFiles), table(bucketLedger),
		table(bucketUsage), table(bucketLimits), table(bucketKeys),
	}
}

// documents returns the stream of documents. The package that writes them bounds its size. A leader
// answers all reads, because another replica may lag.
func documents() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: streamDocuments, Subjects: []string{SubjectDocument + ">", SubjectPiece + ">"},
		MaxMsgsPerSubject: 1, AllowAtomicPublish: true, AllowMsgTTL: true,
	}
}

// The bounds of stored signatures. The oldest make room.
const (
	SignatureAge   = 7 * 24 * time.Hour
	SignatureCount = 50_000
	SignatureBytes = 1 << 30
)

// signatures returns the stream of signatures. Any replica may answer a read; see [Stream.Get]. The
// writer bounds its bytes with [Stream.Trim].
func signatures() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: streamSignatures, Subjects: []string{SubjectSignature + ">"},
		MaxMsgsPerSubject: 1, MaxAge: SignatureAge, MaxMsgs: SignatureCount, AllowDirect: true,
	}
}

// data returns a stream with a size limit, which refuses further writes. 0 is the server's own
// limit.
func data(name string, maxBytes int64, subjects ...string) jetstream.StreamConfig {
	metadata := map[string]string{metadataBound: strconv.FormatInt(maxBytes, 10)}
	if maxBytes == 0 {
		maxBytes, metadata = -1, nil
	}
	for i, subject := range subjects {
		subjects[i] = subject + ">"
	}
	return jetstream.StreamConfig{
		Name: name, Subjects: subjects, MaxBytes: maxBytes, Discard: jetstream.DiscardNew,
		// Any replica may answer a read, because a subject has one message that never changes; see
		// [Stream.Get].
		AllowDirect: true, Metadata: metadata,
	}
}

// table returns the stream of a table. The client library's own tables let any replica answer a
// read, and that replica may lag.
func table(bucket string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: tableStream(bucket), Subjects: []string{tablePrefix(bucket) + ">"},
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew,
		AllowRollup: true, DenyDelete: true,
	}
}

func tableStream(bucket string) string { return "KV_" + bucket }

func tablePrefix(bucket string) string { return "$KV." + bucket + "." }

// bind finds the streams and tables.
func (e *Engine) bind(ctx context.Context) error {
	for name, stream := range map[string]**Stream{
		streamWork: &e.Work, streamLines: &e.Lines, streamResults: &e.Results,
		streamFiles: &e.Files, streamDocuments: &e.Documents, streamSignatures: &e.Signatures,
	} {
		found, err := e.js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("store: open the stream %s: %w", name, err)
		}
		*stream = &Stream{engine: e, name: name, stream: found}
	}
	if !e.Documents.stream.CachedInfo().Config.AllowAtomicPublish {
		return errOldServer
	}
	var ledger *Table
	for bucket, table := range map[string]**Table{bucketJobs: &e.Jobs, bucketFiles: &e.FileIndex,
		bucketLedger: &ledger, bucketUsage: &e.Usage, bucketLimits: &e.Limits,
		bucketKeys: &e.Keys} {
		name := tableStream(bucket)
		stream, err := e.js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("store: open the stream of the table %s: %w", bucket, err)
		}
		values, err := e.js.KeyValue(ctx, bucket)
		if err != nil {
			return fmt.Errorf("store: open the table %s: %w", bucket, err)
		}
		*table = &Table{stream: &Stream{engine: e, name: name, stream: stream}, bucket: values,
			prefix: tablePrefix(bucket)}
	}
	e.Ledger = ledger.bucket
	return nil
}

// errOldServer is returned for servers that do not write several messages as one. They would take
// the messages, but not all or none of them.
var errOldServer = errors.New("store: the servers must have NATS 2.12 or later")

// Token reports whether a text is valid as a token of a subject or a key: letters, digits, "-" and
// "_", at most 128.
func Token(text string) bool {
	return text != "" && len(text) <= 128 && strings.IndexFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') &&
			(r < 'A' || r > 'Z')
	}) < 0
}
