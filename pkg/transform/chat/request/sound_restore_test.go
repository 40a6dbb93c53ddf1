package request_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

func TestPiecesOfASoundComeBack(t *testing.T) {
	t.Parallel()
	for name, speech := range openaitest.Speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turn := strings.Join(speech.Parts, ",")
			parts := partsOf(t, turn)
			choice, _ := openaitest.Part(t, turn)
			chunks, err := convertStream(openaitest.DecodeAll(t, speech.Chunks()), nil)
			if err != nil {
				t.Fatal(err)
			}
			streamed := openaitest.Accumulate(chunks)
			for _, message := range []*openaiapi.ResponseMessage{&choice.Message,
				&streamed.Choices[0].Message} {
				checkTurnComesBack(t, flash25, parts, message, request.WithoutValidation())
				checkRequestComplete(t, conversationWith(t, flash25, message), 1<<30)
			}
		})
	}
}

func partsOf(t testing.TB, turn string) []geminiapi.Part {
	t.Helper()
	return openaitest.Decode(t,
		`{"candidates":[{"content":{"parts":[`+turn+`]}}]}`).Candidates[0].Content.Parts
}

// Pieces of any length and number are restored.
func TestPiecesOfAnyLengthComeBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var heard []byte
		var parts []string
		for range 1 + random.IntN(6) {
			piece := make([]byte, 1+random.IntN(9))
			for i := range piece {
				piece[i] = byte(random.IntN(256))
			}
			heard = append(heard, piece...)
			parts = append(parts,
				openaitest.Sound(openaitest.SpeechType, base64.StdEncoding.EncodeToString(piece)))
		}
		turn := strings.Join(parts, ",")
		choice, _ := openaitest.Part(t, turn)
		if got, want := choice.Message.Audio.Data,
			base64.StdEncoding.EncodeToString(heard); got != want {
			t.Fatalf("%s: heard %s, want %s", turn, got, want)
		}
		checkTurnComesBack(t, flash25, partsOf(t, turn), &choice.Message)
		if t.Failed() {
			t.Fatal(turn)
		}
	}
}

func TestALayoutFitsTheSoundOnlyAsAWhole(t *testing.T) {
	t.Parallel()
	const at = "/messages/1/extra_content/google/parts"
	spoken := func(data string) string {
		return helloIn + `,{"role":"model","parts":[` +
			openaitest.Sound("audio/L16;rate=24000", data) + `]},` + helloIn
	}
	pieces := helloIn + `,{"role":"model","parts":[` +
		openaitest.Sound("audio/L16;rate=24000", "AQI=") + `,` +
		openaitest.Sound("audio/L16;rate=24000", "AwQ=") + `]},` + helloIn
	untyped := []string{"added /messages/1/audio/data"}
	changed := []string{"approximated " + at, "added /messages/1/audio/data"}
	cases := map[string]conversation{}
	for name, test := range map[string]struct {
		data, layout string
		want         string
		report       []string
	}{
		"by lengths":               {"AQIDBA==", `{"index":0,"in":"audio","length":2},{"index":1,"in":"audio","length":2}`, pieces, untyped},
		"by the rest":              {"AQIDBA==", `{"index":0,"in":"audio","length":2},{"index":1,"in":"audio"}`, pieces, untyped},
		"by one length":            {"AQIDBA==", `{"index":0,"in":"audio","length":4}`, spoken("AQIDBA=="), untyped},
		"without lengths":          {"AQIDBA==", `{"index":0,"in":"audio"}`, spoken("AQIDBA=="), untyped},
		"of another spelling":      {"AQIDBA", `{"index":0,"in":"audio"}`, spoken("AQIDBA"), untyped},
		"too short":                {"AQIDBA==", `{"index":0,"in":"audio","length":3}`, spoken("AQIDBA=="), changed},
		"too long":                 {"AQIDBA==", `{"index":0,"in":"audio","length":5}`, spoken("AQIDBA=="), changed},
		"nothing":                  {"AQIDBA==", `{"index":0,"in":"audio","length":0},{"index":1,"in":"audio"}`, spoken("AQIDBA=="), changed},
		"less than nothing":        {"AQIDBA==", `{"index":0,"in":"audio","length":-1},{"index":1,"in":"audio","length":5}`, spoken("AQIDBA=="), changed},
		"twice":                    {"AQIDBA==", `{"index":0,"in":"audio"},{"index":1,"in":"audio"}`, spoken("AQIDBA=="), changed},
		"pieces after the last":    {"AQIDBA==", `{"index":0,"in":"audio","length":4},{"index":1,"in":"audio"}`, spoken("AQIDBA=="), changed},
		"pieces that were respelt": {"AQIDBA", `{"index":0,"in":"audio","length":2},{"index":1,"in":"audio","length":2}`, spoken("AQIDBA"), changed},
		"a piece that was respelt": {"AQIDBA", `{"index":0,"in":"audio","length":4}`, spoken("AQIDBA"), changed},
	} {
		cases[name] = conversation{messages: restored(`"audio":{"data":"`+test.data+`"}`,
			test.layout), want: test.want, report: test.report}
	}
	cases["no sound at all"] = conversation{messages: restored(`"content":"Say it."`,
		`{"index":0,"in":"content","length":7},{"index":1,"in":"audio","length":0}`),
		want: helloIn + `,{"role":"model","parts":[{"text":"Say it."}]},` +
			helloIn, report: []string{"approximated " + at + "/1"}}
	converse(t, flash25, cases)
}

func TestTheRestOfAPieceIsNextToIt(t *testing.T) {
	t.Parallel()
	layout := `{"index":0,"in":"audio","length":2,"part":{"thoughtSignature":"c2ln"}},{"index":1,"in":"audio","length":2,"part":{"inlineData":{"displayName":"b","data":"AAAA"}}}`
	converse(t, flash25, map[string]conversation{
		"a signature and a name": {messages: restored(`"audio":{"data":"AQIDBA=="}`, layout),
			want: helloIn + `,{"role":"model","parts":[` +
				openaitest.SignedPart(openaitest.Sound("audio/L16;rate=24000", "AQI=")) +
				`,{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AwQ=","displayName":"b"}}]},` +
				helloIn,
			report: []string{"added /messages/1/audio/data",
				"lost /messages/1/extra_content/google/parts/1/part/inlineData/data"}},
	})
}
