package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/google/go-cmp/cmp"
)

// speechType is the type of what Gemini's speech models send.
const speechType = "audio/L16;codec=pcm;rate=24000"

// sound returns a part that is a sound.
func sound(mimeType, data string) string {
	return fmt.Sprintf(`{"inlineData":{"mimeType":%q,"data":%q}}`, mimeType, data)
}

// signedPart returns a part with a signature.
func signedPart(part string) string {
	return strings.TrimSuffix(part, "}") + `,"thoughtSignature":"c2ln"}`
}

// spoken is a turn whose parts come one by one, and what is heard of it.
type spoken struct {
	parts []string
	heard string   // the audio of the whole completion
	alone []string // the types of the sounds that are no part of it
}

var speeches = map[string]spoken{
	"one sound":         {[]string{sound(speechType, "AAA=")}, "AAA=", nil},
	"two pieces":        {[]string{sound(speechType, "AAAA"), sound(speechType, "AQID")}, "AAAAAQID", nil},
	"three pieces":      {[]string{sound(speechType, "AAAA"), sound(speechType, "AQID"), sound(speechType, "BA==")}, "AAAAAQIDBA==", nil},
	"padded pieces":     {[]string{sound(speechType, "AAE="), sound(speechType, "Ag=="), sound(speechType, "AwQFBg==")}, "AAECAwQFBg==", nil},
	"pieces of a byte":  {[]string{sound("audio/pcm", "AQ=="), sound("audio/pcm", "Ag=="), sound("audio/pcm", "Aw=="), sound("audio/pcm", "BA==")}, "AQIDBA==", nil},
	"in small letters":  {[]string{sound("audio/l16", "AAAA"), sound("audio/l16", "AQID")}, "AAAAAQID", nil},
	"in great letters":  {[]string{sound("AUDIO/PCM ; rate=8000", "AAAA"), sound("AUDIO/PCM ; rate=8000", "AQID")}, "AAAAAQID", nil},
	"with a text":       {[]string{sound(speechType, "AAE="), aText, sound(speechType, "AgM=")}, "AAECAw==", nil},
	"with a thought":    {[]string{aThought, sound(speechType, "AAE="), aThought, sound(speechType, "AgM=")}, "AAECAw==", nil},
	"with a call":       {[]string{sound(speechType, "AAE="), aCall, sound(speechType, "AgM="), aText}, "AAECAw==", nil},
	"signed at first":   {[]string{signedPart(sound(speechType, "AAE=")), sound(speechType, "AgM=")}, "AAECAw==", nil},
	"signed at last":    {[]string{sound(speechType, "AAE="), sound(speechType, "AgM="), signedPart(sound(speechType, "BAU="))}, "AAECAwQF", nil},
	"with a name":       {[]string{sound(speechType, "AAE="), `{"inlineData":{"mimeType":"` + speechType + `","data":"AgM=","displayName":"b","newMember":1},"videoMetadata":{"fps":2}}`}, "AAECAw==", nil},
	"a draft":           {[]string{sound(speechType, "AAE="), `{"thought":true,` + sound(speechType, "AgM=")[1:], sound(speechType, "BAU=")}, "AAEEBQ==", []string{speechType}},
	"another rate":      {[]string{sound(speechType, "AAE="), sound("audio/L16;codec=pcm;rate=16000", "AgM="), sound(speechType, "BAU=")}, "AAEEBQ==", []string{"audio/L16;codec=pcm;rate=16000"}},
	"a file between":    {[]string{sound(speechType, "AAE="), sound("audio/wav", "AgM="), sound(speechType, "BAU=")}, "AAEEBQ==", []string{"audio/wav"}},
	"files":             {[]string{sound("audio/wav", "AAAA"), sound("audio/wav", "AQID"), sound("audio/mp3", "AQID")}, "AAAA", []string{"audio/wav", "audio/mp3"}},
	"a file at first":   {[]string{sound("audio/wav", "AAAA"), sound(speechType, "AQID"), sound(speechType, "AQID")}, "AAAA", []string{speechType, speechType}},
	"broken at first":   {[]string{sound(speechType, "AAA"), sound(speechType, "AQID")}, "AAA", []string{speechType}},
	"broken in between": {[]string{sound(speechType, "AAAA"), sound(speechType, "A*=="), sound(speechType, "AQID")}, "AAAA", []string{speechType, speechType}},
	"a line end":        {[]string{sound(speechType, "AAAA"), sound(speechType, "AQ\nID"), sound(speechType, "AQID")}, "AAAA", []string{speechType, speechType}},
	"bits left over":    {[]string{sound(speechType, "AAAA"), sound(speechType, "AB==")}, "AAAA", []string{speechType}},
	"other digits":      {[]string{sound(speechType, "+/+/"), sound(speechType, "-_-_")}, "+/+/", []string{speechType}},
	"too much padding":  {[]string{sound(speechType, "AAAA"), sound(speechType, "A===")}, "AAAA", []string{speechType}},
	"only padding":      {[]string{sound(speechType, "AAAA"), sound(speechType, "====")}, "AAAA", []string{speechType}},
	"silence at first":  {[]string{sound(speechType, ""), sound(speechType, "AAAA"), sound(speechType, "AQID")}, "AAAAAQID", []string{speechType}},
	"nothing to hear":   {[]string{sound(speechType, ""), aText}, "", []string{speechType}},
}

// chunks returns the chunks of a stream that brings a part in each.
func (s *spoken) chunks() []string {
	out := []string{`{"responseId":"r1","modelVersion":"gemini-2.5-flash-preview-tts","createTime":"2026-11-20T10:00:00Z","usageMetadata":{}}`}
	for _, part := range s.parts {
		out = append(out, `{"candidates":[{"content":{"role":"model","parts":[`+part+`]}}]}`)
	}
	return append(out, `{"candidates":[{"finishReason":"STOP"}]}`)
}

func TestSoundsThatGoOnAreOne(t *testing.T) {
	t.Parallel()
	for name, speech := range speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, opts := range modes {
				choice, report := part(t, strings.Join(speech.parts, ","), opts...)
				checkHeard(t, mode, &speech, choice.Message.Audio)
				if lost := report.Of(transform.Lost); lost != nil && mode == "with extensions" {
					t.Errorf("%s: %v", mode, lost)
				}
				wire := []byte(`{"candidates":[{"content":{"role":"model","parts":[` + strings.Join(speech.parts, ",") + `]},"finishReason":"STOP"}]}`)
				checkPointers(t, mode, wire, report)
				checkComplete(t, mode, wire, leaftest.Enough(1<<30), opts...)
			}
			choice, _ := part(t, strings.Join(speech.parts, ","))
			checkTurn(t, strings.Join(speech.parts, ","), &choice.Message)
		})
	}
}

func checkHeard(t testing.TB, mode string, speech *spoken, audio *openaiapi.ResponseAudio) {
	t.Helper()
	if (audio == nil) != (speech.heard == "") {
		t.Fatalf("%s: heard %v", mode, audio)
	}
	if audio != nil && audio.Data != speech.heard {
		t.Errorf("%s: heard %s, want %s", mode, audio.Data, speech.heard)
	}
}

func TestSoundsThatGoOnAreToldAsTheyCome(t *testing.T) {
	t.Parallel()
	for name, speech := range speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := decodeAll(t, speech.chunks())
			for mode, opts := range streamModes {
				out := convertStream(t, wire, nil, opts...)
				checkBody(t, wire, nil, out, opts...)
				checkPointers(t, mode, []byte("["+strings.Join(speech.chunks(), ",")+"]"), out.report)
				checkAccumulated(t, mode, wire, out, opts...)
				checkStreamComplete(t, mode, speech.chunks(), leaftest.Enough(1<<30), opts...)
				whole := accumulate(out.chunks)
				checkHeard(t, mode, &speech, whole.Choices[0].Message.Audio)
				if strings.Contains(mode, "without extensions") {
					continue
				}
				if lost := out.report.Of(transform.Lost); lost != nil {
					t.Errorf("%s: %v", mode, lost)
				}
				checkTurn(t, strings.Join(speech.parts, ","), &whole.Choices[0].Message)
			}
		})
	}
}

func TestEachPieceOfASoundIsADeltaOfItsOwn(t *testing.T) {
	t.Parallel()
	s := openai.NewStream(openai.WithoutExtensions())
	var got []chunk
	for i, data := range []string{"AAE=", "AgM=", "BAU="} {
		out, err := s.PushChunk(decode(t, `{"responseId":"r","candidates":[{"content":{"parts":[`+sound(speechType, data)+`]}}]}`))
		if err != nil || len(out) != 1 {
			t.Fatalf("piece %d becomes %v, %v", i, news(t, out), err)
		}
		got = append(got, out...)
	}
	says(t, got,
		`{"index":0,"delta":{"role":"assistant","audio":{"id":"gemini-audio-r-0-0","data":"AAE=","expires_at":0,"transcript":""}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"id":"gemini-audio-r-0-0","data":"AgM="}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"id":"gemini-audio-r-0-0","data":"BAU="}},"finish_reason":null}`,
	)
}

func TestTheLayoutTellsHowLongThePiecesOfASoundAre(t *testing.T) {
	t.Parallel()
	choice, report := part(t, strings.Join([]string{sound(speechType, "AAE="), aText, signedPart(sound(speechType, "AgMEBQ==")), sound("audio/wav", "UklG")}, ","))
	subset(t, encode(t, &openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}), `{"choices":[{"message":{
		"audio":{"id":"gemini-audio-r1-0-0","data":"AAECAwQF"},
		"extra_content":{"google":{"mime_type":"`+speechType+`","thought_signature":"c2ln","parts":[
			{"index":0,"in":"audio","length":2},{"index":1,"in":"content","length":7},
			{"index":2,"in":"audio","length":4,"part":{"thoughtSignature":"c2ln"}},
			{"index":3,"part":{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}}]}}}}]}`)
	reports(t, report, "added /candidates/0/content/parts/0")
}

func TestWithoutExtensionsPiecesOfASoundAreNotLost(t *testing.T) {
	t.Parallel()
	_, report := part(t, strings.Join([]string{sound(speechType, "AAE="), sound(speechType, "AgM="), sound("audio/wav", "UklG"), signedPart(sound(speechType, "BAU="))}, ","), openai.WithoutExtensions())
	reports(t, report,
		"added /candidates/0/content/parts/0",
		"approximated /candidates/0/content/parts/1/inlineData/data",
		"lost /candidates/0/content/parts/0/inlineData/mimeType",
		"lost /candidates/0/content/parts/1/inlineData/mimeType",
		"lost /candidates/0/content/parts/2",
		"lost /candidates/0/content/parts/3/thoughtSignature",
		"lost /candidates/0/content/parts/3/inlineData/mimeType",
	)
}

func TestCandidatesHaveSoundsOfTheirOwn(t *testing.T) {
	t.Parallel()
	body := func(first, second string) string {
		return fmt.Sprintf(`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","candidates":[{"index":0,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"},{"index":1,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}]}`, first, second)
	}
	bodies := []string{
		body(sound(speechType, "AAE="), sound("audio/pcm", "AQ==")),
		body(sound(speechType, "AgM="), aText),
		body(aThought, sound("audio/pcm", "Ag==")),
		body(sound("audio/pcm", "Aw=="), sound("audio/pcm", "Aw==")),
	}
	wire := decodeAll(t, bodies)
	for mode, opts := range streamModes {
		out := convertStream(t, wire, nil, opts...)
		whole := accumulate(out.chunks)
		for i, want := range []string{"AAECAw==", "AQID"} {
			if got := whole.Choices[i].Message.Audio.Data; got != want {
				t.Errorf("%s: choice %d has %s, want %s", mode, i, got, want)
			}
		}
		checkAccumulated(t, mode, wire, out, opts...)
		checkStreamComplete(t, mode, bodies, leaftest.Enough(1<<30), opts...)
	}
	merged, _ := normalize.MergeChunks(wire...)
	data, err := gemini.EncodeResponse(merged)
	if err != nil {
		t.Fatal(err)
	}
	for mode, opts := range modes {
		checkComplete(t, mode, data, leaftest.Enough(1<<30), opts...)
	}
	checkRestored(t, merged, accumulate(convertStream(t, wire, nil).chunks))
}

func TestAStreamOfEventsTellsThePiecesOfASoundToo(t *testing.T) {
	t.Parallel()
	for name, speech := range speeches {
		wire := decodeAll(t, speech.chunks())
		var events []normalize.Event
		for e := range normalize.Events(pairs(wire, nil)) {
			events = append(events, e)
		}
		for mode, opts := range modes {
			s := openai.NewStream(append([]openai.Option{openai.WithUsage(true)}, opts...)...)
			got, err := s.Push(events)
			if err != nil {
				t.Fatal(err)
			}
			whole := unary(t, wire, opts...)
			if diff := cmp.Diff(whole, accumulate(got), sameCompletion); diff != "" {
				t.Errorf("%s, %s: -unary +accumulated: %s", name, mode, diff)
			}
			merged, _ := normalize.MergeChunks(wire...)
			_, want, err := openai.Response(merged, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entries(want), entries(s.Report())); diff != "" {
				t.Errorf("%s, %s: %s", name, mode, diff)
			}
		}
	}
}
