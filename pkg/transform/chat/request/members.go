package request

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../../../tools/codecgen members .:openaiapi.CreateChatCompletionRequest,openaiapi.ChatMessage,openaiapi.ContentPart,openaiapi.GoogleExtraContent,openaiapi.ToolChoice,openaiapi.MessageAudio ../../../../gen/geminiapi ../../../../gen/openaiapi

// The functions of this file define which members of a message are used where. They report all
// other members, including members that the description gets later. So nothing of a message is lost
// silently.

const detailNotHere = "Gemini has no member for it here"

// loseMessageMembers reports the members that messages of the role do not have.
func (b *history) loseMessageMembers(m *openaiapi.ChatMessage, at int) {
	visitMembersOfChatMessage(m, func(name string) {
		if !takesMember(m.Role, name) {
			b.Report.Add(report.Lost, b.At(at).Pointer("/"+name), detailNotHere)
		}
	})
	b.loseUnknownIn(b.At(at), "", m.Unknown)
}

// takesMember reports whether messages of a role have a member.
func takesMember(role openaiapi.Role, name string) bool {
	switch name {
	case "role", "content", "extra_content":
		return true
	case "name":
		return role == openaiapi.RoleTool || role == openaiapi.RoleFunction
	case "tool_call_id":
		return role == openaiapi.RoleTool
	case "annotations", "audio", "function_call", "images", "reasoning", "reasoning_content",
		"reasoning_details", "refusal", "tool_calls":
		return role == openaiapi.RoleAssistant
	default:
		return false
	}
}

// losePartMembers reports the members that parts of the type do not have. The payload of a part is
// the member with the name of the type.
func (b *history) losePartMembers(p *openaiapi.ContentPart, kind openaiapi.ContentPartType,
	at conversation.Location) {
	if p.Type == "" {
		b.GuessType(at, string(kind))
	}
	visitMembersOfContentPart(p, func(name string) {
		if name != "type" && name != "extra_content" && name != string(kind) &&
			!isPosition(p, name, at) {
			b.Report.Add(report.Lost, at.Pointer("/"+name), detailNotHere)
		}
	})
	if p.Unknown != nil {
		b.LoseUnknown(at.Pointer(""), p.Unknown, documentMembers(p, kind)...)
	}
}

// isPosition reports whether a member is the index of an image and equals the image's position.
func isPosition(p *openaiapi.ContentPart, member string, at conversation.Location) bool {
	return member == "index" && at.List == "images" && *p.Index == at.Item
}

// extensionHolder is a set of objects that hold Google's members.
type extensionHolder uint8

const (
	inMessage   extensionHolder = 1 << iota // of the user or the system
	inAnswer                                // a message of the model
	inResult                                // a message of a tool
	inTextPart                              // a part of the content
	inMediaPart                             // a media part of the content
	inCall                                  // a tool call
)

// usedIn returns the holders in which a member of Google's is used. The other members only describe
// an answer: clients send them back, but a request does not repeat them.
func usedIn(name string) extensionHolder {
	switch name {
	case "thought", "thought_signature":
		return inAnswer | inTextPart | inMediaPart | inCall
	case "mime_type":
		return inAnswer | inMediaPart
	case "part_metadata":
		return inTextPart | inMediaPart | inCall
	case "video_metadata", "media_resolution":
		return inMediaPart
	case "checksum":
		return inAnswer
	case "parts":
		return inAnswer | inResult
	default:
		return 0
	}
}

// extension returns Google's members of an extension, or nil. It reports the members that are not
// used in the holder. Google's endpoint on Vertex AI has been seen to call them vertex.
func (b *history) extension(extra *openaiapi.ExtraContent, at conversation.Location,
	where extensionHolder) *openaiapi.GoogleExtraContent {
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
		b.Report.Add(report.Approximated, at.Pointer("/extra_content/vertex"),
			"it differs from google, which is used")
	}
	b.loseGoogle(google, at, name, where)
	return google
}

func (b *history) loseGoogle(google *openaiapi.GoogleExtraContent, at conversation.Location,
	name string, where extensionHolder) {
	visitMembersOfGoogleExtraContent(google, func(member string) {
		switch used := usedIn(member); {
		case used&where != 0:
		case used == 0:
			b.Report.Add(report.Approximated, at.Pointer(name+"/"+member),
				"omitted, because it describes an answer, and requests do not repeat it")
		default:
			b.Report.Add(report.Lost, at.Pointer(name+"/"+member), detailNotHere)
		}
	})
	b.loseUnknownIn(at, name, google.Unknown)
}

// sameExtension reports whether both forms of an extension are equal. It is called only for the
// rare message that has both.
func sameExtension(a, b *openaiapi.GoogleExtraContent) bool {
	dataA, errA := json.Marshal(a, jsonx.Canonical)
	dataB, errB := json.Marshal(b, jsonx.Canonical)
	return errA == nil && errB == nil && bytes.Equal(dataA, dataB)
}

// loseUnknownIn reports the unknown members of a member; "" is the value at the location itself.
// Without unknown members, which is the usual case, it makes no pointer.
func (b *history) loseUnknownIn(at conversation.Location, member string, unknown jsontext.Value) {
	if unknown != nil {
		b.LoseUnknown(at.Pointer(member), unknown)
	}
}
