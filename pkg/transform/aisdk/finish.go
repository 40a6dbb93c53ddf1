package aisdk

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// candidateEnd keeps why the candidate ended until the finish.
func (s *Stream) candidateEnd(e *normalize.Event) {
	s.reason, s.native = e.FinishReason, e.NativeFinishReason
	s.keep(e)
}

// done ends a stream that completed. If all calls have results, the client has nothing to run.
func (s *Stream) done(e *normalize.Event) {
	reason := s.reason
	if reason == normalize.FinishToolUse && s.unanswered == 0 {
		reason = normalize.FinishStop
	}
	s.finish(e.Usage, aisdkapi.FinishReason{
		Unified: cmp.Or(unifiedReasons[reason], aisdkapi.UnifiedFinishReasonOther),
		Raw:     string(s.native),
	}, nil)
}

// unifiedReasons maps finish reasons to the SDK's. Reasons that the SDK's own provider knows have
// its value. Newer reasons, which it calls other, have values of their own.
var unifiedReasons = map[normalize.FinishReason]aisdkapi.UnifiedFinishReason{
	normalize.FinishStop:          aisdkapi.UnifiedFinishReasonStop,
	normalize.FinishLength:        aisdkapi.UnifiedFinishReasonLength,
	normalize.FinishToolUse:       aisdkapi.UnifiedFinishReasonToolCalls,
	normalize.FinishContentFilter: aisdkapi.UnifiedFinishReasonContentFilter,
	normalize.FinishError:         aisdkapi.UnifiedFinishReasonError,
	normalize.FinishUnknown:       aisdkapi.UnifiedFinishReasonOther,
}

// fail ends a stream that failed, or whose prompt was refused.
func (s *Stream) fail(e *normalize.Event) {
	if blocked, ok := errors.AsType[*normalize.BlockedError](e.Error); ok {
		s.finish(e.Usage,
			aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonContentFilter,
				Raw: string(blocked.Reason)}, nil)
		return
	}
	s.driver.Err = e.Error
	s.release()
	s.closeBlock()
	failure := errorValue(e.Error)
	s.add(aisdkapi.ErrorPart{Error: failure})
	reason := aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonError,
		Raw: string(s.native)}
	if s.options.v4 && errors.Is(e.Error, wire.ErrTruncated) {
		reason.Unified = aisdkapi.UnifiedFinishReasonInterrupted
	}
	s.finish(e.Usage, reason, failure)
}

// errorValue returns the API's error object, without values that package gemini redacts. For any
// other failure it returns a text.
func errorValue(e *normalize.Error) jsontext.Value {
	cause, ok := errors.AsType[*gemini.Error](e)
	if !ok {
		return aisdkwire.NewErrorPart(e.Message).Error
	}
	return marshal(&errorObject{
		Code: cause.HTTPStatus, Message: cause.Message, Status: cause.Status,
		Details: cause.Details,
	})
}

// errorObject is google.rpc.Status in the form of the API.
type errorObject struct {
	Code    int                     `json:"code,omitzero"`
	Message string                  `json:"message"`
	Status  geminiapi.ErrorStatus   `json:"status,omitzero"`
	Details []geminiapi.ErrorDetail `json:"details,omitzero"`
}

// finish adds the last part. failure is the error in the parts, or nil.
func (s *Stream) finish(usage *normalize.Usage, reason aisdkapi.FinishReason,
	failure jsontext.Value) {
	s.release()
	s.closeBlock()
	s.add(aisdkapi.Finish{Usage: newUsage(usage), FinishReason: reason,
		ProviderMetadata: s.finishMetadata(s.summarise(usage), reason)})
	s.driver.Ended, s.failure = true, failure
}

// newUsage returns the token counts. Counts that the wire does not have are unknown.
func newUsage(u *normalize.Usage) aisdkapi.Usage {
	if u == nil || u.Wire == nil {
		return aisdkapi.Usage{}
	}
	out := aisdkapi.Usage{Raw: marshal(u.Wire)}
	if !merge.HasCounts(u.Wire) {
		return out
	}
	out.InputTokens = aisdkapi.InputTokens{
		Total:     new(u.InputTokens),
		NoCache:   new(max(u.InputTokens-u.CachedTokens, 0)),
		CacheRead: new(u.CachedTokens),
	}
	out.OutputTokens = aisdkapi.OutputTokens{
		Total:     new(u.OutputTokens + u.ThinkingTokens),
		Text:      new(u.OutputTokens),
		Reasoning: new(u.ThinkingTokens),
	}
	return out
}
