package inspector_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

func copyTo(w io.Writer, r *http.Request) (int64, error) { return io.Copy(w, r.Body) }

// newest returns the number of the newest exchange.
func (b *browser) newest() (newest int) {
	b.t.Helper()
	events := b.listen()
	defer events.end()
	for _, e := range events.next().Exchanges {
		newest = max(newest, e.Number)
	}
	return newest
}

// answered records an exchange that ended with a status.
func (b *browser) answered(start exchange.Start, status int) {
	b.t.Helper()
	start.At = morning
	b.Begin(start).End(exchange.End{Status: status})
}

func (b *browser) pin(name string, pinned bool) int {
	b.t.Helper()
	status, _, _ := b.do(http.MethodPost, "/api/exchanges/"+name+"/pin",
		`{"pinned":`+strconv.FormatBool(pinned)+`}`)
	return status
}

func TestAPinnedExchangeStays(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(4))
	b.answered(exchange.Start{ID: "req_a"}, 200)
	b.answered(exchange.Start{ID: "req_b"}, 200)
	b.detail(2)
	if status := b.pin("req_a", true); status != http.StatusNoContent {
		t.Fatal(status)
	}
	for range 5 {
		b.answered(exchange.Start{}, 200)
	}
	b.detail(7)
	for number, want := range map[string]int{"1": 200, "req_a": 200, "2": 404, "req_b": 404,
		"4": 404, "5": 200, "7": 200} {
		status, _, body := b.do(http.MethodGet, "/api/exchanges/"+number, "")
		if status != want {
			t.Errorf("exchange %s: %d, want %d", number, status, want)
		}
		if want == 404 && !strings.Contains(body, `"dropped":true`) {
			t.Errorf("exchange %s: %s", number, body)
		}
	}
	events := b.listen()
	defer events.end()
	if n := events.next(); !n.Reset || n.Oldest != 5 || !slices.Equal(n.Pinned, []int{1}) ||
		len(n.Exchanges) != 4 || !n.Exchanges[0].Pinned {
		t.Errorf("news: %+v", n)
	}
	if status := b.pin("1", false); status != http.StatusNoContent {
		t.Error(status)
	}
	if n := events.next(); n.Reset || n.Oldest != 1 || len(n.Pinned) != 0 {
		t.Errorf("news after unpinning: %+v", n)
	}
	if status := b.pin("2", true); status != http.StatusNotFound {
		t.Errorf("a dropped exchange: %d", status)
	}
}

func TestPinsTakeAtMostHalfOfTheRoom(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(4))
	for n := range 4 {
		b.answered(exchange.Start{}, 200)
		b.detail(n + 1)
	}
	for number, want := range []int{204, 204, 409, 409} {
		if status := b.pin(strconv.Itoa(number+1), true); status != want {
			t.Errorf("pin %d: %d, want %d", number+1, status, want)
		}
	}
}

// Pinned media leave room for new requests. Exchanges share equal media, which count once.
func TestPinsCountTheirMedia(t *testing.T) {
	t.Parallel()
	const room = 4 << 20
	b := open(t, inspector.WithBodies(), inspector.WithMaxBytes(room))
	for n, fill := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a"} {
		picture := base64.StdEncoding.EncodeToString(
			[]byte("\x89PNG\r\n\x1a\n" + strings.Repeat(fill, room/16-1000)))
		b.record(`{"image":"` + picture + `"}`)
		b.detail(n + 1)
	}
	for n := range 11 {
		want := http.StatusNoContent
		if n >= 7 && n < 10 {
			want = http.StatusConflict // eight of a sixteenth and their texts exceed half
		}
		if status := b.pin(strconv.Itoa(n+1), true); status != want {
			t.Errorf("pin %d: %d, want %d", n+1, status, want)
		}
	}
}

func TestClearingMayKeepWhatIsPinned(t *testing.T) {
	t.Parallel()
	b := open(t)
	for n := range 3 {
		b.answered(exchange.Start{}, 200)
		b.detail(n + 1)
	}
	b.pin("2", true)
	for body, want := range map[string]int{`{"keepPinned":true}`: 1, `{}`: 0} {
		if body == `{}` {
			continue
		}
		if status, _, _ := b.do(http.MethodPost, "/api/clear", body); status != 204 {
			t.Fatal(status)
		}
		if n := b.count(); n != want {
			t.Errorf("%s keeps %d", body, n)
		}
	}
	if b.do(http.MethodPost, "/api/clear", `{}`); b.count() != 0 {
		t.Error("a pinned exchange survives clearing all")
	}
}

// count returns the number of exchanges.
func (b *browser) count() int {
	b.t.Helper()
	events := b.listen()
	defer events.end()
	count := 0
	for {
		n := events.next()
		if count += len(n.Exchanges); !n.More {
			return count
		}
	}
}

func TestManyExchangesReachThePageInPagesTheNewestFirst(t *testing.T) {
	t.Parallel()
	b := open(t)
	for n := range 1203 {
		b.answered(exchange.Start{}, 200)
		b.detail(n + 1) // which waits until it has ended
	}
	events := b.listen()
	defer events.end()
	var ranges [][2]int
	for more := true; more; {
		n := events.next()
		more = n.More
		if n.Reset != (len(ranges) == 0) {
			t.Errorf("page %d resets: %v", len(ranges), n.Reset)
		}
		ranges = append(ranges, [2]int{n.Exchanges[0].Number, n.Exchanges[len(n.Exchanges)-1].Number})
	}
	if want := [][2]int{{704, 1203}, {204, 703}, {1, 203}}; !slices.Equal(ranges, want) {
		t.Errorf("got %v, want %v", ranges, want)
	}
}

// 500 lines of a job do not displace the requests of clients.
func TestLinesOfAJobAreFoldedTheFailedOnesStay(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(1000))
	b.answered(exchange.Start{ID: "req_first"}, 200)
	for line := 1; line <= 500; line++ {
		status := 200
		if line%50 == 0 {
			status = 400
		}
		b.answered(exchange.Start{ID: "req_line" + strconv.Itoa(line), Job: "batch_1", Line: line,
			ClientName: "night"}, status)
		b.detail(line + 1)
	}
	if n := b.count(); n != 201 {
		t.Errorf("%d exchanges are kept, want 200 lines and a request", n)
	}
	for line := 50; line <= 500; line += 50 {
		if status, _, _ := b.do(http.MethodGet, "/api/exchanges/req_line"+strconv.Itoa(line),
			""); status != 200 {
			t.Errorf("the failed line %d: HTTP %d", line, status)
		}
	}
	for id, want := range map[string]int{"req_first": 200, "req_line1": 404, "req_line499": 200} {
		if status, _, _ := b.do(http.MethodGet, "/api/exchanges/"+id, ""); status != want {
			t.Errorf("%s: HTTP %d, want %d", id, status, want)
		}
	}
	if got := b.get("/api/exchanges/req_line500"); !strings.Contains(got, `"job":"batch_1"`) ||
		!strings.Contains(got, `"line":500`) || !strings.Contains(got, `"client":"night"`) {
		t.Errorf("a line: %.900s", got)
	}
}

// Many small jobs take at most half of the list.
func TestManyJobsDoNotFlushTheList(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(100))
	for n := range 60 {
		b.answered(exchange.Start{ID: "req_client" + strconv.Itoa(n)}, 200)
	}
	for n := range 500 {
		b.answered(exchange.Start{Job: "batch_" + strconv.Itoa(n), Line: 1}, 200)
	}
	b.detail(560)
	kept := 0
	for n := range 60 {
		status, _, _ := b.do(http.MethodGet, "/api/exchanges/req_client"+strconv.Itoa(n), "")
		if status == 200 {
			kept++
		}
	}
	if kept < 50 {
		t.Errorf("%d of 60 requests of clients are left", kept)
	}
}

// The page learns of dropped lines in the middle of its list.
func TestThePageLearnsWhichLinesAreGone(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.answered(exchange.Start{ID: "req_first"}, 200)
	for line := 1; line <= 200; line++ {
		b.answered(exchange.Start{Job: "batch_1", Line: line}, 200)
		b.detail(line + 1) // which waits until it has ended
	}
	events := b.listen()
	defer events.end()
	events.next()
	b.answered(exchange.Start{Job: "batch_1", Line: 201}, 200)
	var gone []int
	for len(gone) == 0 {
		gone = append(gone, events.next().Gone...)
	}
	if !slices.Equal(gone, []int{2}) {
		t.Errorf("gone: %v", gone)
	}
}

func TestEachFailureHasAKind(t *testing.T) {
	t.Parallel()
	called := func(status int, err string) []exchange.Attempt {
		return []exchange.Attempt{{Number: 1, Account: "p", Status: status, Err: err, Started: morning}}
	}
	for name, test := range map[string]struct {
		attempts []exchange.Attempt
		end      exchange.End
		want     string
	}{
		"success":                {called(200, ""), exchange.End{Status: 200}, ""},
		"refused":                {nil, exchange.End{Status: 400, ErrorType: "e"}, "refused"},
		"left":                   {called(200, ""), exchange.End{Status: 200, Canceled: true}, "client_left"},
		"left before the answer": {nil, exchange.End{Status: 499}, "client_left"},
		"rate limit":             {called(429, "no quota"), exchange.End{Status: 429}, "rate_limited"},
		"the upstream's error":   {called(500, "oops"), exchange.End{Status: 500}, "upstream_error"},
		"a stream that is cut":   {called(200, ""), exchange.End{Status: 200, ErrorType: "e"}, "stream_cut"},
		"no connection":          {called(0, "refused"), exchange.End{Status: 502}, "connection"},
		"refused in an attempt":  {called(0, "no such file"), exchange.End{Status: 400}, "refused"},
		"timeout":                {called(0, "late"), exchange.End{Status: 504}, "timeout"},
		"blocked":                {called(200, ""), exchange.End{Status: 200, FinishReason: "content_filter"}, "blocked"},
		"the gateway":            {called(200, ""), exchange.End{Status: 500}, "gateway"},
		"the gateway before":     {nil, exchange.End{Status: 500}, "gateway"},
	} {
		b := open(t)
		r := b.Begin(exchange.Start{At: morning})
		for _, a := range test.attempts {
			r.Attempt(a)
		}
		r.End(test.end)
		if got := b.get("/api/exchanges/1"); !strings.Contains(got, `"failure":"`+test.want+`"`) {
			t.Errorf("%s: %.900s", name, got)
		}
	}
}

// Why nothing was sent is not always a refusal.
func TestARecordSaysWhyNothingWasSent(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bodies   bool
		attempts int
		end      *exchange.End
		want     string
	}{
		"a running request":         {true, 0, nil, "running"},
		"the gateway's own answer":  {true, 0, &exchange.End{Status: 200}, "own"},
		"a look-up of the upstream": {true, 1, &exchange.End{Status: 200}, "unrecorded"},
		"a refusal":                 {true, 0, &exchange.End{Status: 400}, "refused"},
		"a paused account":          {true, 0, &exchange.End{Status: 429, Rest: &exchange.Rest{Account: "p"}}, "resting"},
		"no bodies":                 {false, 1, &exchange.End{Status: 200}, "bodies_off"},
	} {
		var opts []inspector.Option
		if test.bodies {
			opts = append(opts, inspector.WithBodies())
		}
		b := open(t, opts...)
		r := b.Begin(exchange.Start{At: morning})
		for range test.attempts {
			r.Attempt(exchange.Attempt{Status: 200, Started: morning})
		}
		if test.end != nil {
			r.End(*test.end)
		}
		if got := b.get("/api/exchanges/1"); !strings.Contains(got, `"unsent":"`+test.want+`"`) {
			t.Errorf("%s: %.1200s", name, got)
		}
	}
}

func TestAPauseNamesTheAccountAndTheRequestThatCausedIt(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.Begin(exchange.Start{At: morning}).End(exchange.End{Status: 429, Rest: &exchange.Rest{
		Account: "project-1", Reason: "quota is used up", Until: morning.Add(time.Hour), By: "req_1",
	}})
	const want = `"rest":{"account":"project-1","reason":"quota is used up",` +
		`"until":"2026-11-20T10:00:00Z","by":"req_1"}`
	if got := b.get("/api/exchanges/1"); !strings.Contains(got, want) ||
		!strings.Contains(got, `"account":"project-1","failure":"rate_limited"`) {
		t.Errorf("got %.1200s", got)
	}
}

func TestTheBytesThatBrokeAStreamAreShownWithoutSecrets(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithSecrets("upstream-key"))
	b.Begin(exchange.Start{At: morning}).End(exchange.End{Status: 200, ErrorType: "server_error",
		Broken: []byte("<html>upstream-key \xff" + strings.Repeat("x", 80<<10))})
	got := b.get("/api/exchanges/1")
	if !strings.Contains(got, `"broken":"<html>REDACTED �xxx`) || len(got) > 70<<10 {
		t.Errorf("%d bytes: %.900s", len(got), got)
	}
}

// A thought signature that the client dropped is a loss, whatever the conversion reports.
func TestASignatureThatDidNotComeBackIsALoss(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	r := b.Begin(exchange.Start{At: morning, Form: "chat_completions"})
	r.Signature(exchange.Signature{Side: exchange.Client, Pointer: "/contents/1/parts/0/thoughtSignature",
		Carrier: exchange.CarrierSentinel})
	r.Signature(exchange.Signature{Side: exchange.Client, Pointer: "/contents/3/parts/0/thoughtSignature",
		Carrier: exchange.CarrierExtension})
	r.End(exchange.End{Status: 200})
	d := b.detail(1)
	if d.Summary.Lost != 1 || len(d.Findings) != 1 || d.Findings[0].Kind != "lost" ||
		text(d.Findings[0].There) != "/contents/1/parts/0/thoughtSignature" {
		t.Errorf("lost %d, findings %+v", d.Summary.Lost, d.Findings)
	}
}

// The client's 400 comes again.
func TestACopiedCommandHasGemwiresHeaders(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	r := b.Begin(exchange.Start{At: morning, Form: "messages"})
	r.Request(exchange.Client, exchange.Request{Method: "POST", URL: "/v1/messages",
		Header: http.Header{"X-Gemwire-Strict": {"true"}, "Anthropic-Version": {"2023-06-01"},
			"Accept": {"*/*"}, "X-Stainless-Os": {"Linux"}}, Body: []byte(`{}`)})
	r.End(exchange.End{Status: 400})
	said := run(t, b.get("/api/exchanges/1/curl/client"))
	if !strings.Contains(said, "<X-Gemwire-Strict: true>") ||
		!strings.Contains(said, "<Anthropic-Version: 2023-06-01>") || strings.Contains(said, "Linux") {
		t.Error(said)
	}
	if !strings.Contains(b.get("/api/exchanges/1"), `"strict":true`) {
		t.Error("the summary does not say that the request is strict")
	}
}

// The page can open a replay before the gateway has answered it.
func TestTheNumberOfAReplayIsKnownBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	gateway := &exchangetest.Gateway{}
	release := make(chan struct{})
	b := open(t, inspector.WithBodies(),
		inspector.WithReplay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mark := exchange.MarkOf(r.Context())
			recorder := gateway.Observer.Begin(exchange.Start{ID: "req_slow", At: morning, Mark: mark})
			<-release
			recorder.End(exchange.End{Status: 200})
		})))
	gateway.Observer = b.Inspector
	b.gateway.Play(exchangetest.Lossy())
	status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay", `{}`)
	if status != http.StatusOK || answer != `{"number":2,"id":"req_slow"}` {
		t.Fatal(status, answer)
	}
	if d := b.detail(2); !d.Summary.Running || d.Summary.ReplayOf != 1 {
		t.Errorf("before its answer: %+v", d.Summary)
	}
	close(release)
	for b.detail(2).Summary.Running {
		time.Sleep(time.Millisecond)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// between returns the text between two others.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
