package merge

import "github.com/gemwire/gemwire/gen/geminiapi"

// Response is what the chunks of a stream say of the response besides its candidates. The zero value is
// one of which nothing was said; one of which something was must not be copied.
type Response struct {
	// Log is the report, about the candidates too.
	Log Log
	// Wire is what the chunks say together.
	Wire geminiapi.GenerateContentResponse

	usage      usageRecords
	provenance provenance
}

// Add adds all that a chunk says but the candidates and the usage, and reports what that replaces. Nothing
// is reported of what has no location.
func (r *Response) Add(chunk *geminiapi.GenerateContentResponse, at Location) {
	r.provenance.log, r.provenance.at = &r.Log, at
	p, out := &r.provenance, &r.Wire
	keepText(p, "/responseId", &out.ResponseID, chunk.ResponseID)
	keepText(p, "/modelVersion", &out.ModelVersion, chunk.ModelVersion)
	keepText(p, "/createTime", &out.CreateTime, chunk.CreateTime)
	override(p, "/modelStatus", &out.ModelStatus, chunk.ModelStatus)
	out.PromptFeedback = mergeFeedback(p, out.PromptFeedback, chunk.PromptFeedback)
	mergeUnknown(p, "", &out.Unknown, chunk.Unknown)
}

func mergeFeedback(p *provenance, old, later *geminiapi.PromptFeedback) *geminiapi.PromptFeedback {
	if later == nil {
		return old
	}
	out := *either(old, later)
	override(p, "/promptFeedback/blockReason", &out.BlockReason, later.BlockReason)
	override(p, "/promptFeedback/blockReasonMessage", &out.BlockReasonMessage, later.BlockReasonMessage)
	overrideList(p, "/promptFeedback/safetyRatings", &out.SafetyRatings, later.SafetyRatings)
	mergeUnknown(p, "/promptFeedback", &out.Unknown, later.Unknown)
	return &out
}

// AddUsage adds what a chunk has about the usage. It is a step of its own, as a chunk that cannot be
// understood does not change the usage.
func (r *Response) AddUsage(wire *geminiapi.UsageMetadata, at Location) {
	r.usage.add(&r.Log, at, wire)
	r.Wire.UsageMetadata = mergeUsage(r.Wire.UsageMetadata, wire)
}

// UsageRecords returns what the chunks said of the usage, but for the records of which nothing is left in
// the usage so far.
func (r *Response) UsageRecords() []UsageRecord { return r.usage.list }

// UsageEmitted notes that an event says all that is in the usage so far.
func (r *Response) UsageEmitted() { r.usage.emitted() }
