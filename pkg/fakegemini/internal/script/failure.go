package script

import (
	"cmp"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/go-json-experiment/json/jsontext"
)

// failures has a function for each fault, except the errors of the API.
var failures = map[fault.Kind]func(*output, fault.Fault){
	fault.HTML:        (*output).page,
	fault.Text:        (*output).page,
	fault.Empty:       (*output).page,
	fault.Redirect:    (*output).redirect,
	fault.Stall:       (*output).stall,
	fault.Cut:         (*output).cut,
	fault.Truncate:    (*output).truncate,
	fault.Reset:       (*output).reset,
	fault.Garbage:     (*output).garbage,
	fault.Slow:        (*output).slow,
	fault.ContentType: (*output).contentType,
}

func (out *output) fail(f fault.Fault) {
	if f.IsError() {
		out.apiError(f)
		return
	}
	failures[f.Kind](out, f)
}

// hasContent reports whether part of the answer comes before the fault.
func (out *output) hasContent() bool { return out.sent > 0 || len(out.whole) > 0 }

// apiError answers with an error. After the beginning of an answer the status is already 200.
func (out *output) apiError(f fault.Fault) {
	status, envelope := f.ErrorBody(out.request.Model)
	switch {
	case out.stream == nil:
		if out.hasContent() {
			status = http.StatusOK
		}
		_ = framing.WriteWhole(out.w, status, envelope)
	case f.AsEvent && out.hasContent():
		_ = out.stream.Chunk(envelope)
		_ = out.stream.Close()
	default:
		_ = out.stream.Error(status, envelope)
	}
}

// pages are the bodies and content types of answers that are not the API's.
var pages = map[fault.Kind]struct{ contentType, body string }{
	fault.HTML: {"text/html; charset=UTF-8",
		"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"},
	fault.Text: {"text/plain; charset=UTF-8",
		"upstream connect error or disconnect/reset before headers\n"},
	fault.Empty: {"application/json; charset=UTF-8", ""},
}

func (out *output) page(f fault.Fault) {
	page := pages[f.Kind]
	body := []byte(cmp.Or(f.Body, page.body))
	if out.stream != nil && out.hasContent() {
		_ = out.stream.Raw(body)
		return
	}
	out.w.Header().Set("Content-Type", cmp.Or(f.ContentType, page.contentType))
	out.w.WriteHeader(cmp.Or(f.HTTPStatus, http.StatusOK))
	_, _ = out.w.Write(body)
}

func (out *output) redirect(f fault.Fault) {
	if out.stream != nil && out.hasContent() {
		return // It is too late for a redirect.
	}
	out.w.Header().Set("Location", cmp.Or(f.Location, "https://login.example/"))
	out.w.WriteHeader(cmp.Or(f.HTTPStatus, http.StatusFound))
}

// stall sends nothing more until the client or the server stops: no header if nothing came before,
// and within a response its first half.
func (out *output) stall(fault.Fault) {
	if out.stream == nil && out.hasContent() {
		out.half()
	}
	<-out.ctx.Done()
	fault.Disconnect(out.w)
}

func (out *output) cut(fault.Fault) {
	out.half()
	fault.Disconnect(out.w)
}

func (out *output) reset(fault.Fault) {
	if out.hasContent() {
		out.half()
	}
	fault.ResetConnection(out.w)
}

// truncate ends like a complete answer: a stream between two chunks, a response after its first
// half.
func (out *output) truncate(fault.Fault) {
	if out.stream != nil {
		_ = out.stream.Raw(nil)
		return
	}
	out.half()
}

// half sends the first half of the response, or of one more chunk.
func (out *output) half() {
	out.w.Half = true
	if out.stream != nil {
		_ = out.stream.Chunk(filler)
	} else {
		out.writeHalf()
	}
	out.w.Half = false
	_ = http.NewResponseController(out.w).Flush() // fails if the client has disconnected
}

func (out *output) writeHalf() {
	if !out.hasContent() {
		_ = framing.WriteWhole(out.w, http.StatusOK, filler)
		return
	}
	out.writeWhole()
}

// filler is a chunk that is never sent completely.
var filler = jsontext.Value(`{"candidates":[{"content":{"parts":[{"text":"the rest of the answer"}],"role":"model"},"index":0}]}`)

// garbage sends text that is not JSON, and ends like a complete answer.
func (out *output) garbage(f fault.Fault) {
	text := cmp.Or(f.Body, "{\"candidates\": [{\x00\x01 <<<>>> ]]")
	if out.stream != nil {
		if out.form == framing.Events {
			text = "data: " + text + "\r\n\r\n"
		}
		_ = out.stream.Raw([]byte(text))
		return
	}
	out.half()
	_, _ = out.w.Write([]byte(text))
}

func (out *output) slow(f fault.Fault) {
	out.w.Bytes = cmp.Or(f.Bytes, 1)
	out.w.Every = cmp.Or(time.Duration(f.Every), 10*time.Millisecond)
}

func (out *output) contentType(f fault.Fault) { out.w.ContentType = f.ContentType }
