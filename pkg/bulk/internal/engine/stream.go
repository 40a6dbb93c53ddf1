package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The subjects, each the beginning of one. A job, range and file is a token.
const (
	SubjectWork     = "gemwire.bulk.work."     // PRIORITY.JOB.RANGE
	SubjectTask     = "gemwire.bulk.task."     // TASK.JOB
	SubjectLines    = "gemwire.bulk.lines."    // JOB.GENERATION.RANGE
	SubjectResults  = "gemwire.bulk.results."  // JOB.RANGE
	SubjectLarge    = "gemwire.bulk.large."    // JOB.RANGE.ID
	SubjectFiles    = "gemwire.bulk.files."    // FILE
	SubjectProgress = "gemwire.bulk.progress." // JOB, not kept
	SubjectChange   = "gemwire.bulk.change."   // JOB, not kept
	SubjectWake     = "gemwire.bulk.wake"      // not kept
)

// The consumers of work, by what they have: ranges of a priority, or tasks.
const (
	ConsumerHigh   = "high"
	ConsumerNormal = "normal"
	ConsumerLow    = "low"
	ConsumerTasks  = "tasks"
)

// AckWait is how long who took something may be silent until it is given to another.
const AckWait = 15 * time.Second

// consumers says which subjects each consumer has.
var consumers = map[string]string{
	ConsumerHigh:   SubjectWork + "high.>",
	ConsumerNormal: SubjectWork + "normal.>",
	ConsumerLow:    SubjectWork + "low.>",
	ConsumerTasks:  SubjectTask + ">",
}

const (
	streamWork    = "GEMWIRE_BULK_WORK"
	streamLines   = "GEMWIRE_BULK_LINES"
	streamResults = "GEMWIRE_BULK_RESULTS"
	streamFiles   = "GEMWIRE_BULK_FILES"
	bucketJobs    = "gemwire_bulk_jobs"
	bucketFiles   = "gemwire_bulk_files"
	bucketLedger  = "gemwire_bulk_ledger"
)

// makeStreams makes the streams and tables, or brings them to the settings.
func (e *Engine) makeStreams(ctx context.Context, settings Settings) error {
	for _, s := range []struct {
		stream *jetstream.Stream
		config jetstream.StreamConfig
	}{
		{&e.Work, jetstream.StreamConfig{Name: streamWork, Subjects: []string{SubjectWork + ">", SubjectTask + ">"}, Retention: jetstream.WorkQueuePolicy}},
		{&e.Lines, data(streamLines, settings.MaxBytes/4, SubjectLines)},
		{&e.Results, data(streamResults, settings.MaxBytes/4, SubjectResults, SubjectLarge)},
		{&e.Files, data(streamFiles, settings.MaxBytes/2, SubjectFiles)},
	} {
		s.config.Replicas = settings.Replicas
		stream, err := e.js.CreateOrUpdateStream(ctx, s.config)
		if err != nil {
			return fmt.Errorf("bulk: make the stream %s: %w", s.config.Name, err)
		}
		*s.stream = stream
	}
	for bucket, table := range map[string]*jetstream.KeyValue{bucketJobs: &e.Jobs, bucketFiles: &e.FileIndex, bucketLedger: &e.Ledger} {
		if err := e.makeTable(ctx, bucket, settings.Replicas, table); err != nil {
			return err
		}
	}
	return nil
}

// data is a stream of a bounded size, which refuses what is too much. 0 is what the server allows.
func data(name string, maxBytes int64, subjects ...string) jetstream.StreamConfig {
	if maxBytes == 0 {
		maxBytes = -1
	}
	for i, subject := range subjects {
		subjects[i] = subject + ">"
	}
	return jetstream.StreamConfig{
		Name: name, Subjects: subjects, MaxBytes: maxBytes, Discard: jetstream.DiscardNew,
		// Any replica may answer a read. Who reads from one that is behind finds less than there is, and is refused when it writes.
		AllowDirect: true,
	}
}

// makeTable makes the stream of a table itself: tables of the client's library let any replica answer a read, which may be
// behind.
func (e *Engine) makeTable(ctx context.Context, bucket string, replicas int, table *jetstream.KeyValue) error {
	_, err := e.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: "KV_" + bucket, Subjects: []string{"$KV." + bucket + ".>"}, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew,
		AllowRollup: true, DenyDelete: true, Replicas: replicas,
	})
	if err == nil {
		*table, err = e.js.KeyValue(ctx, bucket)
	}
	if err != nil {
		return fmt.Errorf("bulk: make the table %s: %w", bucket, err)
	}
	return nil
}

// remakeConsumers forgets who took what.
func (e *Engine) remakeConsumers(ctx context.Context) error {
	for name := range consumers {
		if err := e.Work.DeleteConsumer(ctx, name); err != nil && !IsNotFound(err) {
			return fmt.Errorf("bulk: forget who took %s: %w", name, err)
		}
	}
	return e.makeConsumers(ctx)
}

func (e *Engine) makeConsumers(ctx context.Context) error {
	for name, filter := range consumers {
		_, err := e.Work.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: name, FilterSubject: filter, AckPolicy: jetstream.AckExplicitPolicy, AckWait: AckWait,
			MaxAckPending: -1, // what waits for a quota must not keep others waiting
		})
		if err != nil {
			return fmt.Errorf("bulk: make the consumer %s: %w", name, err)
		}
	}
	return nil
}

// ForgetKey removes a key of a table without a trace, which the table's own methods leave for ever.
func (e *Engine) ForgetKey(ctx context.Context, table jetstream.KeyValue, key string) error {
	stream, err := e.js.Stream(ctx, "KV_"+table.Bucket())
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+table.Bucket()+"."+key))
}

// Token reports whether a text may be a token of a subject and a key: letters, digits, "-" and "_", at most 128.
func Token(text string) bool {
	return text != "" && len(text) <= 128 && strings.IndexFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}
