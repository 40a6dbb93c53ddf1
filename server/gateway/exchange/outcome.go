package exchange

import (
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Attempt is one Gemini call that has ended.
type Attempt struct {
	// Number counts from 1 over all models and accounts of the exchange.
	Number int
	// Account is the name of the quota that the call counted against, for example a project. Model
	// is the model that was called.
	Account, Model string
	// Started is when the call began. Duration is the time until its end, or until the first chunk
	// of a stream.
	Started  time.Time
	Duration time.Duration
	// Status is the HTTP status of the reply, or 0 for no reply.
	Status int
	// Err is the error, without a credential or a path. It begins with the host and port of the
	// server if the connection failed. It is "" for success.
	Err string
	// Wait is the retry delay that the server asked for, or 0.
	Wait time.Duration
	// IsUnreached reports that no connection to the server was made, because it is down or its name
	// does not resolve. The request was not sent and is not the cause.
	IsUnreached bool
}

// IsAnswered reports whether the model has answered: the reply has a success status and there was
// no error.
func (a *Attempt) IsAnswered() bool { return a.Err == "" && a.Status >= 200 && a.Status < 300 }

// Signature describes one thought signature.
type Signature struct {
	// Side is Upstream for a signature from Gemini, or Client for one that a client sent back.
	Side Side
	// Pointer is its location in Gemini's JSON: in the answer, or in the request that was sent.
	Pointer string
	// Carrier is how it travels.
	Carrier Carrier
	// Size is its length in bytes in the JSON.
	Size int
}

// Carrier is how a thought signature travels through a client.
type Carrier string

// The carriers.
const (
	// CarrierExtension is extra_content.google.thought_signature.
	CarrierExtension Carrier = "extension"
	// CarrierThought is a thinking block of Messages, or a reasoning item of Responses, before the
	// part that it signs.
	CarrierThought Carrier = "thought"
	// CarrierID is the id of the tool call.
	CarrierID Carrier = "id"
	// CarrierMemory is the gateway's own bounded memory. The call id is the key.
	CarrierMemory Carrier = "memory"
	// CarrierSentinel is Google's documented placeholder for a signature that did not come back.
	CarrierSentinel Carrier = "sentinel"
	// CarrierNative is the native route, which converts nothing.
	CarrierNative Carrier = "native"
	// CarrierNone is a signature that the form cannot carry.
	CarrierNone Carrier = "none"
)

// End is how an exchange ended.
type End struct {
	// Status is the status of the client's response. It is 499 if the client disconnected before
	// the response began.
	Status int
	// Model is the name that the client requested, or "" for none.
	Model string
	// AskedModel is the last model that the gateway called, or "" for none. UpstreamModel is the
	// model that answered, from the answer's modelVersion. It equals AskedModel without an answer
	// or without a modelVersion.
	AskedModel, UpstreamModel string
	// ModelWarnings are notices for an operator about AskedModel: that another model answered, as
	// in "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08", that it is
	// deprecated, or that it retires within 30 days.
	ModelWarnings []string
	// Service is the upstream that answered: "gemini", "vertex", "vertex-express" or "embedded". It
	// is "" if no upstream answered.
	Service string
	// UpstreamHost is the host and port of the server to which the connection failed. It is "" if
	// no connection failed, or if another attempt has succeeded.
	UpstreamHost string
	// Stream reports whether the client requested a stream.
	Stream bool
	// Duration is the time from Start.At to the end. FirstToken is the time from Start.At to the
	// first content of a stream, or 0 for none.
	Duration, FirstToken time.Duration
	// Waited is the time for which the request waited for a free slot.
	Waited time.Duration
	// Usage has the token counts. If UsageEstimated is true, they are estimated from the length of
	// what was sent.
	Usage          normalize.Usage
	UsageEstimated bool
	// Cost is the cost of the tokens by the rate card, or nil for a model without a price.
	Cost *ratecard.Cost
	// Unpriced is why the tokens have no cost, or "" if they have one. Tier is the service tier
	// that answered, such as "standard". It is "" if no model answered.
	Unpriced, Tier string
	// FinishReason is the finish reason of the first candidate, or "" for none.
	FinishReason normalize.FinishReason
	// Lost, Approximated and Added count the report entries of both conversions. For a streamed
	// answer, Approximated and Added are counted only if a recorder wants bodies or the client
	// wants the list, because that costs memory for each chunk.
	Lost, Approximated, Added int
	// Compacted is the number of items of the conversation that a summary has replaced.
	Compacted int
	// ErrorType, ErrorCode and ErrorMessage are the error that the client received, or "" for none.
	// If a stream fails, they are set and Status is 200.
	ErrorType, ErrorCode, ErrorMessage string
	// Rest is the pause because of which no account was called, or nil.
	Rest *Rest
	// Broken are the bytes of the upstream's stream that cannot be read as an event, up to
	// [MaxBroken] of them. It is nil if no recorder wants bodies.
	Broken []byte
	// Canceled reports that the client disconnected before its response was complete.
	Canceled bool
	// BytesIn and BytesOut are the sizes of the client's bodies.
	BytesIn, BytesOut int64
}

// MaxBroken is the maximum number of bytes of a broken stream that an [End] has.
const MaxBroken = 64 << 10

// Rest is the pause of an account after an error of the upstream.
type Rest struct {
	// Account is the name of the account, as in an [Attempt].
	Account string
	// Reason is the upstream's error.
	Reason string
	// Until is the end of the pause.
	Until time.Time
	// By is the id of the request that got the error, or "" if it is unknown.
	By string
}
