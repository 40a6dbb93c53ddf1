package reverse

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// image adds an image that the model made.
func (t *turn) image(p *openaiapi.ContentPart, at string) {
	part := geminiapi.Part{}
	if p.ImageURL == nil || p.ImageURL.URL.IsZero() {
		t.report.add(report.Lost, at, "it contains no image")
		return
	}
	if mimeType, data, ok := p.ImageURL.URL.Inline(); ok {
		part.InlineData = &geminiapi.Blob{MIMEType: &mimeType, Data: &data}
	} else {
		part.FileData = &geminiapi.FileData{FileURI: new(p.ImageURL.URL.String())}
	}
	t.loseImage(p, at)
	t.parts = append(t.parts, part)
}

// loseImage reports the members of an image that only describe it.
func (t *turn) loseImage(p *openaiapi.ContentPart, at string) {
	t.report.loseUnknown(at, p.Unknown)
	t.report.loseUnknown(at+"/image_url", p.ImageURL.Unknown)
	t.report.differs(at+"/type", string(p.Type), string(openaiapi.ContentPartTypeImageURL))
	t.report.lose(at+"/text", p.Text != nil)
	t.report.lose(at+"/image_url/detail", p.ImageURL.Detail != nil)
	t.report.lose(at+"/input_audio", p.InputAudio != nil)
	t.report.lose(at+"/file", p.File != nil)
	t.report.lose(at+"/refusal", p.Refusal != nil)
	t.report.lose(at+"/video_url", p.VideoURL != nil)
	t.report.lose(at+"/prompt_cache_breakpoint", p.PromptCacheBreakpoint != nil)
	t.report.loseGoogle(at, p.ExtraContent, googleOf(p.ExtraContent))
	if p.Index != nil {
		t.report.add(report.Approximated, at+"/index", "the order of the list is used instead")
	}
}

// speak adds the spoken answer and its transcript.
func (t *turn) speak(audio *openaiapi.ResponseAudio) {
	if audio == nil {
		return
	}
	t.sound(&openaiapi.MessageAudio{
		ID: jsonx.NonEmpty(audio.ID), Data: jsonx.NonEmpty(audio.Data),
		Transcript: jsonx.NonEmpty(audio.Transcript), Unknown: audio.Unknown,
	})
	if audio.ExpiresAt != 0 {
		t.report.add(report.Lost, t.at+"/audio/expires_at", "omitted, because Gemini stores no sounds")
	}
}

// sound adds a sound or a piece of a sound.
func (t *turn) sound(audio *openaiapi.MessageAudio) {
	at := t.at + "/audio"
	if audio.ID != nil {
		t.report.add(report.Approximated, at+"/id",
			"Gemini stores no sounds, so an id cannot replace the data")
	}
	t.report.loseUnknown(at, audio.Unknown)
	t.say(jsonx.Deref(audio.Transcript))
	if jsonx.Deref(audio.Data) != "" {
		t.parts = append(t.parts,
			geminiapi.Part{InlineData: &geminiapi.Blob{MIMEType: new(t.soundType()),
				Data: audio.Data}})
	}
	t.google.MIMEType = nil
}

// soundType returns the type of the sound. The extension names it, or the requested format
// determines it.
func (t *turn) soundType() string {
	if t.google.MIMEType != nil {
		return *t.google.MIMEType
	}
	format := cmp.Or(t.format, openaiapi.OutputAudioFormatPCM16)
	if known, ok := soundTypes[format]; ok {
		return known
	}
	return "audio/" + string(format)
}

// soundTypes maps formats to types where the names differ. Samples have 16 bits at 24,000 per
// second. It is never modified.
var soundTypes = map[openaiapi.OutputAudioFormat]string{
	openaiapi.OutputAudioFormatPCM16: "audio/L16;rate=24000",
	openaiapi.OutputAudioFormatMP3:   "audio/mpeg",
}
