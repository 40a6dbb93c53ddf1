package openaitest

import (
	"fmt"
	"strings"
)

// SpeechType is the media type of the output of Gemini's speech models.
const SpeechType = "audio/L16;codec=pcm;rate=24000"

// Sound returns a part with a sound.
func Sound(mimeType, data string) string {
	return fmt.Sprintf(`{"inlineData":{"mimeType":%q,"data":%q}}`, mimeType, data)
}

// SignedPart returns a part with a signature.
func SignedPart(part string) string {
	return strings.TrimSuffix(part, "}") + `,"thoughtSignature":"c2ln"}`
}

// Spoken is a turn whose parts arrive one by one, with the sound that a client must play.
type Spoken struct {
	Parts []string
	Heard string   // the audio of the whole completion
	Alone []string // the types of the sounds that are no part of it
}

var Speeches = map[string]Spoken{
	"one sound": {[]string{Sound(SpeechType, "AAA=")}, "AAA=", nil},
	"two pieces": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "AQID")},
		"AAAAAQID", nil},
	"three pieces": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "AQID"),
		Sound(SpeechType, "BA==")}, "AAAAAQIDBA==", nil},
	"padded pieces": {[]string{Sound(SpeechType, "AAE="), Sound(SpeechType, "Ag=="),
		Sound(SpeechType, "AwQFBg==")}, "AAECAwQFBg==", nil},
	"pieces of a byte": {[]string{Sound("audio/pcm", "AQ=="), Sound("audio/pcm", "Ag=="),
		Sound("audio/pcm", "Aw=="), Sound("audio/pcm", "BA==")}, "AQIDBA==", nil},
	"in small letters": {[]string{Sound("audio/l16", "AAAA"), Sound("audio/l16", "AQID")},
		"AAAAAQID", nil},
	"in great letters": {[]string{Sound("AUDIO/PCM ; rate=8000", "AAAA"),
		Sound("AUDIO/PCM ; rate=8000", "AQID")}, "AAAAAQID", nil},
	"with a text": {[]string{Sound(SpeechType, "AAE="), AText, Sound(SpeechType, "AgM=")},
		"AAECAw==", nil},
	"with a thought": {[]string{AThought, Sound(SpeechType, "AAE="), AThought,
		Sound(SpeechType, "AgM=")}, "AAECAw==", nil},
	"with a call": {[]string{Sound(SpeechType, "AAE="), ACall, Sound(SpeechType, "AgM="),
		AText}, "AAECAw==", nil},
	"signed at first": {[]string{SignedPart(Sound(SpeechType, "AAE=")),
		Sound(SpeechType, "AgM=")}, "AAECAw==", nil},
	"signed at last": {[]string{Sound(SpeechType, "AAE="), Sound(SpeechType, "AgM="),
		SignedPart(Sound(SpeechType, "BAU="))}, "AAECAwQF", nil},
	"with a name": {[]string{Sound(SpeechType, "AAE="),
		`{"inlineData":{"mimeType":"` + SpeechType +
			`","data":"AgM=","displayName":"b","newMember":1},"videoMetadata":{"fps":2}}`},
		"AAECAw==", nil},
	"a draft": {[]string{Sound(SpeechType, "AAE="),
		`{"thought":true,` + Sound(SpeechType, "AgM=")[1:], Sound(SpeechType, "BAU=")}, "AAEEBQ==",
		[]string{SpeechType}},
	"another rate": {[]string{Sound(SpeechType, "AAE="),
		Sound("audio/L16;codec=pcm;rate=16000", "AgM="), Sound(SpeechType, "BAU=")}, "AAEEBQ==",
		[]string{"audio/L16;codec=pcm;rate=16000"}},
	"a file between": {[]string{Sound(SpeechType, "AAE="), Sound("audio/wav", "AgM="),
		Sound(SpeechType, "BAU=")}, "AAEEBQ==", []string{"audio/wav"}},
	"files": {[]string{Sound("audio/wav", "AAAA"), Sound("audio/wav", "AQID"),
		Sound("audio/mp3", "AQID")}, "AAAA", []string{"audio/wav", "audio/mp3"}},
	"a file at first": {[]string{Sound("audio/wav", "AAAA"), Sound(SpeechType, "AQID"),
		Sound(SpeechType, "AQID")}, "AAAA", []string{SpeechType, SpeechType}},
	"broken at first": {[]string{Sound(SpeechType, "AAA"), Sound(SpeechType, "AQID")}, "AAA",
		[]string{SpeechType}},
	"broken in between": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "A*=="),
		Sound(SpeechType, "AQID")}, "AAAA", []string{SpeechType, SpeechType}},
	"a line end": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "AQ\nID"),
		Sound(SpeechType, "AQID")}, "AAAA", []string{SpeechType, SpeechType}},
	"bits left over": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "AB==")}, "AAAA",
		[]string{SpeechType}},
	"other digits": {[]string{Sound(SpeechType, "+/+/"), Sound(SpeechType, "-_-_")}, "+/+/",
		[]string{SpeechType}},
	"too much padding": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "A===")}, "AAAA",
		[]string{SpeechType}},
	"only padding": {[]string{Sound(SpeechType, "AAAA"), Sound(SpeechType, "====")}, "AAAA",
		[]string{SpeechType}},
	"silence at first": {[]string{Sound(SpeechType, ""), Sound(SpeechType, "AAAA"),
		Sound(SpeechType, "AQID")}, "AAAAAQID", []string{SpeechType}},
	"nothing to hear": {[]string{Sound(SpeechType, ""), AText}, "", []string{SpeechType}},
}

// chunks returns the chunks of a stream with one part in each.
func (s *Spoken) Chunks() []string {
	out := []string{`{"responseId":"r1","modelVersion":"gemini-2.5-flash-preview-tts","createTime":"2026-11-20T10:00:00Z","usageMetadata":{}}`}
	for _, part := range s.Parts {
		out = append(out, `{"candidates":[{"content":{"role":"model","parts":[`+part+`]}}]}`)
	}
	return append(out, `{"candidates":[{"finishReason":"STOP"}]}`)
}
