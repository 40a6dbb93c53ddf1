package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// Response has the members of a response, without its candidates, from the chunks of a stream. The
// zero value is a response without any chunk. A response must not be copied after the first chunk.
type Response struct {
	// Log is the report. It includes the candidates.
	Log Log
	// Wire is the merged response.
	Wire geminiapi.GenerateContentResponse

	usage      usageRecords
	identity   identity
	provenance provenance
}

// Add adds everything in a chunk except for the candidates and the usage, and reports the values
// that it replaces. It does not report values without a location.
func (r *Response) Add(chunk *geminiapi.GenerateContentResponse, at Location) {
	r.provenance.log, r.provenance.at = &r.Log, at
	p, out := &r.provenance, &r.Wire
	keepText(p, memberResponseID, &out.ResponseID, chunk.ResponseID)
	keepText(p, memberModelVersion, &out.ModelVersion, chunk.ModelVersion)
	keepText(p, memberCreateTime, &out.CreateTime, chunk.CreateTime)
	override(p, "/modelStatus", &out.ModelStatus, chunk.ModelStatus)
	override(p, "/turnToken", &out.TurnToken, chunk.TurnToken)
	out.PromptFeedback = mergeFeedback(p, out.PromptFeedback, chunk.PromptFeedback)
	mergeUnknown(p, "", &out.Unknown, chunk.Unknown)
}

func mergeFeedback(p *provenance, old, later *geminiapi.PromptFeedback) *geminiapi.PromptFeedback {
	if later == nil {
		return old
	}
	out := *either(old, later)
	override(p, "/promptFeedback/blockReason", &out.BlockReason, later.BlockReason)
	override(p, "/promptFeedback/blockReasonMessage", &out.BlockReasonMessage,
		later.BlockReasonMessage)
	overrideList(p, "/promptFeedback/safetyRatings", &out.SafetyRatings, later.SafetyRatings)
	mergeUnknown(p, "/promptFeedback", &out.Unknown, later.Unknown)
	return &out
}

// AddUsage adds the usage of a chunk. It is a separate step, because an invalid chunk does not
// change the usage.
func (r *Response) AddUsage(wire *geminiapi.UsageMetadata, at Location) {
	r.usage.add(&r.Log, at, wire)
	r.Wire.UsageMetadata = mergeUsage(r.Wire.UsageMetadata, wire)
}

// AddIdentity stores where a chunk has the members that identify the response.
func (r *Response) AddIdentity(chunk *geminiapi.GenerateContentResponse, at Location) {
	r.identity.add(chunk, at)
}

// AddIndex reports that a candidate has another index than in the JSON.
func (r *Response) AddIndex(wire *geminiapi.Candidate, index int, at Location) {
	if IsIndexMoved(wire, index) {
		r.Log.Add(at, report.Approximated, "/index", DetailIndexMoved, ForAll)
	}
}

// LocationsOf returns the chunks from which the response has its identity or its usage. It returns
// nil for other members, and for members that no chunk has. A member of the usage comes from the
// last chunk that has it.
func (r *Response) LocationsOf(pointer string) []Location {
	switch pointer {
	case memberResponseID:
		return r.identity.id.locations.List()
	case memberModelVersion:
		return r.identity.model.locations.List()
	case memberCreateTime:
		return r.identity.created.locations.List()
	default:
		return r.usage.locationsOf(pointer)
	}
}

// UsageEmitted records that an event has the whole usage so far.
func (r *Response) UsageEmitted() {
	for i := range r.usage.list {
		r.usage.list[i].isInEvent = true
	}
}
