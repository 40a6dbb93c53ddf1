package bench_test

import (
	"fmt"
	"strings"
)

// eventSize is the length of a line of a stream, without the line break.
const eventSize = 490

// sentence is the text that the model repeats.
const sentence = "Rinse the rice until the water stays clear, then rest it. "

// shape is a stream to measure.
type shape struct {
	name   string
	events int
}

var shapes = []shape{{"3-events", 3}, {"200-events", 200}}

// geminiStream returns the body of the stream, in the form in which the Gemini API sends it, and
// the text that is in it.
func (s shape) geminiStream() (body []byte, text string) {
	var said strings.Builder
	for i := range s.events {
		before, after := s.aroundText(i)
		piece := strings.Repeat(sentence,
			eventSize/len(sentence)+1)[:eventSize-len(before)-len(after)]
		said.WriteString(piece)
		body = append(body, before+piece+after+"\r\n\r\n"...)
	}
	return body, said.String()
}

// aroundText returns what stands before and after the text of an event. The last event says why the
// model ended, and the counts of tokens grow.
func (s shape) aroundText(event int) (before, after string) {
	finish := ""
	if event == s.events-1 {
		finish = `"finishReason": "STOP",`
	}
	before = `data: {"candidates": [{"content": {"parts": [{"text": "`
	after = fmt.Sprintf(`"}],"role": "model"},%s"index": 0}],"usageMetadata": {"promptTokenCount": 31,`+
		`"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 31}],`+
		`"thoughtsTokenCount": 97},"modelVersion": "%s","responseId": "v0R6abzuG9-Gz7IPkMfQ2Qg"}`,
		finish, 500+event, 628+event, model)
	return before, after
}
