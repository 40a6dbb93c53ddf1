package dialogue

import (
	"strings"
	"unicode/utf8"
)

// maxPreview is the maximum number of characters of a preview.
const maxPreview = 120

// Preview returns the beginning of the last text of the user on one line. Without one it returns
// the beginning of the last text of the request.
func (v *View) Preview() string {
	for _, isUser := range []bool{true, false} {
		for i := len(v.Messages) - 1; i >= 0; i-- {
			if isUser && v.Messages[i].Role != User {
				continue
			}
			if text := lastText(v.Messages[i].Parts); text != "" {
				return beginning(text)
			}
		}
	}
	return ""
}

// lastText returns the last text of parts, or the last result of a function.
func lastText(parts []Part) string {
	for i := len(parts) - 1; i >= 0; i-- {
		if p := &parts[i]; p.Kind == KindText && strings.TrimSpace(p.Text) != "" {
			return p.Text
		} else if p.Kind == KindResult && p.JSON != "" {
			return p.JSON
		}
	}
	return ""
}

// beginning returns the beginning of a text, with single spaces.
func beginning(text string) string {
	// More is not needed, even if half of it is white space.
	text = strings.ToValidUTF8(text[:min(len(text), 32*maxPreview)], "")
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxPreview {
		return text
	}
	return string([]rune(text)[:maxPreview])
}

// Has returns what the exchange has, by the words of the search: image, audio, video, pdf, file,
// tools, calls, thinking, cache and structured.
func (v *View) Has() []string {
	found := map[string]bool{"tools": v.tools, "cache": v.cached, "structured": v.structured,
		"thinking": v.thinks}
	for _, messages := range [][]Message{v.Messages, v.Answer} {
		for i := range messages {
			for j := range messages[i].Parts {
				messages[i].Parts[j].note(found)
			}
		}
	}
	if v.Usage != nil {
		found["thinking"] = found["thinking"] || v.Usage.Thinking > 0
		found["cache"] = found["cache"] || v.Usage.Cached > 0
	}
	out := []string{}
	for _, word := range Words {
		if found[word] {
			out = append(out, word)
		}
	}
	return out
}

// Words are the words that [View.Has] returns, in their order. It is read-only.
var Words = []string{"image", "audio", "video", "pdf", "file", "tools", "calls", "thinking",
	"cache", "structured"}

func (p *Part) note(found map[string]bool) {
	switch p.Kind {
	case KindCall, KindResult:
		found["calls"] = true
	case KindThinking:
		found["thinking"] = true
	case KindMedia:
		kind, _, _ := strings.Cut(p.MIME, "/")
		switch {
		case p.MIME == "application/pdf":
			found["pdf"] = true
		case kind == "image" || kind == "audio" || kind == "video":
			found[kind] = true
		default:
			found["file"] = true
		}
		found["file"] = found["file"] || p.URI != ""
	}
}

// AnswerText returns the texts and thoughts of the answer, one after the other.
func (v *View) AnswerText() string {
	var b strings.Builder
	for i := range v.Answer {
		for j := range v.Answer[i].Parts {
			p := &v.Answer[i].Parts[j]
			if p.Text != "" {
				b.WriteString(p.Text)
				b.WriteByte('\n')
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Calls returns the calls of functions in the answer.
func (v *View) Calls() (out []Part) {
	for i := range v.Answer {
		for j := range v.Answer[i].Parts {
			if v.Answer[i].Parts[j].Kind == KindCall {
				out = append(out, v.Answer[i].Parts[j])
			}
		}
	}
	return out
}

// Tools returns the names of the functions that the exchange calls, each once.
func (v *View) Tools() (out []string) {
	seen := map[string]bool{}
	for _, messages := range [][]Message{v.Messages, v.Answer} {
		for i := range messages {
			for j := range messages[i].Parts {
				p := &messages[i].Parts[j]
				if p.Kind == KindCall && p.Name != "" && !seen[p.Name] {
					seen[p.Name] = true
					out = append(out, p.Name)
				}
			}
		}
	}
	return out
}

// ReplyText returns the texts of the first candidate without thoughts.
func (v *View) ReplyText() string {
	var texts []string
	if len(v.Answer) > 0 {
		for i := range v.Answer[0].Parts {
			if p := &v.Answer[0].Parts[i]; p.Kind == KindText && !p.Thought && p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return strings.Join(texts, "\n")
}
