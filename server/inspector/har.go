package inspector

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
)

// har answers with an exchange in the HTTP Archive format, version 1.2.
func (i *Inspector) har(w http.ResponseWriter, r *http.Request) {
	if kept, ok := i.kept(w, r); ok {
		i.writeArchive(w, "gemwire-"+strconv.Itoa(kept.number)+".har", []record{kept})
	}
}

// harOfAll answers with all exchanges.
func (i *Inspector) harOfAll(w http.ResponseWriter, r *http.Request) {
	i.writeArchive(w, "gemwire.har", i.store.all(r.Context()))
}

// all returns copies of all exchanges.
func (s *store) all(ctx context.Context) []record {
	s.mu.Lock()
	numbers := make([]int, 0, len(s.records))
	for _, r := range s.records {
		numbers = append(numbers, r.number)
	}
	s.mu.Unlock()
	var records []record
	for _, number := range numbers {
		if r, ok := s.snapshot(ctx, number); ok {
			records = append(records, r)
		}
	}
	return records
}

func (i *Inspector) writeArchive(w http.ResponseWriter, name string, records []record) {
	var archive struct {
		Log harLog `json:"log"`
	}
	archive.Log = harLog{Version: "1.2", Creator: harCreator{"gemwire inspector", "1"},
		Entries: []harEntry{}}
	for at := range records {
		archive.Log.Entries = append(archive.Log.Entries, i.harEntries(&records[at])...)
	}
	data, err := marshalIndented(archive)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the archive cannot be written")
		return
	}
	download(w, name, "application/json", data)
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// harEntry is a request and its response. Members that begin with an underscore are gemwire's,
// which the format allows.
type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment"`
	Exchange int         `json:"_exchange"`
	Side     string      `json:"_side"`
	Report   []harReport `json:"_report,omitempty"`
}

type harRequest struct {
	Method      string     `json:"method"`
	URL         string     `json:"url"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []field    `json:"cookies"`
	Headers     []field    `json:"headers"`
	QueryString []field    `json:"queryString"`
	PostData    *harPosted `json:"postData,omitzero"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harPosted struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []field    `json:"cookies"`
	Headers     []field    `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
}

// harTimings has -1 for unknown times, as the format requires.
type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type harReport struct {
	Side string `json:"side"`
	report.Entry
}

// harEntries returns the client's side of an exchange, and the recorded attempts of the upstream's
// side.
func (i *Inspector) harEntries(r *record) []harEntry {
	client := r.harEntry(&r.client, i.gateway)
	client.Side, client.Comment = "client", r.start.ID
	if r.end != nil {
		client.Time, client.Response.Status = milliseconds(r.end.Duration), r.end.Status
		client.Response.StatusText = http.StatusText(r.end.Status)
		client.Timings.Receive = max(0, client.Time-client.Timings.Wait)
	}
	for _, f := range r.findings {
		client.Report = append(client.Report, harReport{string(f.side), f.entry})
	}
	entries := []harEntry{client}
	for n := range r.tries {
		entry := r.harEntry(&r.tries[n].upstream, "")
		entry.Side, entry.Comment = "upstream", r.start.ID+", attempt "+strconv.Itoa(n+1)
		entries = append(entries, entry)
	}
	return entries
}

// harEntry returns a conversation. The base is put before the path of its request.
func (r *record) harEntry(c *conversation, base string) harEntry {
	e := harEntry{
		Exchange: r.number,
		Started:  r.start.At.Format(time.RFC3339Nano),
		Request: harRequest{
			Method: r.start.Method, URL: base + r.start.Path, HTTPVersion: "HTTP/1.1",
			Cookies: []field{}, Headers: []field{}, QueryString: []field{}, HeadersSize: -1,
			BodySize: -1,
		},
		Response: harResponse{HTTPVersion: "HTTP/1.1", Cookies: []field{}, Headers: []field{},
			HeadersSize: -1, BodySize: -1},
	}
	if c.request != nil {
		e.addRequest(c.request, base)
		e.Started = r.at(c.request.at).Format(time.RFC3339Nano)
	}
	if c.response != nil {
		e.addResponse(c)
	}
	return e
}

// addRequest adds the request.
func (e *harEntry) addRequest(m *message, base string) {
	e.Request.Method, e.Request.URL = m.method, base+m.url
	e.Request.Headers = append(e.Request.Headers, m.header...)
	e.Request.QueryString = append(e.Request.QueryString, queryOf(m.url)...)
	text := m.body.whole()
	if text != "" {
		e.Request.PostData = &harPosted{"application/json", text}
	}
	if size := len(text) + m.body.leftOut; size > 0 {
		e.Request.BodySize = size
	}
}

// addResponse adds the response and its duration.
func (e *harEntry) addResponse(c *conversation) {
	m := c.response
	e.Response.Status, e.Response.StatusText = m.status, http.StatusText(m.status)
	e.Response.Headers = append(e.Response.Headers, m.header...)
	e.Response.Content = contentOf(c)
	e.Response.BodySize = e.Response.Content.Size
	sent := time.Duration(0)
	if c.request != nil {
		sent = c.request.at
	}
	e.Timings.Wait = milliseconds(m.at - sent)
	e.Time = e.Timings.Wait
	if n := len(c.chunks); n > 0 {
		e.Timings.Receive = milliseconds(c.chunks[n-1].at - m.at)
		e.Time += e.Timings.Receive
	}
}

// contentOf returns the body of a response. The body of a stream is its events.
func contentOf(c *conversation) harContent {
	if len(c.chunks) == 0 {
		text := c.response.body.whole()
		return harContent{Size: len(text) + c.response.body.leftOut, MimeType: "application/json",
			Text: text}
	}
	var text strings.Builder
	size := 0
	for _, chunk := range c.chunks {
		line := chunk.body.whole()
		if !strings.HasPrefix(line, ":") {
			line = "data: " + line
		}
		text.WriteString(line + "\n\n")
		size += chunk.size
	}
	return harContent{Size: size, MimeType: "text/event-stream", Text: text.String()}
}

func queryOf(address string) []field {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil
	}
	var fields []field
	for name, all := range values {
		for _, value := range all {
			fields = append(fields, field{name, value})
		}
	}
	return fields
}
