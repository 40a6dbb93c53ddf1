package gateway

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

// compactionSettings configure how conversations of the Responses API are shortened.
type compactionSettings struct {
	secret []byte // nil for one of this process
	prompt string
	// hasOwnSecret reports that the secret is random.
	hasOwnSecret bool
}

// WithCompactionKey sets the secret with which shortened conversations are sealed, see
// docs/compaction.md. Gateways with the same secret open each other's. By default the secret is
// random, so that a shortened conversation can be used until the process ends. [Handler.Reload]
// keeps a random secret, and the secret before as well.
func WithCompactionKey(secret []byte) Option {
	return func(s *settings) { s.secret = secret }
}

// WithCompactionPrompt sets the text that asks the model for the summary of a conversation. "" is
// the default text.
func WithCompactionPrompt(text string) Option {
	return func(s *settings) {
		if s.prompt = text; strings.TrimSpace(text) == "" {
			s.prompt = compaction.DefaultPrompt()
		}
	}
}

// openSealer makes the sealer of the setup.
func (s *setup) openSealer() (err error) {
	if s.secret == nil {
		s.secret = compaction.RandomSecret()
		s.hasOwnSecret = true
	}
	s.sealer, err = compaction.NewSealer(s.secret)
	if err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	return nil
}

// inheritSealer takes over the random secret of a setup. It opens what another secret has sealed.
func (s *setup) inheritSealer(old *setup) {
	if s.hasOwnSecret {
		s.sealer, s.secret, s.hasOwnSecret = old.sealer, old.secret, old.hasOwnSecret
		return
	}
	s.sealer = s.sealer.WithOthers(old.sealer)
}

// compactForm serves requests for a shortened conversation.
var compactForm = formOf(toresponses.Form(), "compact")

// CompactResponse returns a shortened conversation.
func (s openAIServer) CompactResponse(w http.ResponseWriter, r *http.Request) {
	form := s.forms.Named(toresponses.Form().Name)
	if form == nil {
		s.serveNotFound(w, r)
		return
	}
	s.serve(w, r, &compactForm, func(c *call) *problem.Problem {
		c.compacts = true
		t, _, p := c.readTurn(form, form.Decode)
		if p != nil {
			return p
		}
		return c.generate(t)
	})
}

// shorten shortens the conversation of a turn if its client asks for that, with a summary of the
// model. If the client asks for nothing else, it returns the answer, which has no output of its
// own.
func (a *answering) shorten(ctx context.Context,
	models []string) (*geminiapi.GenerateContentResponse, error) {
	x, ok := a.turn.Extra.(*response.Turn)
	if !ok || !x.Shortens() {
		return nil, nil
	}
	if isLong, err := a.isLong(x, models[0]); err != nil || !isLong {
		return nil, err
	}
	summary, err := a.summarise(ctx, models, x)
	if err != nil {
		return nil, err
	}
	text, err := summaryOf(summary)
	if err == nil {
		err = x.Shorten(text)
	}
	if err != nil || !x.AsksForShort() {
		a.keepEarlier(&a.by, a.tier, summary.UsageMetadata)
		a.settleEarlier()
	}
	if err != nil {
		return nil, err
	}
	dropped := x.Dropped()
	a.end.Compacted = len(dropped)
	if !x.AsksForShort() {
		return nil, nil
	}
	a.report = append(a.report, dropped...)
	return &geminiapi.GenerateContentResponse{
		ResponseID: summary.ResponseID, ModelVersion: summary.ModelVersion,
		UsageMetadata: summary.UsageMetadata,
		Candidates:    []geminiapi.Candidate{{FinishReason: new(geminiapi.FinishReasonStop)}},
	}, nil
}

// usualThreshold is the part of a model's input, in percent, above which a conversation is
// shortened if the client names no threshold.
const usualThreshold = 75

// leastShare is the part of the threshold, as a divisor, that a summary must be able to replace. If
// what is kept is longer than the threshold, each turn would otherwise pay for a summary.
const leastShare = 10

// isLong reports whether the conversation is to be shortened. The tokens are estimated, because a
// count would take the time of another call.
func (a *answering) isLong(x *response.Turn, model string) (bool, error) {
	if x.AsksForShort() {
		return true, nil
	}
	threshold := x.Threshold()
	if threshold == 0 {
		threshold = a.modelAt(model).Limits.Input * usualThreshold / 100
	}
	if threshold == 0 {
		x.NoteUnknownLimit()
		return false, nil
	}
	if x.DroppedSize()/bytesPerToken < threshold/leastShare {
		return false, nil
	}
	request, entries, err := a.turn.ToGemini(a.targetOf(model))
	if err != nil {
		a.report = entries
		return false, err
	}
	if tokenestimate.Of(request) > threshold {
		return true, nil
	}
	a.converted = &converted{model, request, entries}
	return false, nil
}

// converted is a request that was converted for a model before its attempt.
type converted struct {
	model   string
	request *geminiapi.GenerateContentRequest
	report  report.Report
}

// toGemini converts the request for a model. The first attempt uses what was converted to estimate
// the length of the conversation; later ones do not, because an attempt changes its request.
func (a *answering) toGemini(model string) (*geminiapi.GenerateContentRequest, report.Report,
	error) {
	made := a.converted
	a.converted = nil
	if made != nil && made.model == model {
		return made.request, made.report, nil
	}
	return a.turn.ToGemini(a.targetOf(model))
}

// summarise asks the model for a summary.
func (a *answering) summarise(ctx context.Context, models []string,
	x *response.Turn) (summary *geminiapi.GenerateContentResponse, err error) {
	err = a.pool.Run(ctx, a.upstreamCall(models, func(t *upstream.Try) error {
		request, err := a.convertSummary(t, x)
		if err != nil {
			return err
		}
		opts, ended := a.recorders.Captured(false, a.limits(t.Model).options(false))
		opts = a.withHeads(opts)
		summary, err = t.Account.Client.GenerateContent(inbound.Answer(ctx), request, opts...)
		if err == nil {
			a.by.note(summary)
			err = a.unusable(t, summary)
		}
		ended(err)
		return err
	}))
	return summary, err
}

// convertSummary converts the request for a summary for the model of this attempt.
func (a *answering) convertSummary(t *upstream.Try,
	x *response.Turn) (*geminiapi.GenerateContentRequest, error) {
	a.beginAttempt(t)
	request, entries, err := x.SummaryRequest(a.targetOf(t.Model))
	a.report = entries
	if err != nil {
		return nil, err
	}
	request.Model = &t.Model
	a.mayBeEmpty = false
	if t.Unusable != nil {
		turn.AddTextHint(request)
	}
	a.tier = request.ServiceTier
	if p := a.reserve(estimateOf(t.Model, false, request)); p != nil {
		return nil, p
	}
	a.by.begin(t)
	a.end.Service = a.service()
	a.recorders.ReturnedSignatures(request, a.turn.Carrier)
	return request, nil
}

// summaryOf returns the text of a summary. A summary that was refused or cut off is an error,
// because the conversation would be lost with it.
func summaryOf(answer *geminiapi.GenerateContentResponse) (string, error) {
	var text strings.Builder
	reason := "none"
	if blocked := answer.PromptFeedback; blocked != nil && blocked.BlockReason != nil {
		reason = "blocked, " + string(*blocked.BlockReason)
	}
	if len(answer.Candidates) > 0 {
		candidate := &answer.Candidates[0]
		reason = string(jsonx.Deref(candidate.FinishReason))
		if candidate.Content != nil {
			for i := range candidate.Content.Parts {
				part := &candidate.Content.Parts[i]
				if part.Text != nil && !jsonx.Deref(part.Thought) {
					text.WriteString(*part.Text)
				}
			}
		}
	}
	if reason == string(geminiapi.FinishReasonStop) && strings.TrimSpace(text.String()) != "" {
		return strings.TrimSpace(text.String()), nil
	}
	return "", &problem.Problem{Status: http.StatusBadGateway, Type: problem.TypeServer,
		Code: "compaction_failed",
		Message: "the model did not complete the summary of the conversation (finish reason " +
			reason + "); the conversation is unchanged"}
}
