package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestImagesAreDataURLs(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		`{"text":"Here:"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"inlineData":{"mimeType":"IMAGE/JPEG","data":"/9j/"}}`)
	openaitest.Subset(t,
		openaitest.Encode(t,
			&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}),
		`{"choices":[{"message":{"content":"Here:","images":[
		{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="},"index":0},
		{"type":"image_url","image_url":{"url":"data:IMAGE/JPEG;base64,/9j/"},"index":1}]}}]}`)
	openaitest.Reports(t, report)

	choice, report = openaitest.Part(t,
		`{"text":"Here:"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`,
		chat.WithoutExtensions())
	if choice.Message.Images != nil {
		t.Error("there are images")
	}
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/1")
}

func TestTheFirstSoundIsTheAudio(t *testing.T) {
	t.Parallel()
	const wire = `{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAAA"}},{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}`
	choice, report := openaitest.Part(t, wire)
	audio, google := choice.Message.Audio, choice.Message.ExtraContent.Google
	if audio.ID != "gemini-audio-r1-0-0" || audio.Data != "AAAA" || audio.ExpiresAt != 0 ||
		audio.Transcript != "" {
		t.Errorf("got %+v", audio)
	}
	if *google.MIMEType != "audio/L16;rate=24000" ||
		*google.Parts[1].Part.InlineData.Data != "UklG" || google.Parts[1].In != nil {
		t.Errorf("got %+v", google)
	}
	openaitest.Reports(t, report, "added /candidates/0/content/parts/0")

	choice, report = openaitest.Part(t, wire, chat.WithoutExtensions())
	if choice.Message.Audio.Data != "AAAA" {
		t.Errorf("got %+v", choice.Message.Audio)
	}
	openaitest.Reports(t, report, "added /candidates/0/content/parts/0",
		"lost /candidates/0/content/parts/0/inlineData/mimeType",
		"lost /candidates/0/content/parts/1")
}

func TestMediaThatHasNoPlaceInAMessageIsKept(t *testing.T) {
	t.Parallel()
	for name, wire := range map[string]string{
		"a film":                      `{"inlineData":{"mimeType":"video/mp4","data":"AAAA"},"videoMetadata":{"fps":1}}`,
		"of no type":                  `{"inlineData":{"data":"AAAA"}}`,
		"a type that ends a data URL": `{"inlineData":{"mimeType":"image/png,x","data":"AAAA"}}`,
		"the draft of an image":       `{"inlineData":{"mimeType":"image/png","data":"AAAA"},"thought":true}`,
		"an uploaded file":            `{"fileData":{"mimeType":"image/png","fileUri":"gs://b/o.png"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			choice, report := openaitest.Part(t, wire)
			if choice.Message.Images != nil || choice.Message.Audio != nil ||
				len(choice.Message.ExtraContent.Google.Parts) != 1 {
				t.Errorf("got %+v", choice.Message)
			}
			openaitest.Reports(t, report)
			_, report = openaitest.Part(t, wire, chat.WithoutExtensions())
			openaitest.Reports(t, report, "lost /candidates/0/content/parts/0")
		})
	}
}
