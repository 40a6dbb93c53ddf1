package upstream

import (
	"bytes"
	"strconv"
)

// What an answer has around its text.
const (
	answerStart = `{"candidates":[{"content":{"role":"model","parts":[{"text":"[`
	answerEnd   = `"}]},"index":0`
	finished    = `,"finishReason":"STOP"`
	answerUsage = `}],"usageMetadata":{"promptTokenCount":250,"candidatesTokenCount":`
	answerTotal = `,"totalTokenCount":`
	answerTail  = `,"promptTokensDetails":[{"modality":"TEXT","tokenCount":250}]},"modelVersion":"gemini-load","responseId":"load-response"}`
	// chunkText is the rest of a chunk's text, some tokens as Gemini sends them at once.
	chunkText = "] the quick brown fox"
)

// appendWhole appends a whole answer of roughly size bytes.
func appendWhole(dst []byte, size int) []byte {
	const frame = len(answerStart) + len(answerEnd) + len(finished) + len(answerUsage) +
		len(answerTotal) + len(answerTail)
	dst = append(dst, answerStart+"0] "...)
	words := []byte("lorem ipsum dolor sit amet ")
	if room := size - frame; room > 0 {
		text := bytes.Repeat(words, room/len(words)+1)
		dst = append(dst, text[:room]...)
	}
	return appendUsage(append(dst, answerEnd+finished...), 180)
}

// appendUsage appends the rest of an answer, with its number of tokens. Each chunk counts all
// tokens up to it.
func appendUsage(dst []byte, tokens int) []byte {
	dst = append(dst, answerUsage...)
	dst = strconv.AppendInt(dst, int64(tokens), 10)
	dst = append(dst, answerTotal...)
	dst = strconv.AppendInt(dst, int64(250+tokens), 10)
	return append(dst, answerTail...)
}

// appendEvent appends the event of the chunk of a number, as a piece of a chunked body.
func appendEvent(dst []byte, number int, isLast bool) []byte {
	event := make([]byte, 0, 512)
	event = append(event, "data: "+answerStart...)
	event = strconv.AppendInt(event, int64(number), 10)
	event = append(event, chunkText+answerEnd...)
	if isLast {
		event = append(event, finished...)
	}
	event = append(appendUsage(event, 20*(number+1)), "\r\n\r\n"...)
	dst = strconv.AppendInt(dst, int64(len(event)), 16)
	dst = append(dst, "\r\n"...)
	dst = append(dst, event...)
	return append(dst, "\r\n"...)
}

// appendRefusal appends an error as the API reports it.
func appendRefusal(dst []byte, status int) []byte {
	dst = append(dst, `{"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(status), 10)
	return append(dst, `,"message":"The load asks for this.","status":"UNAVAILABLE"}}`...)
}
