package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestSoundsThatContinueAreOne(t *testing.T) {
	t.Parallel()
	for name, speech := range openaitest.Speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, opts := range modes {
				choice, entries := openaitest.Part(t, strings.Join(speech.Parts, ","), opts...)
				checkHeard(t, mode, &speech, choice.Message.Audio)
				if lost := entries.Of(report.Lost); lost != nil && mode == "with extensions" {
					t.Errorf("%s: %v", mode, lost)
				}
				wire := []byte(`{"candidates":[{"content":{"role":"model","parts":[` +
					strings.Join(speech.Parts, ",") + `]},"finishReason":"STOP"}]}`)
				checkPointers(t, mode, wire, entries)
				checkComplete(t, mode, wire, leaftest.Enough(1<<30), opts...)
			}
			choice, _ := openaitest.Part(t, strings.Join(speech.Parts, ","))
			checkTurn(t, strings.Join(speech.Parts, ","), &choice.Message)
		})
	}
}

func checkHeard(t testing.TB, mode string, speech *openaitest.Spoken,
	audio *openaiapi.ResponseAudio) {
	t.Helper()
	if (audio == nil) != (speech.Heard == "") {
		t.Fatalf("%s: heard %v", mode, audio)
	}
	if audio != nil && audio.Data != speech.Heard {
		t.Errorf("%s: heard %s, want %s", mode, audio.Data, speech.Heard)
	}
}

func TestSoundsThatContinueAreSentAsTheyCome(t *testing.T) {
	t.Parallel()
	for name, speech := range openaitest.Speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := openaitest.DecodeAll(t, speech.Chunks())
			for mode, opts := range streamModes {
				out := convertStream(t, wire, nil, opts...)
				checkBody(t, wire, nil, out, opts...)
				checkPointers(t, mode, []byte("["+strings.Join(speech.Chunks(), ",")+"]"),
					out.report)
				checkAccumulated(t, mode, wire, out, opts...)
				checkStreamComplete(t, mode, speech.Chunks(), leaftest.Enough(1<<30), opts...)
				whole := openaitest.Accumulate(out.chunks)
				checkHeard(t, mode, &speech, whole.Choices[0].Message.Audio)
				if strings.Contains(mode, "without extensions") {
					continue
				}
				if lost := out.report.Of(report.Lost); lost != nil {
					t.Errorf("%s: %v", mode, lost)
				}
				checkTurn(t, strings.Join(speech.Parts, ","), &whole.Choices[0].Message)
			}
		})
	}
}

// Clients join the texts of the pieces, and the result must be base64.
func TestThePiecesOfASoundAreCutBetweenGroupsOfDigits(t *testing.T) {
	t.Parallel()
	s := chat.NewStream(chat.WithoutExtensions())
	var got []chunk
	for i, data := range []string{"AAE=", "AgM=", "BAUG", "BwgJCg=="} {
		out, err := s.Push(openaitest.Decode(t,
			`{"responseId":"r","candidates":[{"content":{"parts":[`+
				openaitest.Sound(openaitest.SpeechType, data)+`]}}]}`))
		if err != nil || len(out) != 1 {
			t.Fatalf("piece %d becomes %v, %v", i, choicesOf(t, out), err)
		}
		got = append(got, out...)
	}
	hasChoices(t, got,
		`{"index":0,"delta":{"role":"assistant","audio":{"id":"gemini-audio-r-0-0","data":"","expires_at":0,"transcript":""}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"data":"AAEC"}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"data":"AwQF"}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"data":"BgcI"}},"finish_reason":null}`,
	)
	if _, err := s.Push(openaitest.Decode(t,
		`{"candidates":[{"finishReason":"STOP"}]}`)); err != nil {
		t.Fatal(err)
	}
	last, err := s.Close(nil)
	if err != nil {
		t.Fatal(err)
	}
	hasChoices(t, last,
		`{"index":0,"delta":{"audio":{"data":"CQo="}},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"stop"}`,
	)
}

func TestTheLayoutHasTheLengthsOfThePiecesOfASound(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		strings.Join([]string{openaitest.Sound(openaitest.SpeechType, "AAE="), openaitest.AText,
			openaitest.SignedPart(openaitest.Sound(openaitest.SpeechType,
				"AgMEBQ==")), openaitest.Sound("audio/wav", "UklG")}, ","))
	openaitest.Subset(t,
		openaitest.Encode(t,
			&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}),
		`{"choices":[{"message":{
		"audio":{"id":"gemini-audio-r1-0-0","data":"AAECAwQF"},
		"extra_content":{"google":{"mime_type":"`+openaitest.SpeechType+`","thought_signature":"c2ln","parts":[
			{"index":0,"in":"audio","length":2},{"index":1,"in":"content","length":7},
			{"index":2,"in":"audio","length":4,"part":{"thoughtSignature":"c2ln"}},
			{"index":3,"part":{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}}]}}}}]}`)
	openaitest.Reports(t, report, "added /candidates/0/content/parts/0")
}

func TestWithoutExtensionsPiecesOfASoundAreNotLost(t *testing.T) {
	t.Parallel()
	_, report := openaitest.Part(t,
		strings.Join([]string{openaitest.Sound(openaitest.SpeechType, "AAE="),
			openaitest.Sound(openaitest.SpeechType, "AgM="), openaitest.Sound("audio/wav",
				"UklG"), openaitest.SignedPart(openaitest.Sound(openaitest.SpeechType, "BAU="))},
			","), chat.WithoutExtensions())
	openaitest.Reports(t, report,
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
		return fmt.Sprintf(`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","candidates":[{"index":0,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"},{"index":1,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}]}`,
			first, second)
	}
	bodies := []string{
		body(openaitest.Sound(openaitest.SpeechType, "AAE="),
			openaitest.Sound("audio/pcm", "AQ==")),
		body(openaitest.Sound(openaitest.SpeechType, "AgM="), openaitest.AText),
		body(openaitest.AThought, openaitest.Sound("audio/pcm", "Ag==")),
		body(openaitest.Sound("audio/pcm", "Aw=="), openaitest.Sound("audio/pcm", "Aw==")),
	}
	wire := openaitest.DecodeAll(t, bodies)
	for mode, opts := range streamModes {
		out := convertStream(t, wire, nil, opts...)
		whole := openaitest.Accumulate(out.chunks)
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
	checkRestored(t, merged, openaitest.Accumulate(convertStream(t, wire, nil).chunks))
}
