package inspector_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

// Secrets that the inspector receives, and a secret that it recognizes by its format.
const (
	upstreamKey = "upstream-key-0123456789"
	laterKey    = "later/key+9876543210"
	googleKey   = "AIzaSyD-made0up1for2this3test4only5abcd6"
)

// In this test everything that a gateway reports contains each of the secrets, even in places where
// a gateway never has one.
func TestNoSecretIsKept(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithSecrets(upstreamKey))
	b.AddSecrets(laterKey)
	all := strings.Join([]string{
		upstreamKey, laterKey, googleKey[:39], url.QueryEscape(laterKey),
		strings.ReplaceAll(laterKey, "/", `\/`),
		base64.StdEncoding.EncodeToString([]byte("xy" + upstreamKey)),
	}, " ")
	body := []byte(`{"text":"` + all + `","long":"` + strings.Repeat("x", 8<<10-10) + upstreamKey +
		strings.Repeat("y", 4<<10) + `"}`)
	header := http.Header{
		"Authorization": {"Bearer anything-at-all"}, "X-Goog-Api-Key": {"short"}, "Cookie": {"c=session"}, "X-Note": {all},
	}
	address := "/v1beta/models/m:generateContent?key=short&alt=sse&access_token=ya29.abc&x=" +
		url.QueryEscape(upstreamKey)

	r := b.Begin(exchange.Start{ID: all, At: morning, Path: address, UserAgent: all,
		ClientName: all, RemoteAddr: all, Method: "POST", Form: all})
	for _, side := range []exchange.Side{exchange.Client, exchange.Upstream} {
		r.Request(side, exchange.Request{Method: "POST", URL: address, Header: header, Body: body})
		r.Response(side, exchange.Response{Status: 200, Header: header, Body: body})
		r.Chunk(side, body)
		r.Report(side, report.Report{{Pointer: "/" + all, Kind: report.Lost, Detail: all}})
		r.Signature(exchange.Signature{Side: side, Pointer: "/" + all})
	}
	r.Attempt(exchange.Attempt{Account: all, Model: all, Err: all, Started: morning,
		Duration: time.Second})
	r.End(exchange.End{Model: all, AskedModel: all + "x", UpstreamModel: all,
		ModelWarnings: []string{all}, ErrorType: all, ErrorCode: all, ErrorMessage: all, Status: 200,
		UpstreamHost: all + ":443"})

	for _, path := range []string{"/api/exchanges/1", "/api/exchanges/1/har", "/api/har"} {
		_, _, answer := b.do(http.MethodGet, path, "")
		for _, secret := range []string{
			upstreamKey, laterKey, googleKey[:39], url.QueryEscape(laterKey), "anything-at-all",
			"c=session", "ya29.abc", "key=short",
			`"short"`, strings.ReplaceAll(laterKey, "/", `\/`), upstreamKey[:12],
			base64.StdEncoding.EncodeToString([]byte("xy" + upstreamKey))[4:24],
		} {
			if strings.Contains(answer, secret) {
				t.Errorf("%s holds %q", path, secret)
			}
		}
		if !strings.Contains(answer, "REDACTED") {
			t.Errorf("%s: nothing is removed: %s", path, answer)
		}
	}
}

func TestTheOldestExchangesGoWhenThereAreTooMany(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(3))
	for range 5 {
		b.gateway.Play(exchangetest.Lossy())
	}
	for number, want := range map[string]int{"2": http.StatusNotFound, "3": http.StatusOK,
		"5": http.StatusOK, "6": http.StatusNotFound, "x": http.StatusNotFound, "-1": http.StatusNotFound} {
		if status, _, _ := b.do(http.MethodGet, "/api/exchanges/"+number, ""); status != want {
			t.Errorf("exchange %s: %d, want %d", number, status, want)
		}
	}
}

// The record of a single endless exchange also has a limit.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	b := open(t, inspector.WithBodies(), inspector.WithMaxBytes(most))
	chunk := []byte(`{"candidates":[{"content":{"parts":[{"text":"` + strings.Repeat("word ", 200) +
		`"}]}}]}`)
	entries := make(report.Report, 3000)
	for n := range entries {
		entries[n] = report.Entry{Pointer: "/a", Kind: report.Lost, Detail: "gone"}
	}
	for range 3 {
		r := b.Begin(exchange.Start{ID: strings.Repeat("i", 1<<20), At: morning,
			Path: strings.Repeat("p", 1<<20)})
		for range 400 {
			r.Chunk(exchange.Upstream, chunk)
			r.Signature(exchange.Signature{Pointer: "/p"})
		}
		for range 30 {
			r.Attempt(exchange.Attempt{Err: strings.Repeat("e", 1<<12)})
			r.Request(exchange.Upstream, exchange.Request{Body: chunk})
			r.Request(exchange.Client, exchange.Request{Body: chunk})
		}
		r.Report(exchange.Client, entries)
		if got := b.bytes(); got > most {
			t.Fatalf("%d bytes are kept, more than %d", got, most)
		}
	}
	d := b.detail(3)
	if d.LeftOut.Chunks == 0 || d.LeftOut.Findings != 2000 {
		t.Errorf("left out: %+v", d.LeftOut)
	}
	if got := len(b.get("/api/exchanges/3")); got > 2*most {
		t.Errorf("the page gets %d bytes", got)
	}
}

// bytes returns the number of bytes that the inspector reports to keep.
func (b *browser) bytes() int {
	b.t.Helper()
	events := b.listen()
	defer events.end()
	return events.next().Bytes
}
