package customsearchtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
)

// Hang sends no answer until the client gives up.
func Hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// HangInBody begins an answer, and then sends nothing until the client gives up.
func HangInBody(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, `{"items": [`)
	http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// Reset breaks the connection before the answer.
func Reset(w http.ResponseWriter, _ *http.Request) { raw(w, "", true) }

// ResetInBody breaks the connection within the body.
func ResetInBody(w http.ResponseWriter, _ *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"items\": [", true)
}

// CutShort closes the connection before the announced end of the body.
func CutShort(w http.ResponseWriter, _ *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"items\": []}", false)
}

// Silent closes the connection without an answer.
func Silent(w http.ResponseWriter, _ *http.Request) { raw(w, "", false) }

// NotHTTP answers in another protocol.
func NotHTTP(w http.ResponseWriter, _ *http.Request) { raw(w, "220 mail.example ESMTP\r\n", false) }

// Unsolicited sends a good answer, and then bytes that the client did not ask for.
func Unsolicited(w http.ResponseWriter, _ *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"items\": []}HTTP/1.1 500 Oops\r\n\r\n",
		false)
}

// raw writes bytes to the connection and closes it. If reset is set, it closes the connection with
// an RST.
func raw(w http.ResponseWriter, answer string, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	io.WriteString(conn, answer)
	if reset {
		conn.(*net.TCPConn).SetLinger(0)
	}
	conn.Close()
}

// HTML answers with an HTML page, like proxies and captive portals.
func HTML(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		io.WriteString(w, "<!DOCTYPE html><html><title>Sign in to the network</title></html>")
	}
}

// Large answers with a well-formed body of about size bytes.
func Large(status, size int) http.HandlerFunc {
	return JSON(status, largeBody(size))
}

// Bomb answers with a small compressed body that is size bytes long after decompression.
func Bomb(size int) http.HandlerFunc {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	io.WriteString(writer, largeBody(size))
	writer.Close()
	return compressed(packed.Bytes())
}

// CorruptGzip answers with a body that claims to be gzip, but is not.
func CorruptGzip(w http.ResponseWriter, r *http.Request) {
	compressed([]byte(`{"items": []}`))(w, r)
}

func compressed(body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(body)
	}
}

func largeBody(size int) string {
	return `{"items": [{"title": "` + strings.Repeat("a", size) +
		`", "link": "https://a.example/"}]}`
}

// EchoInError answers with an error of the API that quotes the request's URL with the key.
func EchoInError(w http.ResponseWriter, r *http.Request) {
	JSON(http.StatusBadRequest,
		`{"error": {"message": "`+r.URL.String()+` has key `+r.FormValue("key")+`"}}`)(w, r)
}

// EchoInResult answers with a result that quotes the request's URL with the key.
func EchoInResult(w http.ResponseWriter, r *http.Request) {
	JSON(http.StatusOK, `{"items": [{"title": "`+r.FormValue("key")+`", "link": "http://a.example`+
		r.URL.String()+
		`", "snippet": "cx is `+r.FormValue("cx")+`"}]}`)(w, r)
}

// Redirect answers with a redirect to another server with the same query.
func Redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", to+"?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusFound)
	}
}
