package geminibatch

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// keyOf returns the key of a line's request: the line's number, and for later requests of the line
// their index, such as "7" and "7-1". It is shorter than the line's id, and valid on any server.
func keyOf(l *line.Line, request int) string {
	if request == 0 {
		return strconv.Itoa(l.Number)
	}
	return strconv.Itoa(l.Number) + "-" + strconv.Itoa(request)
}

// numberOf returns the line number of a key, or 0 for an invalid key.
func numberOf(key string) int {
	first, _, _ := strings.Cut(key, "-")
	number, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return number
}

// answers are the answers to a line's requests, by their keys.
type answers map[string]*answer

// answer is the answer to one request.
type answer struct {
	response jsontext.Value
	failure  jsontext.Value
	status   int // of HTTP, for a failure that another try does not change; else 0
	// others is the number of earlier answers with the same key.
	others []jsontext.Value
}

// isUsable reports whether an answer is a result of its line. If a key occurs twice, its answers
// are not usable, because keys were seen to be mixed up
// (github.com/googleapis/python-genai/issues/1909). A temporary failure, or a failure about the
// project, is not a result either.
func (a *answer) isUsable() bool {
	switch {
	case len(a.others) > 0:
		return false
	case a.response != nil:
		return true
	default:
		return a.status != 0
	}
}

// readAnswer reads a line of a results file. A malformed line has no key, so its request has no
// result.
func readAnswer(text []byte) (key string, found *answer) {
	var result struct {
		Key      string         `json:"key"`
		Response jsontext.Value `json:"response"`
		Error    jsontext.Value `json:"error"`
	}
	if json.Unmarshal(text, &result) != nil {
		return "", nil
	}
	found = &answer{}
	if result.Response.Kind() == jsontext.KindBeginObject {
		found.response = result.Response
	} else if result.Error.Kind() == jsontext.KindBeginObject {
		found.failure, found.status = result.Error, statusOf(result.Error)
	}
	return result.Key, found
}

// refusals maps the codes of permanent failures (google.rpc.Code) to HTTP statuses.
var refusals = map[int]int{
	3:  http.StatusBadRequest, // INVALID_ARGUMENT
	5:  http.StatusNotFound,   // NOT_FOUND
	9:  http.StatusBadRequest, // FAILED_PRECONDITION
	11: http.StatusBadRequest, // OUT_OF_RANGE
	12: http.StatusBadRequest, // UNIMPLEMENTED
}

// statusOf returns the HTTP status of a failure, or 0 if it is temporary or about the project.
func statusOf(failure jsontext.Value) int {
	var refused struct {
		Code int `json:"code"`
	}
	_ = json.Unmarshal(failure, &refused) // or the code is 0, of none
	status := refusals[refused.Code]
	if status != 0 && gemini.DecodeError(status, nil, bodyOf(failure)).RefusesCredential() {
		return 0
	}
	return status
}

// bodyOf returns the error body that a single call would have received.
func bodyOf(failure jsontext.Value) []byte { return []byte(`{"error":` + string(failure) + `}`) }

// lineWriter splits what is written to it into lines.
type lineWriter struct {
	take func(text []byte) error
	rest []byte
	err  error // of take, which ends it
}

// Write implements [io.Writer].
func (w *lineWriter) Write(p []byte) (int, error) {
	size := len(p)
	for {
		text, more, isWhole := bytes.Cut(p, []byte("\n"))
		w.rest = append(w.rest, text...)
		if !isWhole {
			return size, nil
		}
		if w.end(); w.err != nil {
			return 0, w.err
		}
		p = more
	}
}

// end handles a last line without a newline.
func (w *lineWriter) end() {
	if len(bytes.TrimSpace(w.rest)) > 0 && w.err == nil {
		w.err = w.take(w.rest)
	}
	w.rest = w.rest[:0]
}
