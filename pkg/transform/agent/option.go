package agent

import (
	"crypto/rand"
	"fmt"

	"github.com/gemwire/gemwire/gen/aisdkapi"
)

// Option changes how agent NDJSON is read and mapped.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	textID      func() string
	finishUsage *aisdkapi.Usage
	responseID  string
	objectLimit int
}

// WithTextIDs sets the function that makes the id of each text block. By default, and if it returns
// "", the id is a random UUID.
func WithTextIDs(id func() string) Option {
	return func(o *options) { o.textID = id }
}

// WithFinishUsage sets the usage of every finish. The events have no token counts. By default all
// counts are 0, which readers of these streams expect. WithFinishUsage(Usage{}) makes them unknown.
func WithFinishUsage(usage aisdkapi.Usage) Option {
	return func(o *options) { o.finishUsage = &usage }
}

// WithResponseID starts each turn of a [Stream] with an [aisdkapi.ResponseMetadata] that has this
// id, for example the id of the session. By default the stream has no such part.
func WithResponseID(id string) Option {
	return func(o *options) { o.responseID = id }
}

// WithObjectLimit sets the maximum size of an object in the input, in bytes. The default, also for
// 0, is [DefaultObjectLimit].
func WithObjectLimit(bytes int) Option {
	return func(o *options) { o.objectLimit = bytes }
}

func (o *options) newTextID() string {
	if o.textID != nil {
		if id := o.textID(); id != "" {
			return id
		}
	}
	return randomUUID()
}

func (o *options) usage() aisdkapi.Usage {
	if o.finishUsage != nil {
		return *o.finishUsage
	}
	return aisdkapi.Usage{
		InputTokens: aisdkapi.InputTokens{Total: new(0), NoCache: new(0), CacheRead: new(0),
			CacheWrite: new(0)},
		OutputTokens: aisdkapi.OutputTokens{Total: new(0), Text: new(0), Reasoning: new(0)},
	}
}

// randomUUID returns a new UUID of version 4 (RFC 9562, section 5.4).
func randomUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: the program exits if the system has no randomness
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
