package response

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// shortening is how a turn shortens its conversation. Its zero value does not.
type shortening struct {
	// asked reports that the client asks for the shortened conversation only.
	asked bool
	// rule is the threshold of context_management. It is nil without one.
	rule *openaiapi.ResponseContextRule
	plan *compaction.Plan
	// items are the opened items of the input. They are nil if the input has no compaction item and
	// is not shortened, so that pointers into the input stay as they are.
	items []compaction.Item
	// made has the item with the shortened conversation, once there is one.
	made []openaiapi.ResponseItem
	// dropped are the pointers of the items of which only the summary is left.
	dropped []string
	// hasNoLimit reports that neither the client nor the model says when a conversation is long.
	hasNoLimit bool
}

// open puts the items that compaction items stand for into the input. known is the number of items
// that the client has not sent again. It returns the items.
func (x *Turn) open(all []openaiapi.ResponseItem, known int) ([]openaiapi.ResponseItem, error) {
	x.before = known
	if x.way.Sealer == nil {
		return all, nil
	}
	items, asks, err := compaction.Open(all, known, x.way.Sealer, x.way.Owner)
	if refused, ok := errors.AsType[*compaction.ItemError](err); ok {
		pointer := x.ownPointer("/input/"+strconv.Itoa(refused.Index)) + refused.Member
		return nil, problem.Invalid("invalid_compaction", pointer,
			pointer+": "+refused.Err.Error())
	}
	if err != nil {
		return nil, err
	}
	s := &x.shortening
	s.asked = asks || x.way.Compacts
	if err := x.readRule(); err != nil {
		return nil, err
	}
	if !s.asked && s.rule == nil && len(items) == len(all) && !hasRestored(items) {
		return all, nil
	}
	s.items = items
	if s.asked && len(items) == 0 {
		return nil, problem.Invalid("", "/input",
			"/input: there is no conversation to shorten")
	}
	return plain(items), nil
}

func hasRestored(items []compaction.Item) bool {
	for i := range items {
		if items[i].IsRestored || items[i].From != i {
			return true
		}
	}
	return false
}

func plain(items []compaction.Item) []openaiapi.ResponseItem {
	out := make([]openaiapi.ResponseItem, len(items))
	for i := range items {
		out[i] = items[i].ResponseItem
	}
	return out
}

// kindCompaction is the only kind of context management, and leastThreshold is OpenAI's minimum.
const (
	kindCompaction = "compaction"
	leastThreshold = 1000
)

// readRule reads context_management. The conversion reports rules that remain.
func (x *Turn) readRule() error {
	if !x.way.Shortens {
		return nil
	}
	var others []openaiapi.ResponseContextRule
	for i := range x.in.ContextManagement {
		rule := x.in.ContextManagement[i]
		if rule.Type != kindCompaction || x.shortening.rule != nil {
			others = append(others, rule)
			continue
		}
		if n := rule.CompactThreshold; n != nil && *n < leastThreshold {
			pointer := "/context_management/" + strconv.Itoa(i) + "/compact_threshold"
			return problem.Invalid("invalid_value", pointer, pointer+": must be at least 1000")
		}
		x.shortening.rule = &rule
	}
	x.in.ContextManagement = others
	return nil
}

// begin makes the plan of a turn that may shorten its conversation.
func (s *shortening) begin() {
	if s.asked || s.rule != nil {
		s.plan = compaction.NewPlan(s.items)
	}
	if !s.asked && s.plan != nil && len(s.plan.Dropped) == 0 {
		s.plan = nil
	}
}

// Shortens reports whether the turn may shorten its conversation before the answer.
func (x *Turn) Shortens() bool { return x.shortening.plan != nil }

// AsksForShort reports whether the shortened conversation is all that the client asks for.
func (x *Turn) AsksForShort() bool { return x.shortening.asked }

// Threshold returns the number of input tokens above which the conversation is shortened. It is 0
// if the client leaves that to the server.
func (x *Turn) Threshold() int {
	rule := x.shortening.rule
	if rule == nil || rule.CompactThreshold == nil {
		return 0
	}
	return *rule.CompactThreshold
}

// NoteUnknownLimit reports that the conversation is never shortened, because the input limit of the
// model is unknown.
func (x *Turn) NoteUnknownLimit() { x.shortening.hasNoLimit = true }

// DroppedSize returns the size in bytes, as JSON, of the items that a summary would replace.
func (x *Turn) DroppedSize() int { return x.shortening.plan.DroppedSize() }

// SummaryRequest returns the request for a summary. The model sees the conversation with its
// instructions and functions, so that Google's cache of it is used, but it must answer with text.
// Tools that Google runs are left out, because a summary needs no search and no code.
func (x *Turn) SummaryRequest(to transform.Target) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	asked, ok := x.Request.Body().(*openaiapi.CreateResponseRequest)
	if !ok {
		return nil, nil, fmt.Errorf("response: a summary of %T", x.Request.Body())
	}
	in := *asked
	in.Input = wiretype.ValueOf(append(append([]openaiapi.ResponseItem{}, x.shortening.plan.Read...),
		responses.UserText(x.way.Prompt)))
	in.ToolChoice = wiretype.StringOf[openaiapi.ResponseToolChoice]("none")
	in.Model, in.Stream, in.StreamOptions, in.Background = nil, nil, nil, nil
	in.Store, in.Text, in.MaxOutputTokens, in.Include, in.TopLogprobs = nil, nil, nil, nil, nil
	in.ContextManagement = nil
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.Time)}
	if x.Stores {
		opts = append(opts, request.WithStore())
	}
	if to.ForVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, entries, err := request.ToGemini(&in, opts...)
	entries = x.Place(entries)
	if err != nil {
		return nil, entries, x.Unreadable(err)
	}
	removeHostedTools(out)
	return out, entries, x.RefuseLosses(entries)
}

// removeHostedTools removes the tools that Google runs from a request. The mode NONE does not stop
// them.
func removeHostedTools(in *geminiapi.GenerateContentRequest) {
	var functions []geminiapi.Tool
	for i := range in.Tools {
		if declared := in.Tools[i].FunctionDeclarations; len(declared) > 0 {
			functions = append(functions, geminiapi.Tool{FunctionDeclarations: declared})
		}
	}
	in.Tools = functions
	if config := in.ToolConfig; config != nil {
		config.IncludeServerSideToolInvocations, config.RetrievalConfig = nil, nil
		if config.FunctionCallingConfig == nil || functions == nil {
			in.ToolConfig = nil
		}
	}
}

// Shorten continues with the summary in place of most of the conversation. The answer begins with
// the item that stands for it.
func (x *Turn) Shorten(summary string) error {
	s := &x.shortening
	content := s.plan.Content(summary, !s.asked)
	text, err := x.way.Sealer.Seal(x.way.Owner, content)
	if err != nil {
		return err
	}
	s.made = []openaiapi.ResponseItem{{Type: openaiapi.ResponseItemTypeCompaction,
		EncryptedContent: &text}}
	for _, i := range s.plan.Dropped {
		s.dropped = append(s.dropped, x.ownPointer("/input/"+strconv.Itoa(i)))
	}
	if in, ok := x.Request.Body().(*openaiapi.CreateResponseRequest); ok && !s.asked {
		s.items = s.plan.Shortened(content)
		in.Input = wiretype.ValueOf(plain(s.items))
	}
	s.plan = nil
	return nil
}

// FirstItems returns the item with the shortened conversation, which precedes the answer.
func (x *Turn) FirstItems() []openaiapi.ResponseItem { return x.shortening.made }

// Dropped returns the entries about the items of which only the summary is left.
func (x *Turn) Dropped() (out report.Report) {
	for _, pointer := range x.shortening.dropped {
		out.Add(report.Approximated, pointer,
			"the model has summarised it, because the conversation was shortened")
	}
	return out
}
