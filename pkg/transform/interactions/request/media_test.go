package request_test

import "testing"

func TestMediaOfTheUser(t *testing.T) {
	t.Parallel()
	const pixel = "iVBORw0KGgo="
	const part = "/contents/0/parts/0"
	content := func(block string) string { return on(flash36, `"input":[`+block+`]`) }
	check(t, []row{
		{name: "an image", request: content(`{"type":"image","mime_type":"image/png","data":"` + pixel + `","resolution":"ultra_high"}`),
			want: map[string]string{part: `{"inlineData":{"data":"` + pixel + `","mimeType":"image/png"},"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}}`}},
		{name: "an image for a model with one resolution", request: on(flash25,
			`"input":{"type":"image","mime_type":"image/png","data":"`+pixel+`","resolution":"high"}`),
			want: map[string]string{part: `{"inlineData":{"data":"` + pixel + `","mimeType":"image/png"}}`,
				"/generationConfig/mediaResolution": `"MEDIA_RESOLUTION_HIGH"`}},
		{name: "raw sound", request: content(`{"type":"audio","mime_type":"audio/l16","data":"AAAA","sample_rate":24000,"channels":1}`),
			want:   map[string]string{part: `{"inlineData":{"data":"AAAA","mimeType":"audio/L16;codec=pcm;rate=24000"}}`},
			report: "lost /input/0/channels"},
		{name: "a clip of a video", request: content(`{"type":"video","mime_type":"video/mp4","uri":"https://www.youtube.com/watch?v=a","processing":{"type":"static","start_offset":"1s","end_offset":"2s","fps":2}}`),
			want: map[string]string{part: `{"fileData":{"fileUri":"https://www.youtube.com/watch?v=a","mimeType":"video/mp4"},"videoMetadata":{"endOffset":"2s","fps":2,"startOffset":"1s"}}`}},
		{name: "a video by the model's choice", request: content(`{"type":"video","mime_type":"video/mp4","uri":"gs://a/b.mp4","processing":"agentic","name":"b"}`),
			want:   map[string]string{part: `{"fileData":{"fileUri":"gs://a/b.mp4","mimeType":"video/mp4"},"mediaProcessing":"AGENTIC"}`},
			report: "lost /input/0/name"},
		{name: "a video by the model's choice on Vertex AI", opts: vertex, request: content(`{"type":"video","mime_type":"video/mp4","uri":"gs://a/b.mp4","processing":"agentic"}`),
			want:   map[string]string{part: `{"fileData":{"fileUri":"gs://a/b.mp4","mimeType":"video/mp4"}}`},
			report: inURL + "\nlost /input/0/processing"},
		{name: "a document", request: on(flash36, `"input":[{"type":"user_input","content":[{"type":"document","mime_type":"application/pdf","uri":"files/a"}]}]`),
			want:   map[string]string{part: `{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a","mimeType":"application/pdf"}}`},
			report: "approximated /input/0/content/0/uri"},
		{name: "an image without a type", request: content(`{"type":"image","data":"` + pixel + `"}`),
			want: map[string]string{part + "/inlineData/mimeType": `"image/png"`}},
		{name: "data that are not base64", request: content(`{"type":"image","mime_type":"image/png","data":"$$$$"}`),
			problem: "/input/0/data the data in it is not base64"},
		{name: "an address that Gemini cannot read", request: content(`{"type":"image","mime_type":"image/png","uri":"ftp://a/b"}`),
			problem: "/input/0/uri must be an address that Gemini can read"},
		{name: "no data", request: content(`{"type":"text","text":"See."},{"type":"image","mime_type":"image/png"}`),
			want: map[string]string{"/contents/0/parts": `[{"text":"See."}]`}, report: "lost /input/1/mime_type\nlost /input/1/type"},
		{name: "an unknown block in a step", request: inputOf(`{"type":"user_input","content":[{"type":"text","text":"See."},{"type":"smell","data":"AAAA"}]}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"See."}]`},
			report: "lost /input/0/content/1/data\nlost /input/0/content/1/type"},
		{name: "an empty text before another", request: content(`{"type":"text","text":""},{"type":"text","text":"See."}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"See."}]`},
			report: "approximated /input/0"},
		{name: "an empty text alone", request: on(flash36, `"input":""`),
			want: map[string]string{"/contents/0/parts": `[{"text":""}]`}, report: "approximated /input"},
	})
}
