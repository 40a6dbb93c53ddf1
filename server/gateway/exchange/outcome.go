package exchange

import (
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Attempt is one call of Gemini that has ended.
type Attempt struct {
	// Number counts from 1 over all models and accounts of the exchange.
	Number int
	// Account is the name of the quota that the call counted against, such as a project's; Model
	// the model that was called.
	Account, Model string
	// Started is when the call began, and Duration how long it took to its end, or to the first
	// chunk of a stream that went on.
	Started  time.Time
	Duration time.Duration
	// Status is that of the reply, 0 for none.
	Status int
	// Err says what went wrong without a credential or an address, "" for nothing.
	Err string
	// Wait is how long the server asked to wait before the next try, 0 where it did not.
	Wait time.Duration
	// IsUnreached is whether there was no connection to the server, as it is away, or its name is
	// nobody's: the request has not been sent, and is not at fault.
	IsUnreached bool
}

// IsAnswered reports whether the model has answered: the reply has a status of success, and nothing
// went wrong.
func (a *Attempt) IsAnswered() bool { return a.Err == "" && a.Status >= 200 && a.Status < 300 }

// Signature is what became of one thought signature.
type Signature struct {
	// Side is Upstream for a signature that came from Gemini, Client for one that came back.
	Side Side
	// Pointer is its place in Gemini's JSON: that of the answer, or of the request that was sent.
	Pointer string
	// Carrier is how it travels.
	Carrier Carrier
	// Size is the number of its bytes as they stand in the JSON.
	Size int
}

// Carrier is how a thought signature travels through a client.
type Carrier string

// The carriers of signatures.
const (
	// CarrierExtension is extra_content.google.thought_signature.
	CarrierExtension Carrier = "extension"
	// CarrierThought is a thinking block of Messages, or a reasoning item of Responses, before what
	// is signed.
	CarrierThought Carrier = "thought"
	// CarrierID is the id of the tool call.
	CarrierID Carrier = "id"
	// CarrierMemory is the gateway's own bounded memory, of which the id has the name.
	CarrierMemory Carrier = "memory"
	// CarrierSentinel is Google's documented stand-in for a signature that did not come back.
	CarrierSentinel Carrier = "sentinel"
	// CarrierNative is the native route, on which nothing is converted.
	CarrierNative Carrier = "native"
	// CarrierNone is a signature that the form has no place for.
	CarrierNone Carrier = "none"
)

// End is how an exchange ended.
type End struct {
	// Status is that of the client's response; 499 when the client had left before there was one.
	Status int
	// Model is the name that the client asked for, "" for none.
	Model string
	// AskedModel is the model that the upstream was asked for last, "" for none. UpstreamModel is
	// the one that answered, as the answer's modelVersion says; where there was no answer, or it
	// does not say, it is AskedModel.
	AskedModel, UpstreamModel string
	// ModelWarnings say what an operator should know of AskedModel: that another model answered, as
	// in "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08", that it is
	// deprecated, or that it ends within 30 days.
	ModelWarnings []string
	// Service is the upstream that answered: "gemini", "vertex", "vertex-express" or "embedded", ""
	// where none did.
	Service string
	// Stream is whether the client asked for a stream.
	Stream bool
	// Duration is from Start.At to the end. FirstToken is from there to the first content of a
	// stream, 0 for none.
	Duration, FirstToken time.Duration
	// Usage counts the tokens. It is an estimate, by the length of what was sent, when
	// UsageEstimated is true.
	Usage          normalize.Usage
	UsageEstimated bool
	// Cost is what the tokens cost by the rate card, nil for a model without a price.
	Cost *ratecard.Cost
	// FinishReason is that of the first candidate, "" for none.
	FinishReason normalize.FinishReason
	// Lost, Approximated and Added count what both conversions report. Of the answer of a stream
	// the latter two are counted where a recorder wants bodies, or the client a list: it would cost
	// memory for each chunk.
	Lost, Approximated, Added int
	// ErrorType, ErrorCode and ErrorMessage are those of the error that the client was told, "" for
	// none. An error within a stream has them under a Status of 200.
	ErrorType, ErrorCode, ErrorMessage string
	// Canceled is whether the client left before its response was complete.
	Canceled bool
	// BytesIn and BytesOut are the sizes of the client's bodies.
	BytesIn, BytesOut int64
}
