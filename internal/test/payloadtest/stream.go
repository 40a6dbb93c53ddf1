package payloadtest

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json"
)

// TextStream returns the body of a stream in the format of the Gemini API. Its events have 490
// bytes with a piece of text each.
func TextStream(events int) []byte {
	var body bytes.Buffer
	for i := range events {
		end := ""
		if i == events-1 {
			end = `"finishReason": "STOP",`
		}
		head := `data: {"candidates": [{"content": {"parts": [{"text": "`
		tail := fmt.Sprintf(`"}],"role": "model"},%s"index": 0}],"usageMetadata": {"promptTokenCount": 31,`+
			`"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 31}],`+
			`"thoughtsTokenCount": 97},"modelVersion": "gemini-2.5-flash","responseId": "v0R6abzuG9-Gz7IPkMfQ2Qg"}`,
			end, 500+i, 628+i)
		text := strings.Repeat("Rinse the rice until the water stays clear, then rest it. ",
			9)[:490-len(head)-len(tail)]
		body.WriteString(head + text + tail + "\r\n\r\n")
	}
	return body.Bytes()
}

// DecodeLines reads the lines of a stream's body and decodes each event with the JSON library.
// Every converter of streams must do this work.
func DecodeLines(body []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			var c geminiapi.GenerateContentResponse
			if err := json.Unmarshal(data, &c); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}
