package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

type (
	// ResponseTable is about the members of a response but its candidates.
	ResponseTable = Table[geminiapi.GenerateContentResponse, *geminiapi.GenerateContentResponse]
	// CandidateTable is about the members of a candidate but its content.
	CandidateTable = Table[geminiapi.Candidate, *geminiapi.Candidate]
	// ContentTable is about the members of a content but its parts.
	ContentTable = Table[geminiapi.Content, *geminiapi.Content]
	// CallTable is about the members of a function call.
	CallTable = Table[geminiapi.FunctionCall, *geminiapi.FunctionCall]
	// PartTable is about the members of a part.
	PartTable = Table[geminiapi.Part, *geminiapi.Part]
	// MediaTable is about the media in a part.
	MediaTable = Table[geminiapi.Blob, *geminiapi.Blob]
	// UsageTable is about token counts.
	UsageTable = Table[geminiapi.UsageMetadata, *geminiapi.UsageMetadata]
)

// Rows that the tables of several forms have.
var (
	// ContentRow is for a content, which has a table of its own.
	ContentRow = Member[geminiapi.Candidate]{
		Pointer: "/content",
		Take:    Value(func(c *geminiapi.Candidate) **geminiapi.Content { return &c.Content }),
	}
	// FinishReasonRow is for a form that has a reason for each of Gemini's.
	FinishReasonRow = Member[geminiapi.Candidate]{
		Pointer: "/finishReason",
		Take:    Value(func(c *geminiapi.Candidate) **geminiapi.FinishReason { return &c.FinishReason }),
	}
	// EmptyMessageRow is for a finish message that says nothing.
	EmptyMessageRow = Member[geminiapi.Candidate]{Pointer: "/finishMessage", Take: If(
		func(c *geminiapi.Candidate) bool { return jsonx.Deref(c.FinishMessage) == "" },
		Value(func(c *geminiapi.Candidate) **string { return &c.FinishMessage }),
	)}
	// FirstIndexRow is for a form with one answer.
	FirstIndexRow = Member[geminiapi.Candidate]{Pointer: "/index", Take: If(
		func(c *geminiapi.Candidate) bool { return jsonx.Deref(c.Index) == 0 },
		Value(func(c *geminiapi.Candidate) **int { return &c.Index }),
	)}
	// CallRow is for a call, which has a table of its own.
	CallRow = Member[geminiapi.Part]{
		Pointer: "/functionCall",
		Take:    Value(func(p *geminiapi.Part) **geminiapi.FunctionCall { return &p.FunctionCall }),
	}
	// NoThoughtRow is for a part that says that it is no thought.
	NoThoughtRow = Member[geminiapi.Part]{Pointer: "/thought", Take: If(
		func(p *geminiapi.Part) bool { return !jsonx.Deref(p.Thought) },
		Value(func(p *geminiapi.Part) **bool { return &p.Thought }),
	)}
)

// NewContentTable returns the table of every form: the parts are reported one by one, and the role
// is that of the model.
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

// NewCallTable returns the table of every form: a call has a name, an id and the object of its
// arguments.
func NewCallTable(detail string) *CallTable {
	args := func(c *geminiapi.FunctionCall) bool { c.Args = nil; return true }
	isOf := func(kind jsontext.Kind) func(*geminiapi.FunctionCall) bool {
		return func(c *geminiapi.FunctionCall) bool { return c.Args.Kind() == kind }
	}
	return &CallTable{Detail: detail, Members: []Member[geminiapi.FunctionCall]{
		{Pointer: "/args", Take: If(isOf(jsontext.KindNull), args)},
		{Pointer: "/args", Take: If(isOf(jsontext.KindBeginObject), args)},
		// Also an empty list is lost, as the call has an object.
		{Pointer: "/args", Take: If(isOf(jsontext.KindBeginArray), args), Kind: report.Lost,
			Detail: detail},
		{Pointer: "/name",
			Take: Value(func(c *geminiapi.FunctionCall) **string { return &c.Name })},
		{Pointer: "/id", Take: Value(func(c *geminiapi.FunctionCall) **string { return &c.ID })},
	}}
}

// NewCallPartTable returns the table of every form whose calls carry their signatures, or report
// them.
func NewCallPartTable(detail string) *PartTable {
	return &PartTable{Detail: detail, Members: []Member[geminiapi.Part]{
		CallRow,
		{Pointer: "/thoughtSignature",
			Take: Value(func(p *geminiapi.Part) **string { return &p.ThoughtSignature })},
		NoThoughtRow,
	}}
}

// UsagePointer is where the counts of tokens stand in a response.
const UsagePointer = "/usageMetadata"

// NewUsageTable returns the table of every form: an answer has the counts, and the form says what
// becomes of other members.
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

// NewResponseTable returns the table of every form: the counts have a table of their own, and the
// feedback is reported leaf by leaf. The form says what becomes of other members.
func NewResponseTable(detail string,
	others ...Member[geminiapi.GenerateContentResponse]) *ResponseTable {
	return &ResponseTable{Detail: detail,
		Members: append([]Member[geminiapi.GenerateContentResponse]{
			{Pointer: "/promptFeedback", Take: WithoutEmptyReason},
			{Pointer: UsagePointer,
				Take: Value(func(r *geminiapi.GenerateContentResponse) **geminiapi.UsageMetadata { return &r.UsageMetadata })},
		}, others...)}
}

// WithoutEmptyReason takes an empty block reason, and an empty message, off the feedback of a
// response: they say nothing that could be lost. It is a function Take.
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

// ShowsRefusal reports whether an answer that is a refusal shows a leaf of a response: why the
// prompt was refused.
func ShowsRefusal(path []string, _ string) bool {
	return len(path) == 2 && path[0] == "promptFeedback" &&
		(path[1] == "blockReason" || path[1] == "blockReasonMessage")
}

// FeedbackShown returns what an answer shows of a response, which is a refusal or not.
func FeedbackShown(isRefusal bool) report.Shown {
	if isRefusal {
		return ShowsRefusal
	}
	return report.Nothing
}
