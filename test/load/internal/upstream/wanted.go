package upstream

import (
	"bytes"
	"strconv"
	"time"
)

// Wanted says what the prompt of a request asks for.
type Wanted struct {
	// Size is roughly how many bytes a whole answer has: "size=1024", which is the default.
	Size int
	// Chunks is how many chunks a stream has: "chunks=20", by default 3.
	Chunks int
	// Pause is the time between two chunks, in milliseconds: "pause=10", by default none.
	Pause time.Duration
	// Status is the status of the answer: "status=503" for an error, 200 for an answer.
	Status int
}

// Prompt returns the words that ask for it.
func (w Wanted) Prompt() string {
	var words []byte
	for _, word := range []struct {
		name  string
		value int
	}{{sizeWord, w.Size}, {chunksWord, w.Chunks}, {pauseWord,
		int(w.Pause.Milliseconds())}, {statusWord, w.Status}} {
		if word.value != 0 {
			words = append(words, word.name...)
			words = strconv.AppendInt(words, int64(word.value), 10)
			words = append(words, ' ')
		}
	}
	return string(bytes.TrimSpace(words))
}

// The words of a prompt.
const (
	sizeWord   = "size="
	chunksWord = "chunks="
	pauseWord  = "pause="
	statusWord = "status="
)

// wantedBy reads a body, whatever its form: the words are the same in all.
func wantedBy(body []byte) Wanted {
	return Wanted{
		Size:   number(body, sizeWord, 1024),
		Chunks: number(body, chunksWord, 3),
		Pause:  time.Duration(number(body, pauseWord, 0)) * time.Millisecond,
		Status: number(body, statusWord, 200),
	}
}

// number returns the number after a word, or absent without the word.
func number(body []byte, word string, absent int) int {
	at := bytes.Index(body, []byte(word))
	if at < 0 {
		return absent
	}
	value := 0
	for _, digit := range body[at+len(word):] {
		if digit < '0' || digit > '9' {
			break
		}
		value = value*10 + int(digit-'0')
	}
	return value
}
