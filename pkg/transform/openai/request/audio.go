package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// addAudio adds a spoken answer. Gemini keeps none, so only one whose data the message has can be sent back;
// without it, the spoken words have to do.
func (a *answer) addAudio() {
	audio := a.message.Audio
	if audio == nil || optional.Value(audio.Data) == "" {
		if a.google.MIMEType != nil {
			a.loseMember("mime_type", "there is no sound")
		}
	}
	switch {
	case audio == nil:
	case optional.Value(audio.Data) != "":
		a.reportAudio()
		a.keep(&geminiapi.Part{InlineData: newBlob(a.audioType(), *audio.Data, nil)})
	case optional.Value(audio.Transcript) != "":
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
	return cmp.Or(media.Sniff(*a.message.Audio.Data), media.PCM)
}

// reportAudio reports the members that only describe a spoken answer.
func (a *answer) reportAudio() {
	audio := a.message.Audio
	for _, member := range []struct {
		name    string
		present bool
	}{
		{"/id", audio.ID != nil},
		{"/expires_at", audio.ExpiresAt != nil},
		{"/transcript", optional.Value(audio.Transcript) != ""},
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
	return location{message: a.turn.message}.pointer("/audio" + rest)
}
