package geminibatch

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// passage is the path of one line through the gateway. The context of its calls holds it. A line
// has one call, and one more for each further hundred texts of an embedding line.
type passage struct {
	// answerTo returns the answer to a request of the line by its index, or nil if it is missing.
	// The function itself is nil while requests are collected.
	answerTo func(number int) *answer
	// isLeft reports that a request had no usable answer.
	isLeft bool

	// isAsked reports that there was a call.
	isAsked bool
	// requests are the requests for a model. The list is empty if batches do not support the calls.
	// If embeds is true they ask for embeddings, and otherwise for contents.
	model    string
	embeds   bool
	requests []jsontext.Value
}

// Model methods whose requests can be in a batch. A batch request asks for one vector, but a call
// may ask for several.
const (
	methodGenerate = "generateContent"
	methodEmbed    = "embedContent"
	methodEmbedAll = "batchEmbedContents"
)

// passageKey is the key of a passage in a context.
type passageKey struct{}

// Do implements [gemini.Doer] in Gemini's place.
func (p *passage) Do(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	status, reply := p.pass(r.URL.Path, body)
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(reply)),
		ContentLength: int64(len(reply)), Request: r,
	}, nil
}

// nothing is a reply that is never read.
const nothing = `{"error":{"code":400,"message":"caught","status":"INVALID_ARGUMENT"}}`

// pass handles a call, and returns the reply to it.
func (p *passage) pass(path string, body []byte) (status int, reply []byte) {
	model, method := methodOf(path)
	first := len(p.requests)
	switch method {
	case methodGenerate:
		p.requests = append(p.requests, body)
	case methodEmbed:
		p.embeds, p.requests = true, append(p.requests, body)
	case methodEmbedAll:
		p.embeds, p.requests = true,
			append(p.requests, jsonx.Elements(jsonx.Member(body, "requests"))...)
	}
	p.isAsked, p.model = true, model
	answers, failure := p.answersFrom(first)
	switch {
	case failure != nil:
		return failure.status, bodyOf(failure.failure)
	case len(answers) == 0:
		return http.StatusBadRequest, []byte(nothing)
	case method == methodEmbedAll:
		return http.StatusOK, vectorsOf(answers)
	default:
		return http.StatusOK, answers[0]
	}
}

// answersFrom returns the answers to the requests from the first on. It returns none if one is
// missing, or the failure of a failed one. While embedding requests are collected it returns
// placeholders, so that the gateway makes its next call too.
func (p *passage) answersFrom(first int) (answers []jsontext.Value, failure *answer) {
	switch {
	case p.answerTo == nil && p.embeds:
		return placeholders(p.requests[first:]), nil
	case p.answerTo == nil:
		return nil, nil
	}
	for number := first; number < len(p.requests); number++ {
		found := p.answerTo(number)
		switch {
		case found == nil || !found.isUsable():
			p.isLeft = true
			return nil, nil
		case found.response == nil:
			return nil, found
		}
		answers = append(answers, found.response)
	}
	p.isLeft = len(answers) == 0
	return answers, nil
}

// methodOf returns the model and the method of a path that ends with models/M:METHOD. Otherwise it
// returns "".
func methodOf(path string) (model, method string) {
	_, rest, isModel := strings.Cut(path, "/models/")
	model, method, isMethod := strings.Cut(rest, ":")
	if !isModel || !isMethod {
		return "", ""
	}
	return model, method
}
