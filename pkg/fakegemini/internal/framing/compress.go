package framing

import (
	"bufio"
	"compress/gzip"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Compress returns a writer that compresses JSON with gzip for a client that asks for it, like
// Google's servers, and a function that ends the answer. Other content stays unchanged.
func Compress(w http.ResponseWriter, r *http.Request) (out http.ResponseWriter, end func()) {
	if !acceptsGzip(r.Header.Values("Accept-Encoding")) {
		return w, func() {}
	}
	c := &compressed{ResponseWriter: w}
	return c, c.end
}

// acceptsGzip reports whether a header asks for gzip.
func acceptsGzip(values []string) bool {
	for _, value := range values {
		for option := range strings.SplitSeq(value, ",") {
			name, weight, _ := strings.Cut(option, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") {
				return !isZero(weight)
			}
		}
	}
	return false
}

// isZero reports whether the weight of an option, such as "q=0", refuses it.
func isZero(weight string) bool {
	text, isWeight := strings.CutPrefix(strings.TrimSpace(weight), "q=")
	q, err := strconv.ParseFloat(text, 64)
	return isWeight && err == nil && q == 0
}

// compressors are reused from answers that have ended. One takes more memory than most answers.
var compressors = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compressed writes an answer, compressed if it is JSON.
type compressed struct {
	http.ResponseWriter
	begun bool
	gzip  *gzip.Writer // nil until data is compressed
}

// WriteHeader decides by the content type.
func (c *compressed) WriteHeader(status int) {
	if header := c.Header(); !c.begun &&
		strings.HasPrefix(header.Get("Content-Type"), "application/json") {
		header.Set("Content-Encoding", "gzip")
		header.Del("Content-Length")
		c.gzip = compressors.Get().(*gzip.Writer)
		c.gzip.Reset(c.ResponseWriter)
	}
	c.begun = true
	c.ResponseWriter.WriteHeader(status)
}

func (c *compressed) Write(data []byte) (int, error) {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.gzip == nil {
		return c.ResponseWriter.Write(data)
	}
	return c.gzip.Write(data)
}

// FlushError sends the buffered data, for [http.ResponseController].
func (c *compressed) FlushError() error {
	if c.gzip != nil {
		if err := c.gzip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// Hijack hands the connection over. Nothing more is written to it.
func (c *compressed) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c.gzip = nil
	return http.NewResponseController(c.ResponseWriter).Hijack()
}

// Unwrap lets [http.ResponseController] reach the writer inside.
func (c *compressed) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// end writes the data that compression holds back until the end.
func (c *compressed) end() {
	if c.gzip == nil {
		return
	}
	_ = c.gzip.Close() // fails if the client has disconnected
	compressors.Put(c.gzip)
	c.gzip = nil
}
