package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

// config returns a request with members of generationConfig.
func config(members string) string { return `"generationConfig":{` + members + `}` }

func TestTheFormatOfATextIsResponseFormat(t *testing.T) {
	t.Parallel()
	const at = " /generationConfig/"
	checkRows(t, map[string]row{
		"json": {config(`"responseMimeType":"application/json"`), "response_format",
			`{"type":"text","mime_type":"application/json"}`, nil, nil},
		"text": {config(`"responseMimeType":"text/plain"`), "response_format",
			`{"type":"text","mime_type":"text/plain"}`, nil, nil},
		"a json schema": {config(`"responseMimeType":"application/json","responseJsonSchema":{"type":"object","required":[]}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"object"}}`,
			[]string{"approximated" + at + "responseJsonSchema/required"}, nil},
		"a schema in Gemini's form": {config(`"responseMimeType":"application/json","responseSchema":{"type":"STRING","nullable":true}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":["string","null"]}}`, nil, nil},
		"a schema of the trial": {config(`"responseMimeType":"application/json","_responseJsonSchema":{"type":"string"}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"string"}}`, nil, nil},
		"a schema in the newest member": {config(`"responseFormat":{"text":{"mimeType":"APPLICATION_JSON","schema":{"type":"string"}}}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"string"}}`, nil, nil},
		"a schema without a type": {config(`"responseJsonSchema":{"type":"string"}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"string"}}`,
			[]string{"added" + at + "responseMimeType"}, nil},
		"two schemas": {config(`"responseMimeType":"application/json","responseSchema":{"type":"STRING"},"responseJsonSchema":{"type":"string"}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"string"}}`,
			[]string{"lost" + at + "responseSchema"}, nil},
		"a value of an enum": {config(`"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a","b"]}`), "response_format",
			`{"type":"text","mime_type":"application/json","schema":{"type":"string","enum":["a","b"]}}`,
			[]string{"approximated" + at + "responseMimeType"}, nil},
		"two types": {config(`"responseMimeType":"application/json","responseFormat":{"text":{"mimeType":"TEXT_PLAIN"}}`), "response_format",
			`{"type":"text","mime_type":"application/json"}`,
			[]string{"lost" + at + "responseFormat/text/mimeType"}, nil},
	})
}

func TestKindsOfOutputAreInLowerCase(t *testing.T) {
	t.Parallel()
	checkRows(t, map[string]row{
		"two": {config(`"responseModalities":["TEXT","IMAGE","MODALITY_UNSPECIFIED"]`), "response_modalities",
			`["text","image"]`, []string{"approximated /generationConfig/responseModalities/2"}, nil},
		"with the format of a text": {config(`"responseModalities":["TEXT"],"responseMimeType":"application/json"`),
			"response_modalities", `["text"]`, nil, nil},
		"none if a kind has a format": {config(`"responseModalities":["TEXT","IMAGE"],"imageConfig":{"imageSize":"2K"}`),
			"response_modalities", ``, nil, nil},
		"the formats of two kinds": {config(`"responseModalities":["IMAGE","TEXT"],"imageConfig":{"imageSize":"2K"}`),
			"response_format", `[{"type":"image","image_size":"2K"},{"type":"text"}]`, nil, nil},
		"a kind without its format": {config(`"responseModalities":["AUDIO"],"imageConfig":{"imageSize":"2K"}`),
			"response_format", `{"type":"audio"}`, []string{"lost /generationConfig/imageConfig"}, nil},
	})
}

func TestSettingsOfImagesAreAFormat(t *testing.T) {
	t.Parallel()
	vertex := []request.Option{request.ForVertexAI()}
	const at = " /generationConfig/"
	checkRows(t, map[string]row{
		"the older member": {config(`"imageConfig":{"aspectRatio":"16:9","imageSize":"4K","outputMimeType":"image/jpeg","outputCompressionQuality":3,"personGeneration":"ALLOW_ALL","prominentPeople":"ALLOW_PROMINENT_PEOPLE"}`), "response_format",
			`{"type":"image","aspect_ratio":"16:9","image_size":"4K","mime_type":"image/jpeg"}`,
			[]string{"lost" + at + "imageConfig/outputCompressionQuality",
				"lost" + at + "imageConfig/personGeneration",
				"lost" + at + "imageConfig/prominentPeople"}, nil},
		"of Vertex AI": {config(`"imageConfig":{"imageOutputOptions":{"mimeType":"image/png","compressionQuality":3}}`), "response_format",
			`{"type":"image","mime_type":"image/png"}`,
			[]string{"lost" + at + "imageConfig/imageOutputOptions"}, vertex},
		"the newer member": {config(`"responseFormat":{"image":{"aspectRatio":"ASPECT_RATIO_ONE_BY_ONE","imageSize":"IMAGE_SIZE_ONE_K","mimeType":"IMAGE_JPEG","delivery":"URI"}}`), "response_format",
			`{"type":"image","aspect_ratio":"1:1","image_size":"1K","mime_type":"image/jpeg"}`,
			[]string{"lost" + at + "responseFormat/image/delivery"}, nil},
		"delivery on Vertex AI": {config(`"responseFormat":{"image":{"delivery":"URI"}}`), "response_format",
			`{"type":"image","delivery":"uri"}`, nil, vertex},
		"both members": {config(`"imageConfig":{"aspectRatio":"1:1","imageSize":"2K"},"responseFormat":{"image":{"aspectRatio":"ASPECT_RATIO_ONE_BY_FOUR"}}`), "response_format",
			`{"type":"image","aspect_ratio":"1:4","image_size":"2K"}`,
			[]string{"lost" + at + "imageConfig/aspectRatio"}, nil},
	})
}

func TestSettingsOfSoundsAndVideosAreFormats(t *testing.T) {
	t.Parallel()
	vertex := []request.Option{request.ForVertexAI()}
	const at = " /generationConfig/responseFormat/"
	checkRows(t, map[string]row{
		"sound": {config(`"responseFormat":{"audio":{"mimeType":"AUDIO_L16","sampleRate":24000,"bitRate":64,"delivery":"INLINE"}}`), "response_format",
			`{"type":"audio","sample_rate":24000,"bit_rate":64}`,
			[]string{"approximated" + at + "audio/delivery", "approximated" + at + "audio/mimeType"}, nil},
		"another sound": {config(`"responseFormat":{"audio":{"mimeType":"AUDIO_MP3"}}`), "response_format",
			`{"type":"audio"}`, []string{"lost" + at + "audio/mimeType"}, nil},
		"another sound on Vertex AI": {config(`"responseFormat":{"audio":{"mimeType":"AUDIO_OGG_OPUS","delivery":"INLINE"}}`), "response_format",
			`{"type":"audio","mime_type":"audio/ogg_opus","delivery":"inline"}`, nil, vertex},
		"video": {config(`"responseFormat":{"video":{"aspectRatio":"ASPECT_RATIO_NINE_BY_SIXTEEN","resolution":"720p","duration":"8s","gcsUri":"gs://a"}}`), "response_format",
			`{"type":"video","aspect_ratio":"9:16","resolution":"720p","duration":"8s"}`,
			[]string{"lost" + at + "video/gcsUri"}, nil},
		"video on Vertex AI": {config(`"responseFormat":{"video":{"gcsUri":"gs://a","delivery":"URI"}}`), "response_format",
			`{"type":"video","gcs_uri":"gs://a","delivery":"uri"}`, nil, vertex},
	})
}

// The tables have each value that the descriptions of both APIs know.
func TestEveryRatioAndSizeOfImagesHasAShortName(t *testing.T) {
	t.Parallel()
	numbers := strings.NewReplacer("TWENTY_ONE", "21", "SIXTEEN", "16", "NINE", "9", "EIGHT", "8", "FIVE_TWELVE", "512",
		"FIVE", "5", "FOUR", "4", "THREE", "3", "TWO", "2", "ONE", "1", "_BY_", ":", "_K", "K")
	seen := 0
	for ratio := range request.AspectRatios {
		want := numbers.Replace(strings.TrimPrefix(string(ratio), "ASPECT_RATIO_"))
		got := request.AspectRatios[ratio]
		if seen++; string(got) != want || !got.Valid() || !ratio.Valid() {
			t.Errorf("%s is %s, want %s", ratio, got, want)
		}
		checkRatio(t, ratio, got)
	}
	if seen != 14 {
		t.Errorf("%d ratios", seen)
	}
	sizes := 0
	for size, got := range request.ImageSizes {
		want := numbers.Replace(strings.TrimPrefix(string(size), "IMAGE_SIZE_"))
		if sizes++; string(got) != want || !got.Valid() || !size.Valid() {
			t.Errorf("%s is %s, want %s", size, got, want)
		}
	}
	if sizes != 4 {
		t.Errorf("%d sizes", sizes)
	}
}

func checkRatio(t *testing.T, ratio geminiapi.ImageAspectRatio, want interactionsapi.AspectRatio) {
	t.Helper()
	out, _ := mustConvert(t, `{`+hello+`,`+
		config(`"responseFormat":{"image":{"aspectRatio":"`+string(ratio)+`"}}`)+`}`)
	if got := out["response_format"].(map[string]any)["aspect_ratio"]; got != string(want) {
		t.Errorf("%s became %v", ratio, got)
	}
}

func TestVoicesAreAlwaysAList(t *testing.T) {
	t.Parallel()
	voice := func(name string) string {
		return `"voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"` + name + `"}}`
	}
	const at = " /generationConfig/speechConfig/"
	checkRows(t, map[string]row{
		"one": {config(`"speechConfig":{` + voice("Kore") + `,"languageCode":"de-DE"}`), "generation_config",
			`{"speech_config":[{"voice":"Kore","language":"de-DE"}]}`, nil, nil},
		"one without a language": {config(`"speechConfig":{` + voice("Kore") + `}`), "generation_config",
			`{"speech_config":[{"voice":"Kore","language":"en-US"}]}`, []string{"added" + at + "languageCode"}, nil},
		"a language alone": {config(`"speechConfig":{"languageCode":"de-DE"}`), "generation_config",
			`{"speech_config":[{"language":"de-DE"}]}`, nil, nil},
		"two": {config(`"speechConfig":{"languageCode":"de-DE","multiSpeakerVoiceConfig":{"speakerVoiceConfigs":[{"speaker":"A",` + voice("Kore") + `},{"speaker":"B",` + voice("Puck") + `}]}}`), "generation_config",
			`{"speech_config":[{"speaker":"A","voice":"Kore","language":"de-DE"},{"speaker":"B","voice":"Puck","language":"de-DE"}]}`, nil, nil},
		"a copy of a voice": {config(`"speechConfig":{"languageCode":"de-DE","voiceConfig":{"replicatedVoiceConfig":{"mimeType":"audio/wav"}}}`), "generation_config",
			`{"speech_config":[{"language":"de-DE"}]}`, []string{"lost" + at + "voiceConfig/replicatedVoiceConfig"}, nil},
	})
}

func TestTranscriptionsHaveAModeWithItsSettings(t *testing.T) {
	t.Parallel()
	const at = " /generationConfig/audioTranscriptionConfig/"
	audio := func(members string) string { return config(`"audioTranscriptionConfig":{` + members + `}`) }
	want := func(members string) string { return `{"transcription_config":{` + members + `}}` }
	checkRows(t, map[string]row{
		"words and languages": {audio(`"customVocabulary":["a"],"languageCodes":["de"],"mode":"SMART"`), "generation_config",
			want(`"custom_vocabulary":["a"],"language_codes":["de"],"mode":"smart"`), nil, nil},
		"older names": {audio(`"adaptationPhrases":["a"],"languageHints":{"languageCodes":["de"]}`), "generation_config",
			want(`"adaptation_phrases":["a"],"language_hints":["de"]`), nil, nil},
		"speakers and times": {audio(`"mode":"VERBATIM","diarization":true,"wordTimestamp":true`), "generation_config",
			want(`"mode":{"type":"verbatim","diarization_mode":"speaker","timestamp_granularities":["word"]}`), nil, nil},
		"speakers without a mode": {audio(`"diarization":true,"wordTimestamp":false`), "generation_config",
			want(`"mode":{"type":"verbatim","diarization_mode":"speaker"}`),
			[]string{"approximated" + at + "wordTimestamp"}, nil},
		"the text that was read": {audio(`"mode":"SMART","sourceText":"a"`), "generation_config",
			want(`"mode":{"type":"smart","source_text":"a"}`), nil, nil},
		"speakers of a smart text": {audio(`"mode":"SMART","diarization":true`), "generation_config",
			want(`"mode":"smart"`), []string{"lost" + at + "diarization"}, nil},
	})
}
