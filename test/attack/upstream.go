package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// upstreamKey is the key that the gateway has for its upstream.
const upstreamKey = "upstream-key-of-the-attack"

// goodModel is the model that answers as Gemini does.
const goodModel = "gemini-3.6-flash"

// upstream is a server of the Gemini API whose models do harm, by their names.
type upstream struct {
	server   *http.Server
	listener net.Listener
}

func startUpstream() (*upstream, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	u := &upstream{listener: listener,
		server: &http.Server{Handler: http.HandlerFunc(answer), ReadHeaderTimeout: time.Minute}}
	go func() { _ = u.server.Serve(listener) }()
	return u, nil
}

func (u *upstream) address() string { return u.listener.Addr().String() }

// Close ends all answers, too.
func (u *upstream) Close() { _ = u.server.Close() }

func answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	name, method, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v1beta/models/"), ":")
	if status, ok := strings.CutPrefix(name, "status-"); ok {
		writeStatus(w, status)
		return
	}
	harm, ok := models[name]
	if !ok {
		harm = answerWell
	}
	harm(w, r, method == "streamGenerateContent")
}

// models are those that do harm.
var models = map[string]func(w http.ResponseWriter, r *http.Request, isStream bool){
	"large":   answerLarge,
	"endless": answerForEver,
	"silent":  func(_ http.ResponseWriter, r *http.Request, _ bool) { <-r.Context().Done() },
	"cut":     cutAnswer,
	"deep": func(w http.ResponseWriter, _ *http.Request, _ bool) {
		_, _ = io.WriteString(w, strings.Repeat(`{"candidates":[`, 1<<20))
	},
	"page": func(w http.ResponseWriter, _ *http.Request, _ bool) {
		_, _ = io.WriteString(w, "<html><title>Sign in</title>")
	},
	"forbidden": func(w http.ResponseWriter, _ *http.Request, _ bool) {
		refuse(w, 403, "PERMISSION_DENIED", "The caller does not have permission")
	},
	"denied": func(w http.ResponseWriter, _ *http.Request, _ bool) {
		refuse(w, 401, "key_model_access_denied", "no access to the model")
	},
}

const (
	chunkStart = `{"candidates":[{"content":{"role":"model","parts":[{"text":"`
	chunkEnd   = `"}]},"index":0}],"modelVersion":"` + goodModel + `","responseId":"attack"}`
	lastEnd    = `"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,` +
		`"totalTokenCount":5},"modelVersion":"` + goodModel + `","responseId":"attack"}`
)

// goodText is the answer of the good model.
const goodText = "All is well."

func answerWell(w http.ResponseWriter, _ *http.Request, isStream bool) {
	if !isStream {
		writeJSON(w, chunkStart+goodText+lastEnd)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "data: "+chunkStart+goodText[:4]+chunkEnd+"\r\n\r\n")
	_ = http.NewResponseController(w).Flush()
	_, _ = io.WriteString(w, "data: "+chunkStart+goodText[4:]+lastEnd+"\r\n\r\n")
}

// answerLarge answers with 8 MiB.
func answerLarge(w http.ResponseWriter, _ *http.Request, isStream bool) {
	if isStream {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+chunkStart+strings.Repeat("x", 8<<20)+lastEnd+"\r\n\r\n")
		return
	}
	writeJSON(w, chunkStart+strings.Repeat("x", 8<<20)+lastEnd)
}

// answerForEver answers until the gateway leaves, and 1 GiB at most.
func answerForEver(w http.ResponseWriter, _ *http.Request, isStream bool) {
	before, piece := chunkStart, strings.Repeat("x", 64<<10)
	if isStream {
		w.Header().Set("Content-Type", "text/event-stream")
		before, piece = "", "data: "+chunkStart+piece+chunkEnd+"\r\n\r\n"
	}
	_, err := io.WriteString(w, before)
	for sent := 0; err == nil && sent < 1<<30; sent += len(piece) {
		_, err = io.WriteString(w, piece)
	}
}

// cutAnswer cuts the connection in the middle of an answer.
func cutAnswer(w http.ResponseWriter, _ *http.Request, _ bool) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, "data: "+chunkStart)
	panic(http.ErrAbortHandler)
}

func refuse(w http.ResponseWriter, status int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"code":%d,"message":%q,"status":%q,"type":%[3]q}}`, status,
		message, reason)
}

// writeStatus answers with any three digits, which package http would not.
func writeStatus(w http.ResponseWriter, status string) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	const body = "{}"
	_, _ = buffered.WriteString("HTTP/1.1 " + status +
		" Odd\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n" +
		"Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) +
		"\r\n\r\n" + body)
	_ = buffered.Flush()
}

func writeJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}
