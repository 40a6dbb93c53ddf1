package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json/jsontext"
)

type (
	// ResponseTable covers the members of a response except its candidates.
	ResponseTable = Table[geminiapi.GenerateContentResponse, *geminiapi.GenerateContentResponse]
	// CandidateTable covers the members of a candidate except its content.
	CandidateTable = Table[geminiapi.Candidate, *geminiapi.Candidate]
	// ContentTable covers the members of a content except its parts.
	ContentTable = Table[geminiapi.Content, *geminiapi.Content]
	// CallTable covers the members of a function call.
	CallTable = Table[geminiapi.FunctionCall, *geminiapi.FunctionCall]
	// PartTable covers the members of a part.
	PartTable = Table[geminiapi.Part, *geminiapi.Part]
	// MediaTable covers the media of a part.
	MediaTable = Table[geminiapi.Blob, *geminiapi.Blob]
	// UsageTable covers token counts.
	UsageTable = Table[geminiapi.UsageMetadata, *geminiapi.UsageMetadata]
)

// These are rows that the tables of several forms have.
var (
	// ContentRow is for a content, which has its own table.
	ContentRow = Member[geminiapi.Candidate]{
		Pointer: "/content",
		Take:    Value(func(c *geminiapi.Candidate) **geminiapi.Content { return &c.Content }),
	}
	// FinishReasonRow is for a form that has a counterpart for each of Gemini's reasons.
	FinishReasonRow = Member[geminiapi.Candidate]{
		Pointer: "/finishReason",
		Take:    Value(func(c *geminiapi.Candidate) **geminiapi.FinishReason { return &c.FinishReason }),
	}
	// EmptyMessageRow is for an empty finish message.
	EmptyMessageRow = Member[geminiapi.Candidate]{Pointer: "/finishMessage", Take: If(
		func(c *geminiapi.Candidate) bool { return jsonx.Deref(c.FinishMessage) == "" },
		Value(func(c *geminiapi.Candidate) **string { return &c.FinishMessage }),
	)}
	// FirstIndexRow is for a form with a single answer.
	FirstIndexRow = Member[geminiapi.Candidate]{Pointer: "/index", Take: If(
		func(c *geminiapi.Candidate) bool { return jsonx.Deref(c.Index) == 0 },
		Value(func(c *geminiapi.Candidate) **int { return &c.Index }),
	)}
	// CallRow is for a call, which has its own table.
	CallRow = Member[geminiapi.Part]{
		Pointer: "/functionCall",
		Take:    Value(func(p *geminiapi.Part) **geminiapi.FunctionCall { return &p.FunctionCall }),
	}
	// NoThoughtRow is for a part that says that it is not a thought.
	NoThoughtRow = Member[geminiapi.Part]{Pointer: "/thought", Take: If(
		func(p *geminiapi.Part) bool { return !jsonx.Deref(p.Thought) },
		Value(func(p *geminiapi.Part) **bool { return &p.Thought }),
	)}
)

// NewContentTable returns the table that every form uses: the parts are reported one by one, and
// the role is the model's.
func NewContentTable(detail string) *ContentTable {
	return &ContentTable{Detail: detail, Members: []Member[geminiapi.Content]{
		{Pointer: "/parts",
			Take: List(func(c *geminiapi.Content) *[]geminiapi.Part { return &c.Parts })},
		{Pointer: "/role", Take: If(
			func(c *geminiapi.Content) bool { role := jsonx.Deref(c.Role); return role == "" || role == "model" },
			Value(func(c *geminiapi.Content) **string { return &c.Role }),
		)},
	}}
}

// NewCallTable returns the table that every form uses: a call has a name, an id and an object of
// arguments.
func NewCallTable(detail string) *CallTable {
	args := func(c *geminiapi.FunctionCall) bool { c.Args = nil; return true }
	isOf := func(kind jsontext.Kind) func(*geminiapi.FunctionCall) bool {
		return func(c *geminiapi.FunctionCall) bool { return c.Args.Kind() == kind }
	}
	return &CallTable{Detail: detail, Members: []Member[geminiapi.FunctionCall]{
		{Pointer: "/args", Take: If(isOf(jsontext.KindNull), args)},
		{Pointer: "/args", Take: If(isOf(jsontext.KindBeginObject), args)},
		// An empty list is lost too, because the call has an object.
		{Pointer: "/args", Take: If(isOf(jsontext.KindBeginArray), args), Kind: report.Lost,
			Detail: detail},
		{Pointer: "/name",
			Take: Value(func(c *geminiapi.FunctionCall) **string { return &c.Name })},
		{Pointer: "/id", Take: Value(func(c *geminiapi.FunctionCall) **string { return &c.ID })},
	}}
}

// NewCallPartTable returns the table of every form whose calls carry their signatures or report
// them.
func NewCallPartTable(detail string) *PartTable {
	return &PartTable{Detail: detail, Members: []Member[geminiapi.Part]{
		CallRow,
		{Pointer: "/thoughtSignature",
			Take: Value(func(p *geminiapi.Part) **string { return &p.ThoughtSignature })},
		NoThoughtRow,
	}}
}

// UsagePointer is the pointer of the token counts in a response.
const UsagePointer = "/usageMetadata"

// NewUsageTable returns the table for usage that every form uses. Its rows show the counts of an
// answer. others are the form's rows for the remaining members.
func NewUsageTable(detail string, others ...Member[geminiapi.UsageMetadata]) *UsageTable {
	counted := func(member string,
		of func(*geminiapi.UsageMetadata) **int) Member[geminiapi.UsageMetadata] {
		return Member[geminiapi.UsageMetadata]{Pointer: UsagePointer + member, Take: Value(of)}
	}
	return &UsageTable{Detail: detail, Root: UsagePointer, Members: append(others,
		counted("/promptTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.PromptTokenCount }),
		counted("/candidatesTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.CandidatesTokenCount }),
		counted("/thoughtsTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.ThoughtsTokenCount }),
		counted("/toolUsePromptTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.ToolUsePromptTokenCount }),
		counted("/cachedContentTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.CachedContentTokenCount }),
		counted("/totalTokenCount",
			func(u *geminiapi.UsageMetadata) **int { return &u.TotalTokenCount }),
	)}
}

// NewResponseTable returns the table that every form uses: the counts have their own table, and
// each value of the feedback is reported. others are the form's rows for the remaining members.
func NewResponseTable(detail string,
	others ...Member[geminiapi.GenerateContentResponse]) *ResponseTable {
	return &ResponseTable{Detail: detail,
		Members: append([]Member[geminiapi.GenerateContentResponse]{
			{Pointer: "/promptFeedback", Take: WithoutEmptyReason},
			{Pointer: UsagePointer,
				Take: Value(func(r *geminiapi.GenerateContentResponse) **geminiapi.UsageMetadata { return &r.UsageMetadata })},
		}, others...)}
}

// WithoutEmptyReason removes an empty block reason and an empty message from the feedback of a
// response, because nothing can be lost with them. It is a Take function.
func WithoutEmptyReason(r *geminiapi.GenerateContentResponse) bool {
	if r.PromptFeedback == nil {
		return false
	}
	feedback := *r.PromptFeedback
	feedback.BlockReason = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReason))
	feedback.BlockReasonMessage = jsonx.NonEmpty(jsonx.Deref(feedback.BlockReasonMessage))
	r.PromptFeedback = &feedback
	return false
}

// ShowsRefusal reports whether an answer that is a refusal shows a value of a response: the reason
// of the refusal.
func ShowsRefusal(path []string, _ string) bool {
	return len(path) == 2 && path[0] == "promptFeedback" &&
		(path[1] == "blockReason" || path[1] == "blockReasonMessage")
}

// FeedbackShown returns what an answer shows of a response. isRefusal reports whether it is a
// refusal.
func FeedbackShown(isRefusal bool) unshown.Shown {
	if isRefusal {
		return ShowsRefusal
	}
	return unshown.Nothing
}
