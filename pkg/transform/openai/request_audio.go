package openai

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform"
)

// addAudio adds a spoken answer. Gemini keeps none, so that only one with its sound can be heard again;
// without it, the spoken words have to do.
func (a *answer) addAudio() {
	audio := a.message.Audio
	if audio == nil || deref(audio.Data) == "" {
		if a.google.MIMEType != nil {
			a.loseMember("mime_type", "there is no sound")
		}
	}
	switch {
	case audio == nil:
	case deref(audio.Data) != "":
		a.reportAudio()
		a.keep(&geminiapi.Part{InlineData: newBlob(a.audioType(), *audio.Data, nil)})
	case deref(audio.Transcript) != "":
		a.reportAudio()
		a.keep(&geminiapi.Part{Text: audio.Transcript})
	default:
		a.report.Add(transform.Lost, a.audioPointer(""), "Gemini keeps no sound that an id could stand for")
	}
}

// audioType returns the type of the sound, which the format has no member for.
func (a *answer) audioType() string {
	if a.google.MIMEType != nil {
		return *a.google.MIMEType
	}
	a.report.Add(transform.Added, a.audioPointer("/data"), "nothing tells the type of the sound")
	return cmp.Or(sniff(*a.message.Audio.Data), pcmType)
}

// reportAudio reports the members of a spoken answer that only tell about it.
func (a *answer) reportAudio() {
	audio := a.message.Audio
	for _, member := range []struct {
		name    string
		present bool
	}{
		{"/id", audio.ID != nil},
		{"/expires_at", audio.ExpiresAt != nil},
		{"/transcript", deref(audio.Transcript) != ""},
	} {
		if member.present {
			a.report.Add(transform.Approximated, a.audioPointer(member.name), "stands for the sound itself")
		}
	}
	if audio.Unknown != nil {
		a.loseUnknown(a.audioPointer(""), audio.Unknown)
	}
}

func (a *answer) audioPointer(rest string) string {
	return messagePlace{message: a.turn.message}.pointer("/audio" + rest)
}
