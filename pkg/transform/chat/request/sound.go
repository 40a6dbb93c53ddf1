package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// addAudio adds a spoken answer. Gemini stores none, so it can be sent back only if the message has
// its data. Otherwise the transcript is sent.
func (a *answer) addAudio() {
	audio := a.message.Audio
	if audio == nil || jsonx.Deref(audio.Data) == "" {
		if a.google.MIMEType != nil {
			a.loseMember("mime_type", "there is no sound")
		}
	}
	switch {
	case audio == nil:
	case jsonx.Deref(audio.Data) != "":
		a.reportAudio()
		a.keep(&geminiapi.Part{InlineData: &geminiapi.Blob{MIMEType: new(a.audioType()),
			Data: audio.Data}})
	case jsonx.Deref(audio.Transcript) != "":
		a.reportAudio()
		a.keep(&geminiapi.Part{Text: audio.Transcript})
	default:
		a.Report.Add(report.Lost, a.audioPointer(""),
			"Gemini stores no sounds, so an id cannot replace the data")
	}
}

// audioType returns the type of the sound. The format has no member for it.
func (a *answer) audioType() string {
	if a.google.MIMEType != nil {
		return *a.google.MIMEType
	}
	a.Report.Add(report.Added, a.audioPointer("/data"), "taken from the data, because the sound has no type")
	return mediapart.SoundType(*a.message.Audio.Data)
}

// reportAudio reports the members that only describe a spoken answer.
func (a *answer) reportAudio() {
	audio := a.message.Audio
	visitMembersOfMessageAudio(audio, func(name string) {
		if name != "data" && (name != "transcript" || *audio.Transcript != "") {
			a.Report.Add(report.Approximated, a.audioPointer("/"+name),
				"omitted, because the sound itself is sent")
		}
	})
	if audio.Unknown != nil {
		a.LoseUnknown(a.audioPointer(""), audio.Unknown)
	}
}

func (a *answer) audioPointer(rest string) string {
	return a.At(a.turn.Index).Pointer("/audio" + rest)
}
