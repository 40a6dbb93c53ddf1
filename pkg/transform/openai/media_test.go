package openai_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/openai"
)

func TestM1_ImagesAreDataURLs(t *testing.T) {
	t.Parallel()
	choice, report := part(t, `{"text":"Here:"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"inlineData":{"mimeType":"IMAGE/JPEG","data":"/9j/"}}`)
	subset(t, encode(t, &openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}), `{"choices":[{"message":{"content":"Here:","images":[
		{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="},"index":0},
		{"type":"image_url","image_url":{"url":"data:IMAGE/JPEG;base64,/9j/"},"index":1}]}}]}`)
	reports(t, report)

	choice, report = part(t, `{"text":"Here:"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`, openai.WithoutExtensions())
	if choice.Message.Images != nil {
		t.Error("there are images")
	}
	reports(t, report, "lost /candidates/0/content/parts/1")
}

func TestM1_TheFirstSoundIsTheAudio(t *testing.T) {
	t.Parallel()
	const wire = `{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAAA"}},{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}`
	choice, report := part(t, wire)
	audio, google := choice.Message.Audio, choice.Message.ExtraContent.Google
	if audio.ID != "gemini-audio-r1-0-0" || audio.Data != "AAAA" || audio.ExpiresAt != 0 || audio.Transcript != "" {
		t.Errorf("got %+v", audio)
	}
	if *google.MIMEType != "audio/L16;rate=24000" || *google.Parts[1].Part.InlineData.Data != "UklG" || google.Parts[1].In != nil {
		t.Errorf("got %+v", google)
	}
	reports(t, report, "added /candidates/0/content/parts/0")

	choice, report = part(t, wire, openai.WithoutExtensions())
	if choice.Message.Audio.Data != "AAAA" {
		t.Errorf("got %+v", choice.Message.Audio)
	}
	reports(t, report, "added /candidates/0/content/parts/0",
		"lost /candidates/0/content/parts/0/inlineData/mimeType", "lost /candidates/0/content/parts/1")
}

func TestM1_MediaThatHasNoPlaceInAMessageIsKept(t *testing.T) {
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
			choice, report := part(t, wire)
			if choice.Message.Images != nil || choice.Message.Audio != nil || len(choice.Message.ExtraContent.Google.Parts) != 1 {
				t.Errorf("got %+v", choice.Message)
			}
			reports(t, report)
			_, report = part(t, wire, openai.WithoutExtensions())
			reports(t, report, "lost /candidates/0/content/parts/0")
		})
	}
}
