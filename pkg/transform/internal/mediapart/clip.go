package mediapart

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// clipMembers maps the names that clients use for the clip and the frame rate of a video, next to
// its address. The description has no names for these. set reports whether the value is valid.
var clipMembers = []struct {
	names []string
	set   func(*geminiapi.VideoMetadata, jsontext.Value) bool
}{
	{[]string{"fps"}, func(m *geminiapi.VideoMetadata, value jsontext.Value) bool {
		return m.Fps == nil && value.Kind() == jsontext.KindNumber &&
			json.Unmarshal(value, &m.Fps) == nil
	}},
	{[]string{"start_offset", "startOffset"},
		func(m *geminiapi.VideoMetadata, value jsontext.Value) bool {
			return m.StartOffset == nil && setOffset(&m.StartOffset, value)
		}},
	{[]string{"end_offset", "endOffset"},
		func(m *geminiapi.VideoMetadata, value jsontext.Value) bool {
			return m.EndOffset == nil && setOffset(&m.EndOffset, value)
		}},
}

// setOffset reads an offset, which is in Gemini's form, such as "12.5s", or a number of seconds.
func setOffset(offset **string, value jsontext.Value) bool {
	text := string(value) + "s"
	if value.Kind() == jsontext.KindString && json.Unmarshal(value, &text) != nil {
		return false
	}
	seconds, ok := strings.CutSuffix(text, "s")
	if !ok || seconds == "" || strings.Trim(seconds, "0123456789.") != "" {
		return false
	}
	*offset = &text
	return true
}

// setUnknown reads the unknown members next to the media. For a video they can set the clip, unless
// the extension of the part does.
func (w *writer) setUnknown() {
	if len(w.Unknown) == 0 {
		return
	}
	detail := "Gemini has no counterpart"
	if w.IsVideo {
		detail += ", or another member sets it"
	}
	clip := jsonx.Deref(w.part.VideoMetadata)
	for name, value := range jsonx.Members(w.Unknown) {
		if value.Kind() == jsontext.KindNull ||
			w.IsVideo && w.hasMedia() && setClipMember(&clip, name, value) {
			continue
		}
		w.report.Add(report.Lost, w.at(jsonx.MemberPointer(w.UnknownMember, name)),
			detail)
	}
	if clip.Fps != nil || clip.StartOffset != nil || clip.EndOffset != nil {
		w.part.VideoMetadata = &clip
	}
}

func setClipMember(clip *geminiapi.VideoMetadata, name string, value jsontext.Value) bool {
	for _, member := range clipMembers {
		if slices.Contains(member.names, name) {
			return member.set(clip, value)
		}
	}
	return false
}
