package request

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
)

// The tables of this file say which members of a message are used where. All others are reported, so
// that nothing of a message is lost silently.

const detailNotHere = "Gemini has no place for it here"

// messageMembers are the members of a message that only some roles have. The role, and the content,
// belong to all.
var messageMembers = [...]struct {
	name    string
	present func(*openaiapi.ChatMessage) bool
	roles   []openaiapi.Role
}{
	{"name", func(m *openaiapi.ChatMessage) bool { return m.Name != nil }, roleResults},
	{"annotations", func(m *openaiapi.ChatMessage) bool { return len(m.Annotations) > 0 }, roleAssistant},
	{"audio", func(m *openaiapi.ChatMessage) bool { return m.Audio != nil }, roleAssistant},
	{"function_call", func(m *openaiapi.ChatMessage) bool { return m.FunctionCall != nil }, roleAssistant},
	{"images", func(m *openaiapi.ChatMessage) bool { return len(m.Images) > 0 }, roleAssistant},
	{"reasoning_content", func(m *openaiapi.ChatMessage) bool { return m.ReasoningContent != nil }, roleAssistant},
	{"refusal", func(m *openaiapi.ChatMessage) bool { return m.Refusal != nil }, roleAssistant},
	{"tool_call_id", func(m *openaiapi.ChatMessage) bool { return m.ToolCallID != nil }, roleTool},
	{"tool_calls", func(m *openaiapi.ChatMessage) bool { return len(m.ToolCalls) > 0 }, roleAssistant},
}

// The roles that have a member. They are never written to.
var (
	roleAssistant = []openaiapi.Role{openaiapi.RoleAssistant}
	roleTool      = []openaiapi.Role{openaiapi.RoleTool}
	roleResults   = []openaiapi.Role{openaiapi.RoleTool, openaiapi.RoleFunction}
)

// loseMessageMembers reports the members of a message that its role does not have.
func (b *conversation) loseMessageMembers(m *openaiapi.ChatMessage, at int) {
	for i := range messageMembers {
		if member := &messageMembers[i]; member.present(m) && !slices.Contains(member.roles, m.Role) {
			b.report.Add(transform.Lost, location{message: at}.pointer("/"+member.name), detailNotHere)
		}
	}
	b.loseUnknownIn(location{message: at}, "", m.Unknown)
}

// partMembers are the members of a content part besides its type. A payload belongs to the type of its
// own name. The extension belongs to all.
var partMembers = [...]struct {
	name    string
	present func(*openaiapi.ContentPart) bool
	payload bool
}{
	{"text", func(p *openaiapi.ContentPart) bool { return p.Text != nil }, true},
	{"image_url", func(p *openaiapi.ContentPart) bool { return p.ImageURL != nil }, true},
	{"input_audio", func(p *openaiapi.ContentPart) bool { return p.InputAudio != nil }, true},
	{"file", func(p *openaiapi.ContentPart) bool { return p.File != nil }, true},
	{"refusal", func(p *openaiapi.ContentPart) bool { return p.Refusal != nil }, true},
	{"video_url", func(p *openaiapi.ContentPart) bool { return p.VideoURL != nil }, true},
	{"prompt_cache_breakpoint", func(p *openaiapi.ContentPart) bool { return p.PromptCacheBreakpoint != nil }, false},
	{"index", func(p *openaiapi.ContentPart) bool { return p.Index != nil }, false},
}

// losePartMembers reports the members of a part that its type does not have.
func (b *conversation) losePartMembers(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, at location) {
	for i := range partMembers {
		member := &partMembers[i]
		if member.present(p) && member.name != string(kind) && !isPosition(p, member.name, at) {
			b.report.Add(transform.Lost, at.pointer("/"+member.name), detailNotHere)
		}
	}
	b.loseUnknownIn(at, "", p.Unknown)
}

// isPosition reports whether a member is the index of an image, and the image is at that index.
func isPosition(p *openaiapi.ContentPart, member string, at location) bool {
	return member == "index" && at.list == "images" && *p.Index == at.item
}

// extensionHolder is a set of the objects that hold Google's members.
type extensionHolder uint8

const (
	inMessage   extensionHolder = 1 << iota // of the user or of the system
	inAnswer                                // a message of the model
	inResult                                // a message of a tool
	inTextPart                              // a part of the content
	inMediaPart                             // a part of the content, too
	inCall                                  // a tool call
)

// googleMembers are Google's members, with the holders in which they are used. Echoes only describe an
// answer: they come back with it, but no request repeats them.
var googleMembers = [...]struct {
	name    string
	present func(*openaiapi.GoogleExtraContent) bool
	used    extensionHolder
	echo    bool
}{
	{"thought", func(g *openaiapi.GoogleExtraContent) bool { return g.Thought != nil }, inAnswer | inTextPart | inMediaPart | inCall, false},
	{"thought_signature", func(g *openaiapi.GoogleExtraContent) bool { return g.ThoughtSignature != nil }, inAnswer | inTextPart | inMediaPart | inCall, false},
	{"mime_type", func(g *openaiapi.GoogleExtraContent) bool { return g.MIMEType != nil }, inAnswer | inMediaPart, false},
	{"part_metadata", func(g *openaiapi.GoogleExtraContent) bool { return isPresent(g.PartMetadata) }, inTextPart | inMediaPart | inCall, false},
	{"video_metadata", func(g *openaiapi.GoogleExtraContent) bool { return g.VideoMetadata != nil }, inMediaPart, false},
	{"media_resolution", func(g *openaiapi.GoogleExtraContent) bool { return g.MediaResolution != nil }, inMediaPart, false},
	{"parts", func(g *openaiapi.GoogleExtraContent) bool { return g.Parts != nil }, inAnswer | inResult, false},
	{"finish_message", func(g *openaiapi.GoogleExtraContent) bool { return g.FinishMessage != nil }, 0, true},
	{"prompt_feedback", func(g *openaiapi.GoogleExtraContent) bool { return g.PromptFeedback != nil }, 0, true},
	{"safety_ratings", func(g *openaiapi.GoogleExtraContent) bool { return len(g.SafetyRatings) > 0 }, 0, true},
	{"grounding_metadata", func(g *openaiapi.GoogleExtraContent) bool { return g.GroundingMetadata != nil }, 0, true},
	{"citation_metadata", func(g *openaiapi.GoogleExtraContent) bool { return g.CitationMetadata != nil }, 0, true},
	{"url_context_metadata", func(g *openaiapi.GoogleExtraContent) bool { return g.URLContextMetadata != nil }, 0, true},
	{"avg_logprobs", func(g *openaiapi.GoogleExtraContent) bool { return g.AvgLogprobs != nil }, 0, true},
	{"logprobs_result", func(g *openaiapi.GoogleExtraContent) bool { return g.LogprobsResult != nil }, 0, true},
	{"candidate", func(g *openaiapi.GoogleExtraContent) bool { return g.Candidate != nil }, 0, true},
	{"usage_metadata", func(g *openaiapi.GoogleExtraContent) bool { return g.UsageMetadata != nil }, 0, true},
	{"model_status", func(g *openaiapi.GoogleExtraContent) bool { return g.ModelStatus != nil }, 0, true},
	{"create_time", func(g *openaiapi.GoogleExtraContent) bool { return g.CreateTime != nil }, 0, true},
	{"response", func(g *openaiapi.GoogleExtraContent) bool { return g.Response != nil }, 0, true},
}

// extension returns Google's members of an extension, nil when there are none, and reports those that are
// not used there. Google's endpoint on Vertex AI has been seen to call them vertex.
func (b *conversation) extension(extra *openaiapi.ExtraContent, at location, where extensionHolder) *openaiapi.GoogleExtraContent {
	if extra == nil {
		return nil
	}
	b.loseUnknownIn(at, "/extra_content", extra.Unknown)
	google, name := extra.Google, "/extra_content/google"
	switch {
	case google == nil && extra.Vertex == nil:
		return nil
	case google == nil:
		google, name = extra.Vertex, "/extra_content/vertex"
	case extra.Vertex != nil && !sameExtension(google, extra.Vertex):
		b.report.Add(transform.Approximated, at.pointer("/extra_content/vertex"), "differs from google, which counts")
	}
	b.loseGoogle(google, at, name, where)
	return google
}

func (b *conversation) loseGoogle(google *openaiapi.GoogleExtraContent, at location, name string, where extensionHolder) {
	for i := range googleMembers {
		member := &googleMembers[i]
		switch {
		case member.used&where != 0 || !member.present(google):
		case member.echo:
			b.report.Add(transform.Approximated, at.pointer(name+"/"+member.name), "tells about an answer; no request repeats it")
		default:
			b.report.Add(transform.Lost, at.pointer(name+"/"+member.name), detailNotHere)
		}
	}
	b.loseUnknownIn(at, name, google.Unknown)
}

// sameExtension reports whether both forms of an extension say the same. It is asked only for the rare
// message that has both.
func sameExtension(a, b *openaiapi.GoogleExtraContent) bool {
	dataA, errA := json.Marshal(a, wirejson.Canonical)
	dataB, errB := json.Marshal(b, wirejson.Canonical)
	return errA == nil && errB == nil && bytes.Equal(dataA, dataB)
}
