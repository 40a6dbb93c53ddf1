package aisdk

import (
	"crypto/rand"
	"fmt"

	"github.com/gemwire/gemwire/pkg/transform"
)

// AgentOption changes how agent NDJSON is read and mapped.
type AgentOption func(*agentOptions)

// agentOptions has the choices of all options. Its zero value is the default.
type agentOptions struct {
	textID      func() string
	finishUsage *Usage
	responseID  string
	objectLimit int
	report      *transform.Report
}

func newAgentOptions(opts []AgentOption) agentOptions {
	o := &agentOptions{}
	for _, opt := range opts {
		opt(o)
	}
	return *o
}

// WithTextIDs sets the function that makes the id of each text block. By default, and where it
// returns "", the id is a random UUID.
func WithTextIDs(id func() string) AgentOption {
	return func(o *agentOptions) { o.textID = id }
}

// WithFinishUsage sets the usage of every finish. The events tell no token counts; by default all of
// them are 0, which is what readers of these streams are used to, and WithFinishUsage(Usage{}) makes
// them unknown.
func WithFinishUsage(usage Usage) AgentOption {
	return func(o *agentOptions) { o.finishUsage = &usage }
}

// WithResponseID begins each turn of an [AgentStream] with a [ResponseMetadata] that has this id,
// such as the id of the session. By default there is none.
func WithResponseID(id string) AgentOption {
	return func(o *agentOptions) { o.responseID = id }
}

// WithObjectLimit sets how large an object of the input may be, in bytes. By default, and when it is
// 0, that is [DefaultObjectLimit].
func WithObjectLimit(bytes int) AgentOption {
	return func(o *agentOptions) { o.objectLimit = bytes }
}

// WithReport has [MapNDJSON] and [AgentStream.Parts] append to report what is not in the parts, as
// they meet it. A pointer begins with the index of the object in the input, and a detail with its
// byte offset; text that is in no object stands at "/-". Data for the session and for the relay,
// which [Result] has and a stream of parts has not, is listed too. The report may be read when the
// iteration has ended. By default there is no report.
func WithReport(report *transform.Report) AgentOption {
	return func(o *agentOptions) { o.report = report }
}

func (o *agentOptions) newTextID() string {
	if o.textID != nil {
		if id := o.textID(); id != "" {
			return id
		}
	}
	return randomUUID()
}

func (o *agentOptions) usage() Usage {
	if o.finishUsage != nil {
		return *o.finishUsage
	}
	return Usage{
		InputTokens:  InputTokens{Total: new(0), NoCache: new(0), CacheRead: new(0), CacheWrite: new(0)},
		OutputTokens: OutputTokens{Total: new(0), Text: new(0), Reasoning: new(0)},
	}
}

// randomUUID returns a new UUID of version 4 (RFC 9562, section 5.4).
func randomUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program if the system has no randomness
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
