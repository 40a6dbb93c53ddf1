package cassette

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
)

// ServeHTTP replays or records one exchange.
func (rec *Recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // The client has disconnected.
	}
	secrets := received.SecretsOf(r)
	request := requestOf(r, body, secrets)
	mode := rec.settings.Mode
	if mode == Replay || mode == RecordMissing {
		if s := rec.take(request); s != nil {
			rec.replay(w, r, s.exchange.Reply)
			return
		}
	}
	if mode == Replay {
		report := rec.unmatched(request)
		rec.report(report)
		framing.WriteComplaint(w, "NOT_RECORDED", report)
		return
	}
	forwarded := recording{recorder: rec, secrets: secrets}
	if mode != Pass {
		forwarded.entry = rec.reserve(request)
	}
	forwarded.forward(w, r, body)
}

// replay sends a recorded reply.
func (rec *Recorder) replay(w http.ResponseWriter, r *http.Request, reply Reply) {
	for name, values := range reply.Header {
		w.Header()[name] = fromHere(values, r)
	}
	w.WriteHeader(reply.Status)
	for _, chunk := range reply.Chunks {
		if !rec.wait(r, time.Duration(chunk.After)) {
			fault.Disconnect(w)
			return
		}
		if _, err := w.Write(chunk.Body); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // fails if the client has disconnected
	}
	if reply.Incomplete {
		fault.Disconnect(w)
	}
}

func (rec *Recorder) wait(r *http.Request, recorded time.Duration) bool {
	if rec.settings.Speed <= 0 {
		return true
	}
	return fault.Wait(r.Context(), time.Duration(float64(recorded)/rec.settings.Speed))
}

// here replaces, on a cassette, the address of the server that a reply sends a client to, for
// example in an upload.
const here = "{here}"

// fromHere replaces the mark with the address of this server, so that a client comes back here.
func fromHere(values []string, r *http.Request) []string {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	changed := make([]string, len(values))
	for i, value := range values {
		changed[i] = strings.ReplaceAll(value, here, scheme+r.Host)
	}
	return changed
}

// recording is one exchange with the upstream.
type recording struct {
	recorder *Recorder
	entry    *entry // nil if the exchange is not recorded
	secrets  []string
	reply    Reply
}

// forward sends a request to the upstream.
func (c *recording) forward(w http.ResponseWriter, r *http.Request, body []byte) {
	begun := time.Now()
	reply, err := c.recorder.settings.Transport.RoundTrip(c.request(r, body))
	if err != nil {
		text := "the upstream cannot be reached: " + transporterror.Text(err)
		c.recorder.report(text)
		framing.WriteComplaint(w, "NO_UPSTREAM", text)
		return
	}
	defer reply.Body.Close()
	c.reply.Status = reply.StatusCode
	c.reply.Header = c.header(reply.Header)
	for name, values := range c.reply.Header {
		w.Header()[name] = fromHere(values, r)
	}
	w.WriteHeader(reply.StatusCode)
	c.copy(w, reply.Body, begun)
	c.keep()
	if c.reply.Incomplete {
		fault.Disconnect(w)
	}
}

// request returns the request for the upstream.
func (c *recording) request(r *http.Request, body []byte) *http.Request {
	upstream := c.recorder.settings.Upstream
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.Host = upstream.Host
	out.URL.Scheme, out.URL.Host, out.URL.User = upstream.Scheme, upstream.Host, nil
	prefix := strings.TrimSuffix(upstream.Path, "/")
	out.URL.Path = prefix + out.URL.Path
	if out.URL.RawPath != "" {
		out.URL.RawPath = strings.TrimSuffix(upstream.EscapedPath(), "/") + out.URL.RawPath
	}
	out.Body, out.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
	for _, name := range connectionHeaders {
		out.Header.Del(name)
	}
	out.Header.Set("Accept-Encoding", "identity") // A cassette should be readable.
	return out
}

// connectionHeaders are about one connection, or were added by the local net/http.
var connectionHeaders = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Content-Length"}

// header returns the header of a reply in the form of a cassette.
func (c *recording) header(h http.Header) http.Header {
	kept := make(http.Header)
	for name, values := range h {
		if name == "Set-Cookie" || slices.Contains(connectionHeaders, name) {
			continue
		}
		for _, value := range values {
			value = strings.ReplaceAll(value,
				strings.TrimSuffix(c.recorder.settings.Upstream.String(), "/"), here)
			kept[name] = append(kept[name], redact.Text(value, c.secrets...))
		}
	}
	return kept
}

// copy forwards the body as it arrives.
func (c *recording) copy(w http.ResponseWriter, body io.Reader, begun time.Time) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			now := time.Now()
			c.reply.add(now.Sub(begun), buffer[:n])
			begun = now
			if _, err := w.Write(buffer[:n]); err != nil {
				c.reply.Incomplete = true
				return
			}
			_ = http.NewResponseController(w).Flush() // fails if the client has disconnected
		}
		if err != nil {
			c.reply.Incomplete = err != io.EOF
			return
		}
	}
}

// keep writes the exchange to the cassette.
func (c *recording) keep() {
	if c.entry == nil {
		return
	}
	if encoding := c.reply.Header.Get("Content-Encoding"); encoding != "" &&
		encoding != "identity" {
		c.recorder.report("the upstream sent its reply as " + encoding +
			", in which keys cannot be found; it is not recorded")
		return
	}
	c.reply.redact(c.secrets)
	if err := c.recorder.keep(c.entry, c.reply); err != nil {
		c.recorder.report("the cassette cannot be written: " + err.Error())
	}
}

// redact removes secrets from the body, also if a secret spans two chunks.
func (r *Reply) redact(secrets []string) {
	var whole strings.Builder
	for _, chunk := range r.Chunks {
		whole.Write(chunk.Body)
	}
	text := whole.String()
	spans := redact.Find(text, secrets...)
	at := 0
	for i := range r.Chunks {
		end := at + len(r.Chunks[i].Body)
		r.Chunks[i].Body = without(text, at, end, spans)
		at = end
	}
}

// without returns a part of a text without the secrets in it. The mark is where a secret begins.
func without(text string, start, end int, spans []redact.Span) Bytes {
	var out Bytes
	at := start
	for _, span := range spans {
		if span.End <= start || span.Start >= end {
			continue
		}
		if span.Start >= start {
			out = append(append(out, text[at:span.Start]...), redact.Mark...)
		}
		at = min(span.End, end)
	}
	return append(out, text[at:end]...)
}
