package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

func TestSamplingAndLengthAreTheSame(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{name: "all", request: with(flash25, `"temperature":0.5,"top_p":0.9,"top_k":3,"seed":7,"max_output_tokens":100,"stop_sequences":["END"]`),
			want: map[string]string{"/generationConfig": `{"maxOutputTokens":100,"seed":7,"stopSequences":["END"],"temperature":0.5,"topK":3,"topP":0.9}`}},
		{name: "too long an answer", request: with(flash25, `"max_output_tokens":1000000`),
			want:   map[string]string{"/generationConfig/maxOutputTokens": `65536`},
			report: "approximated /generation_config/max_output_tokens"},
		{name: "stops", request: with(flash25, `"stop_sequences":["","1","2","3","4","5","6"]`),
			want:   map[string]string{"/generationConfig/stopSequences": `["1","2","3","4","5"]`},
			report: "approximated /generation_config/stop_sequences/0\nlost /generation_config/stop_sequences/6"},
		{name: "penalties", request: with(flash25, `"presence_penalty":0.5`),
			report: "lost /generation_config/presence_penalty"},
		{name: "a task of videos", request: with(flash25, `"video_config":{"task":"edit"}`),
			report: "lost /generation_config/video_config"},
		{name: "a temperature that Gemini refuses", request: with(flash25, `"temperature":9`),
			problem: "/generation_config/temperature"},
	})
}

func TestThinkingLevelsAreBudgetsForOlderModels(t *testing.T) {
	t.Parallel()
	const config = "/generationConfig/thinkingConfig"
	const at = "/generation_config/thinking_level"
	check(t, []row{
		{name: "low", request: with(pro3, `"thinking_level":"low"`),
			want: map[string]string{config: `{"thinkingLevel":"LOW"}`}},
		{name: "low on 2.5", request: with(flash25, `"thinking_level":"low"`),
			want: map[string]string{config: `{"thinkingBudget":1024}`}},
		{name: "medium on 2.5", request: with(flash25, `"thinking_level":"medium"`),
			want: map[string]string{config: `{"thinkingBudget":8192}`}},
		{name: "high on 2.5", request: with(flash25, `"thinking_level":"high"`),
			want: map[string]string{config: `{"thinkingBudget":24576}`}},
		{name: "minimal on a model without it", request: with(pro3, `"thinking_level":"minimal"`),
			want: map[string]string{config: `{"thinkingLevel":"LOW"}`}, report: "approximated " + at},
		{name: "a word of others", request: with(pro3, `"thinking_level":"max"`),
			want: map[string]string{config: ``}, report: "lost " + at},
		{name: "summaries", request: with(pro3, `"thinking_level":"high","thinking_summaries":"auto"`),
			want: map[string]string{config: `{"includeThoughts":true,"thinkingLevel":"HIGH"}`}},
		{name: "no summaries", request: with(pro3, `"thinking_summaries":"none"`),
			want: map[string]string{config: ``}},
		{name: "other summaries", request: with(pro3, `"thinking_summaries":"long"`),
			report: "lost /generation_config/thinking_summaries"},
	})
}

func TestFormatsOfTheAnswer(t *testing.T) {
	t.Parallel()
	const config = "/generationConfig"
	const schema = `{"type":"object","properties":{"a":{"type":"string"}}}`
	const asSchema = `{"responseJsonSchema":{"properties":{"a":{"type":"string"}},"type":"object"},"responseMimeType":"application/json"}`
	format := func(value string) string { return on(flash36, hi+`,"response_format":`+value) }
	check(t, []row{
		{name: "a schema", request: format(`{"type":"text","mime_type":"application/json","schema":` + schema + `}`),
			want: map[string]string{config: asSchema}},
		{name: "a schema in a list", request: format(`[{"type":"text","schema":` + schema + `}]`),
			want: map[string]string{config: asSchema}},
		{name: "a bare schema", request: format(schema), want: map[string]string{config: asSchema}},
		{name: "a bare schema without a type", request: format(`{"anyOf":[{"type":"string"}]}`),
			want: map[string]string{config: `{"responseJsonSchema":{"anyOf":[{"type":"string"}]},"responseMimeType":"application/json"}`}},
		{name: "a bare schema with the older MIME type", request: on(flash36, hi+
			`,"response_mime_type":"application/json","response_format":`+schema),
			want: map[string]string{config: asSchema}},
		{name: "the older MIME type", request: on(flash36, hi+`,"response_mime_type":"application/json"`),
			want: map[string]string{config: `{"responseMimeType":"application/json"}`}},
		{name: "an older MIME type that Gemini refuses", request: on(flash36, hi+`,"response_mime_type":"image/png"`),
			problem: "/response_mime_type"},
		{name: "another older MIME type", request: on(flash36, hi+
			`,"response_mime_type":"text/plain","response_format":`+schema),
			want: map[string]string{config: asSchema}, report: "lost /response_mime_type"},
		{name: "JSON", request: format(`{"type":"text","mime_type":"application/json"}`),
			want: map[string]string{config: `{"responseMimeType":"application/json"}`}},
		{name: "text", request: format(`{"type":"text","mime_type":"text/plain"}`),
			want: map[string]string{config: `{"responseMimeType":"text/plain"}`}},
		{name: "text without a MIME type", request: format(`{"type":"text"}`),
			want: map[string]string{config: ``}},
		{name: "text with a schema", request: format(`{"type":"text","mime_type":"text/plain","schema":` + schema + `}`),
			problem: "/response_format/mime_type must be application/json"},
		{name: "two texts", request: format(`[{"type":"text","mime_type":"text/plain"},{"type":"text","schema":` + schema + `}]`),
			want: map[string]string{config: `{"responseMimeType":"text/plain"}`}, report: "lost /response_format/1"},
		{name: "no type", request: format(`{"schema":` + schema + `}`),
			want: map[string]string{config: asSchema}, report: "approximated /response_format"},
		{name: "another type", request: format(`{"type":"smell"}`), report: "lost /response_format"},
		{name: "an image", request: format(`{"type":"image","mime_type":"image/jpeg","aspect_ratio":"16:9","image_size":"2K","delivery":"inline"}`),
			want: map[string]string{config: `{"responseFormat":{"image":{"aspectRatio":"ASPECT_RATIO_SIXTEEN_BY_NINE","delivery":"INLINE","imageSize":"IMAGE_SIZE_TWO_K","mimeType":"IMAGE_JPEG"}},"responseModalities":["IMAGE"]}`}},
		{name: "an image and a text", request: format(`[{"type":"text"},{"type":"image"}]`),
			want: map[string]string{config: `{"responseModalities":["TEXT","IMAGE"]}`}},
		{name: "an image in a type that Gemini has not", request: format(`{"type":"image","mime_type":"image/png","bit_rate":1}`),
			want:   map[string]string{config: `{"responseModalities":["IMAGE"]}`},
			report: "lost /response_format/bit_rate\nlost /response_format/mime_type"},
		{name: "two images", request: format(`[{"type":"image","image_size":"1K"},{"type":"image","image_size":"2K"}]`),
			want:   map[string]string{config: `{"responseFormat":{"image":{"imageSize":"IMAGE_SIZE_ONE_K"}},"responseModalities":["IMAGE"]}`},
			report: "lost /response_format/1"},
		{name: "a sound", request: format(`{"type":"audio","mime_type":"audio/l16","sample_rate":24000,"bit_rate":64000,"delivery":"uri"}`),
			want: map[string]string{config: `{"responseFormat":{"audio":{"bitRate":64000,"delivery":"URI","mimeType":"AUDIO_L16","sampleRate":24000}},"responseModalities":["AUDIO"]}`}},
		{name: "a video", request: format(`{"type":"video","resolution":"720p"}`),
			want: map[string]string{config: ``}, report: "lost /response_format"},
		{name: "a video on Vertex AI", opts: vertex, request: format(`{"type":"video","aspect_ratio":"16:9","resolution":"720p","duration":"8s","delivery":"uri","gcs_uri":"gs://a/b"}`),
			want:   map[string]string{config: `{"responseFormat":{"video":{"aspectRatio":"ASPECT_RATIO_SIXTEEN_BY_NINE","delivery":"URI","duration":"8s","gcsUri":"gs://a/b","resolution":"720p"}},"responseModalities":["VIDEO"]}`},
			report: inURL},
		{name: "modalities", request: on(flash36, hi+`,"response_modalities":["text","image","text","document"]`),
			want:   map[string]string{config: `{"responseModalities":["TEXT","IMAGE"]}`},
			report: "approximated /response_modalities/2\nlost /response_modalities/3"},
	})
}

func TestEveryShapeAndSizeOfImagesHasACounterpart(t *testing.T) {
	t.Parallel()
	var rows []row
	for _, shape := range []string{"1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9",
		"21:9", "1:8", "8:1", "1:4", "4:1"} {
		for _, size := range []string{"512", "1K", "2K", "4K"} {
			rows = append(rows, row{name: shape + " " + size, request: on(flash36, hi+
				`,"response_format":{"type":"image","aspect_ratio":"`+shape+`","image_size":"`+size+`"}`)})
		}
	}
	check(t, rows)
	check(t, []row{{name: "by the older member", request: with(flash36,
		`"image_config":{"aspect_ratio":"16:9","image_size":"2K"}`), want: map[string]string{
		"/generationConfig": `{"imageConfig":{"aspectRatio":"16:9","imageSize":"2K"}}`}}})
}

func TestVoicesOfSpeakers(t *testing.T) {
	t.Parallel()
	const config = "/generationConfig/speechConfig"
	const at = "/generation_config/speech_config"
	const one = `{"languageCode":"en-US","voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Kore"}}}`
	const two = `{"multiSpeakerVoiceConfig":{"speakerVoiceConfigs":[{"speaker":"A","voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Kore"}}},{"speaker":"B","voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Puck"}}}]}}`
	speech := func(value string) string { return with(flash25, `"speech_config":`+value) }
	check(t, []row{
		{name: "a list of one", request: speech(`[{"voice":"Kore","language":"en-US"}]`),
			want: map[string]string{config: one}},
		{name: "an object", request: speech(`{"voice":"Kore","language":"en-US"}`),
			want: map[string]string{config: one}},
		{name: "one speaker", request: speech(`[{"voice":"Kore","language":"en-US","speaker":"A"}]`),
			want: map[string]string{config: one}, report: "approximated " + at + "/0/speaker"},
		{name: "two speakers", request: speech(`[{"voice":"Kore","speaker":"A"},{"voice":"Puck","speaker":"B"}]`),
			want: map[string]string{config: two}},
		{name: "speakers in an object", request: speech(`{"speakers":[{"voice":"Kore","speaker":"A"},{"voice":"Puck","speaker":"B","later":1}]}`),
			want: map[string]string{config: two}, report: "lost " + at + "/speakers/1/later"},
		{name: "two languages", request: speech(`{"language":"en-US","speakers":[{"voice":"Kore","speaker":"A","language":"fr-FR"},{"voice":"Puck","speaker":"B"}]}`),
			want:   map[string]string{config + "/languageCode": `"en-US"`},
			report: "lost " + at + "/speakers/0/language"},
	})
}

func TestTranscriptionSettings(t *testing.T) {
	t.Parallel()
	const config = "/generationConfig/audioTranscriptionConfig"
	const at = "/generation_config/transcription_config"
	transcription := func(value string) string { return with(flash25, `"transcription_config":`+value) }
	check(t, []row{
		{name: "a mode", request: transcription(`{"mode":"smart","custom_vocabulary":["Go"],"language_codes":["en"]}`),
			want: map[string]string{config: `{"customVocabulary":["Go"],"languageCodes":["en"],"mode":"SMART"}`}},
		{name: "an edit", request: transcription(`{"mode":{"type":"smart","source_text":"Old."}}`),
			want: map[string]string{config: `{"mode":"SMART","sourceText":"Old."}`}},
		{name: "speakers and times", request: transcription(`{"mode":{"type":"verbatim","diarization_mode":"speaker","timestamp_granularities":["word","line"]}}`),
			want:   map[string]string{config: `{"diarization":true,"mode":"VERBATIM","wordTimestamp":true}`},
			report: "lost " + at + "/mode/timestamp_granularities/1"},
		{name: "deprecated members", request: transcription(`{"adaptation_phrases":["Go"],"language_hints":["en"],"diarization_mode":"channel","timestamp_granularities":["word"]}`),
			want:   map[string]string{config: `{"adaptationPhrases":["Go"],"languageHints":{"languageCodes":["en"]},"wordTimestamp":true}`},
			report: "lost " + at + "/diarization_mode"},
		{name: "another mode", request: transcription(`{"mode":"short"}`), report: "lost " + at + "/mode"},
	})
}

func TestSafetySettingsAreForBothServices(t *testing.T) {
	t.Parallel()
	const settings = `,"safety_settings":[{"type":"hate_speech","threshold":"block_only_high","method":"severity"},{"type":"image_hate","threshold":"off"}]`
	check(t, []row{
		{name: "the Gemini API", request: on(flash36, hi+settings),
			want:   map[string]string{"/safetySettings": `[{"category":"HARM_CATEGORY_HATE_SPEECH","threshold":"BLOCK_ONLY_HIGH"}]`},
			report: "lost /safety_settings/0/method\nlost /safety_settings/1"},
		{name: "Vertex AI", opts: vertex, request: on(flash36, hi+settings),
			want:   map[string]string{"/safetySettings": `[{"category":"HARM_CATEGORY_HATE_SPEECH","method":"SEVERITY","threshold":"BLOCK_ONLY_HIGH"},{"category":"HARM_CATEGORY_IMAGE_HATE","threshold":"OFF"}]`},
			report: inURL},
		{name: "without a type", request: on(flash36, hi+`,"safety_settings":[{"threshold":"off"}]`),
			problem: "/safety_settings"},
	})
}

func TestValidationCanBeSkipped(t *testing.T) {
	t.Parallel()
	check(t, []row{{name: "a temperature that Gemini refuses", request: with(flash25, `"temperature":9`),
		opts: []request.Option{request.WithoutValidation()},
		want: map[string]string{"/generationConfig/temperature": `9`}}})
}
