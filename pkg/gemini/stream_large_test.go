package gemini_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// An event of more than a megabyte is decoded in another way than a small one. Callers must not see
// a difference.
func TestALargeEventDecodesLikeASmallOne(t *testing.T) {
	t.Parallel()
	image := strings.Repeat("iVBORw0KGgo+/-_=", 100_000)
	const mark = "gemwire:left-out" // what stands for the data meanwhile
	tests := map[string]string{
		"image":                        `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"IMAGE"}}]}}]}`,
		"indented, with other members": "{\n \"candidates\": [\n {\"content\": {\"parts\": [{\"text\": \"\\\"Here\\\"\"}, {\"inlineData\": {\"data\" : \"IMAGE\", \"x\": 1}, \"thoughtSignature\": \"A==\"}]}}], \"y\": null}",
		"image of another candidate":   `{"candidates":[{},{"content":{"parts":[{"inlineData":{"data":"iVBOR"}},{"inlineData":{"data":"IMAGE"}}]}}]}`,
		"two images":                   `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"IMAGE"}},{"inlineData":{"data":"IMAGEIMAGE"}}]}}]}`,
		"in snake case":                `{"candidates":[{"content":{"parts":[{"inline_data":{"mime_type":"image/png","data":"IMAGE"}}]}}]}`,
		"lone objects":                 `{"candidates":{"content":{"parts":{"inlineData":{"data":"IMAGE"}}}}}`,
		"long text":                    `{"candidates":[{"content":{"parts":[{"text":"IMAGE"}]}}]}`,
		"long text with spaces":        `{"candidates":[{"content":{"parts":[{"text":"IMAGE IMAGE"}]}}]}`,
		"long text with escapes":       `{"candidates":[{"content":{"parts":[{"text":"say \"IMAGE\""},{"inlineData":{"data":"\"IMAGE"}}]}}]}`,
		"long signature":               `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"IMAGE"}]}}]}`,
		"long unknown member":          `{"candidates":[],"x":"IMAGE"}`,
		"long name":                    `{"candidates":[],"IMAGE":"x"}`,
		"other media in between": `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"` +
			mark + `"}},{"inlineData":{"data":"IMAGE"}}]}}]}`,
		"the mark in a text": `{"candidates":[{"content":{"parts":[{"text":"` + mark +
			`"},{"inlineData":{"data":"IMAGE"}}]}}]}`,
		"the mark instead of an image": `{"candidates":[{"content":{"parts":[{"text":"IMAGE"},{"inlineData":{"data":"` +
			mark + `"}}]}}]}`,
		"no JSON":                `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"IMAGE"}}]}}]]`,
		"member twice":           `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"IMAGE","data":""}}]}}]}`,
		"wrong type":             `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"IMAGE"},"text":7}]}}]}`,
		"content that is a text": `{"candidates":[{"content":"IMAGE"}]}`,
		"bytes that are not UTF-8": `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"IMAGE` +
			"\xff" + `"}}]}}]}`,
		"no quotes": `IMAGE`,
	}
	for name, shape := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			event := strings.ReplaceAll(shape, "IMAGE", image)
			event = strings.ReplaceAll(event, "\n", "")
			want, _, wantErr := gemini.DecodeForgiving([]byte(event))
			stream := gemini.NewStreamReader(strings.NewReader("data: " + event + "\n\n"))
			got, err := stream.Next()
			sameBytes := cmp.Comparer(func(a, b jsontext.Value) bool { return bytes.Equal(a, b) })
			if diff := cmp.Diff(want, got, sameBytes); diff != "" {
				t.Errorf("the chunk differs (-small +large):\n%.2000s", diff)
			}
			if err == nil && string(stream.Bytes()) != event {
				t.Error("the bytes differ")
			}
			if malformed, _ := errors.AsType[*wire.MalformedError](err); wantErr != nil &&
				(malformed == nil || malformed.Error() != wantErr.Error()) {
				t.Errorf("got error %v, want %v", err, wantErr)
			}
		})
	}
}

func TestALargeEventReportsHalfASurrogatePair(t *testing.T) {
	t.Parallel()
	image := strings.Repeat("iVBORw0KGgo+/-_=", 100_000)
	event := `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"` + image +
		`"}},{"text":"\ud83d"}]},"finishReason":"STOP"}]}`
	stream := gemini.NewStreamReader(strings.NewReader("data: " + event + "\n\n"))
	if _, err := stream.Next(); err != nil {
		t.Fatal(err)
	}
	entries := stream.Report()
	if len(entries) != 1 || entries[0].Kind != report.Approximated ||
		entries[0].Pointer != "/0/candidates/0/content/parts/1/text" {
		t.Errorf("reported %v", entries)
	}
}

func TestALargeErrorIsAnError(t *testing.T) {
	t.Parallel()
	message := strings.Repeat("stacktrace", 110_000)
	stream := gemini.NewStreamReader(strings.NewReader(`{"error":{"code":500,"message":"` +
		message + `"}}`))
	_, err := readAll(stream)
	if got, ok := err.(*gemini.Error); !ok || got.Message != message {
		t.Errorf("got %.200v", err)
	}
}

func TestLargeEventsFollowEachOther(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	for _, size := range []int{3 << 20, 400, 1 << 20, 200_000, 1<<20 + 7} {
		body.Write(largeStream(size))
	}
	stream := gemini.NewStreamReader(&body)
	var sizes []int
	for chunk, err := range stream.All() {
		if err != nil {
			t.Fatal(err)
		}
		if data := *chunk.Candidates[0].Content.Parts[0].InlineData.Data; strings.Trim(data,
			"A") != "" {
			t.Error("the data is damaged")
		}
		sizes = append(sizes, len(stream.Bytes())+len("data: \r\n\r\n"))
	}
	if diff := cmp.Diff([]int{3 << 20, 400, 1 << 20, 200_000, 1<<20 + 7}, sizes); diff != "" {
		t.Error(diff)
	}
	if _, err := stream.Next(); err != io.EOF {
		t.Error(err)
	}
}
