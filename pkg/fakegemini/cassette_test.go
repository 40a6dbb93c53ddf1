package fakegemini_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

// recorder returns a server that records another one, or replays it.
func recorder(t testing.TB, path string, mode geminitest.Mode, upstream *geminitest.Server,
	opts ...geminitest.Option) *geminitest.Server {
	opts = append(opts, geminitest.WithCassette(path, mode))
	if upstream != nil {
		opts = append(opts, geminitest.WithUpstreamTransport(upstream.HTTPClient().Transport))
	}
	return geminitest.NewServer(t, opts...)
}

// saying returns a server that answers every prompt with the same text, and counts the requests.
func saying(t testing.TB, text string) *geminitest.Server {
	return geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text(text))))
}

func TestACassetteReplaysByteForByte(t *testing.T) {
	t.Parallel()
	upstream := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Model("gemini-3*")).Reply(geminitest.RateLimited(time.Second)),
		geminitest.On().Reply(geminitest.Text("Hel", "lo"), geminitest.Call("f", `{"x": 1}`)),
	))
	path := filepath.Join(t.TempDir(), "folder", "cassette.yaml")
	type exchange struct {
		status int
		kind   string
		body   string
	}
	all := func(srv *geminitest.Server) (exchanges []exchange) {
		for _, path := range []string{generate, stream, listStream, generate3, stream3,
			"/v1beta/nothing"} {
			reply, body := post(t, srv, path, hello)
			exchanges = append(exchanges,
				exchange{reply.StatusCode, reply.Header.Get("Content-Type"), body})
		}
		return exchanges
	}
	direct := all(upstream)
	recorded := all(recorder(t, path, geminitest.RecordAll, upstream))
	replayed := all(recorder(t, path, geminitest.Replay, nil, geminitest.WithAllFixturesUsed()))
	if len(upstream.Requests()) != 12 {
		t.Errorf("%d requests came to the upstream", len(upstream.Requests()))
	}
	for i := range direct { // Ids differ from request to request.
		if recorded[i].status != direct[i].status || recorded[i].kind != direct[i].kind ||
			len(recorded[i].body) != len(direct[i].body) {
			t.Errorf("recorded %+v, direct %+v", recorded[i], direct[i])
		}
	}
	if diff := cmp.Diff(recorded, replayed, cmp.AllowUnexported(exchange{})); diff != "" {
		t.Error(diff)
	}
}

func TestACassetteHoldsNoKeyInItsSpellings(t *testing.T) {
	t.Parallel()
	const key, token, inQuery = "AIza+S3cret/K3y&more", "ya29.t0ken-of-the-user",
		"query=k3y/with+signs"
	spellings := map[string]func(string) string{
		"plain":         func(s string) string { return s },
		"percent":       url.QueryEscape,
		"percent twice": func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
		"HTML":          html.EscapeString,
		"hexadecimal":   func(s string) string { return hex.EncodeToString([]byte(s)) },
		"base64":        func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"URL-safe":      func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		"in capitals":   strings.ToUpper,
	}
	for name, spell := range spellings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("X-Goog-Api-Key") != key ||
						r.Header.Get("Authorization") != "Bearer "+token ||
						r.URL.Query().Get("key") != inQuery {
						t.Error("the upstream was not called with the keys")
					}
					w.Header().Set("X-Debug", spell(key))
					w.Header().Set("Set-Cookie", "session="+token)
					w.WriteHeader(400)
					for _, secret := range []string{key, token, inQuery} {
						spelled := spell(secret)
						for _, piece := range []string{"{\"message\": \"", spelled[:3], spelled[3:7],
							spelled[7:], "\"}\r\n"} {
							_, _ = io.WriteString(w, piece)
							_ = http.NewResponseController(w).Flush()
							time.Sleep(2 * time.Millisecond)
						}
					}
				}))
			defer upstream.Close()
			path := filepath.Join(t.TempDir(), "cassette.yaml")
			srv := geminitest.NewServer(t, geminitest.WithCassette(path, geminitest.RecordAll),
				geminitest.WithUpstream(upstream.URL))
			body := fmt.Sprintf(`{"contents":[{"parts":[{"text":"my key is %s"}]}]}`,
				strings.NewReplacer(`\`, `\\`).Replace(spell(key)))
			r, err := http.NewRequest(http.MethodPost,
				srv.URL()+generate+"?key="+url.QueryEscape(inQuery)+"&x=1", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Goog-Api-Key", key)
			r.Header.Set("Authorization", "Bearer "+token)
			reply, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, reply.Body)
			reply.Body.Close()
			written := read(t, path)
			if !strings.Contains(written, "status: 400") || strings.Count(written, "REDACTED") < 5 {
				t.Fatalf("not recorded:\n%s", written)
			}
			flat := strings.ToLower(strings.NewReplacer("\n", "", " ", "").Replace(written))
			for _, secret := range []string{key, token, inQuery} {
				for name, spell := range spellings {
					if spelled := strings.ToLower(spell(secret)); strings.Contains(flat, spelled) {
						t.Errorf("%s is there, %s:\n%s", spelled, name, written)
					}
				}
			}
			for _, word := range []string{"key=", "set-cookie", "session"} {
				if strings.Contains(flat, word) {
					t.Errorf("%s is there:\n%s", word, written)
				}
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestARecordingKeepsItsTimesAndIsReplayedAtAnySpeed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	synctest.Test(t, func(t *testing.T) {
		upstream := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.TTFT(time.Second), geminitest.Text("a"), geminitest.Pause(4*time.Second),
			geminitest.Text("b"))))
		want := []time.Duration{time.Second, 5 * time.Second}
		if got := chunkTimes(t, recorder(t, path, geminitest.RecordAll, upstream)); cmp.Diff(want,
			got) != "" {
			t.Errorf("recorded: %v", got)
		}
		for speed, want := range map[float64][]time.Duration{
			0: {0, 0}, 1: want, 2: {time.Second / 2, 5 * time.Second / 2},
			0.5: {2 * time.Second, 10 * time.Second},
		} {
			if got := chunkTimes(t,
				recorder(t, path, geminitest.Replay, nil,
					geminitest.WithReplaySpeed(speed))); cmp.Diff(want, got) != "" {
				t.Errorf("at %v: %v", speed, got)
			}
		}
	})
}

func TestReplayRefusesWhatWasNotRecordedAndShowsTheDifference(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	upstream := saying(t, "x")
	srv := recorder(t, path, geminitest.RecordAll, upstream)
	answerTo(t, srv, generate, hello)
	answerTo(t, srv, generate, toolTurn)

	test := &failuretest.Recorder{TB: t}
	srv = recorder(test, path, geminitest.Replay, upstream)
	defer test.End()
	reply, got := post(t, srv, generate, strings.Replace(hello, "Hello", "Hullo", 1))
	if failure := gemini.DecodeError(reply.StatusCode, reply.Header,
		[]byte(got)); failure.HTTPStatus != 400 || failure.Reason() != "NOT_RECORDED" {
		t.Errorf("%#v", failure)
	}
	for _, want := range []string{
		"cassette.yaml has no reply to POST /v1beta/models/gemini-2.5-flash:generateContent; the nearest is exchange 1 (-recorded +requested):",
		`"text": "Hello"`, `"text": "Hullo"`,
	} {
		if !strings.Contains(test.Text(), want) &&
			!strings.Contains(strings.ReplaceAll(test.Text(), `\"`, `"`), want) {
			t.Errorf("%s is missing in\n%s", want, test.Text())
		}
	}
	if len(upstream.Requests()) != 2 {
		t.Error("the upstream was asked")
	}
}

func TestReplaySaysWhenARequestWasAskedMoreOften(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	answerTo(t, recorder(t, path, geminitest.RecordAll, saying(t, "x")), generate, hello)
	test := &failuretest.Recorder{TB: t}
	srv := recorder(test, path, geminitest.Replay, nil)
	defer test.End()
	answerTo(t, srv, generate, hello)
	post(t, srv, generate, hello)
	if !strings.Contains(test.Text(), "left; the recording has 1 of these requests") {
		t.Error(test.Text())
	}
}

func TestEqualRequestsGetTheirRepliesInOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	upstream := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("a")).Reply(
			geminitest.Text("b")).Reply(geminitest.Text("c"))))
	srv := recorder(t, path, geminitest.RecordAll, upstream)
	for range 3 {
		answerTo(t, srv, generate, hello)
	}
	srv = recorder(t, path, geminitest.Replay, nil)
	reordered := `{"contents": [{"parts": [{"text": "Hello"}], "role": "user"}]}`
	stored := `{"store": false,` + reordered[1:]
	got := answerTo(t, srv, generate, hello) + answerTo(t, srv, generate, reordered) +
		answerTo(t, srv, generate, stored)
	if got != "abc" {
		t.Error(got)
	}
}

func TestRequestsAtTheSameTimeAreRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	for _, srv := range []*geminitest.Server{
		recorder(t, path, geminitest.RecordAll, geminitest.NewServer(t)),
		nil,
	} {
		if srv == nil {
			srv = recorder(t, path, geminitest.Replay, nil, geminitest.WithAllFixturesUsed())
		}
		done := make(chan int, 20)
		for i := range 20 {
			go func() {
				reply, _ := post(t, srv, stream,
					strings.Replace(hello, "Hello", fmt.Sprint("Hello ", i/2), 1))
				done <- reply.StatusCode
			}()
		}
		for range 20 {
			if status := <-done; status != 200 {
				t.Error(status)
			}
		}
	}
	if n := strings.Count(read(t, path), "- request:"); n != 20 {
		t.Errorf("%d exchanges", n)
	}
}

func TestModesOfACassette(t *testing.T) {
	t.Parallel()
	const other = `{"contents":[{"role":"user","parts":[{"text":"Bye"}]}]}`
	for name, test := range map[string]struct {
		mode            geminitest.Mode
		hello, bye      string // what is answered
		toUpstream      int
		exchanges       int
		stillHasTheFile bool
	}{
		"record missing": {geminitest.RecordMissing, "former", "new", 1, 2, true},
		"record all":     {geminitest.RecordAll, "new", "new", 2, 2, false},
		"pass":           {geminitest.Pass, "new", "new", 2, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "cassette.yaml")
			answerTo(t, recorder(t, path, geminitest.RecordMissing, saying(t, "former")), generate,
				hello)
			upstream := saying(t, "new")
			srv := recorder(t, path, test.mode, upstream)
			if got := answerTo(t, srv, generate, hello); got != test.hello {
				t.Error(got)
			}
			if got := answerTo(t, srv, generate, other); got != test.bye {
				t.Error(got)
			}
			written := read(t, path)
			if n := len(upstream.Requests()); n != test.toUpstream {
				t.Errorf("%d requests came to the upstream", n)
			}
			if n := strings.Count(written, "- request:"); n != test.exchanges ||
				strings.Contains(written, "former") != test.stillHasTheFile {
				t.Errorf("%d exchanges:\n%s", n, written)
			}
		})
	}
}

func TestABrokenReplyIsRecordedAndBreaksAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	upstream := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a"), geminitest.Cut())))
	for _, mode := range []geminitest.Mode{geminitest.RecordAll, geminitest.Replay} {
		body := open(t, recorder(t, path, mode, upstream), stream, hello)
		text, err := io.ReadAll(body)
		body.Close()
		if err == nil || !bytes.HasPrefix(text, []byte("data: {")) {
			t.Errorf("mode %d: %q, %v", mode, text, err)
		}
	}
	if !strings.Contains(read(t, path), "incomplete: true") {
		t.Error(read(t, path))
	}
}

func TestAnUploadComesBackToTheRecorder(t *testing.T) {
	t.Parallel()
	var upstream *httptest.Server
	upstream = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/base/upload/v1beta/files" {
			w.Header().Set("X-Goog-Upload-Url", upstream.URL+"/base/session?upload_id=1")
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %d bytes", r.URL, len(body))
	}))
	defer upstream.Close()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	for _, mode := range []geminitest.Mode{geminitest.RecordAll, geminitest.Replay} {
		srv := geminitest.NewServer(t, geminitest.WithCassette(path, mode),
			geminitest.WithUpstream(upstream.URL+"/base/"))
		reply, _ := post(t, srv, "/upload/v1beta/files", "{}")
		session, err := url.Parse(reply.Header.Get("X-Goog-Upload-Url"))
		if err != nil || session.Host != "generativelanguage.googleapis.com" ||
			session.Path != "/session" {
			t.Fatalf("%v, %v", session, err)
		}
		if _, got := post(t, srv, session.RequestURI(),
			"\xff\x00"); got != "/base/session?upload_id=1 2 bytes" {
			t.Error(got)
		}
	}
}

func TestACompressedReplyIsNotRecorded(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("asked for %s", got)
		}
		w.Header().Set("Content-Encoding", "br")
	}))
	defer upstream.Close()
	test := &failuretest.Recorder{TB: t}
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	srv := geminitest.NewServer(test, geminitest.WithCassette(path, geminitest.RecordAll),
		geminitest.WithUpstream(upstream.URL))
	post(t, srv, generate, hello)
	test.End()
	if _, err := os.Stat(path); err == nil ||
		!strings.Contains(test.Text(), "in which keys cannot be found") {
		t.Error(err, test.Text())
	}
}

func TestAnUpstreamThatIsMissingIsReportedWithoutItsAddress(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test,
		geminitest.WithCassette(filepath.Join(t.TempDir(), "c.yaml"), geminitest.RecordAll),
		geminitest.WithUpstream(closed.URL))
	reply, got := post(t, srv, generate+"?key=secret-key", hello)
	test.End()
	for _, text := range []string{got, test.Text()} {
		if reply.StatusCode != 400 ||
			!strings.Contains(text,
				"the upstream cannot be reached: dial tcp: connect: connection refused") ||
			strings.Contains(text, "secret-key") {
			t.Error(text)
		}
	}
}

func TestAnUpstreamIsHTTPSOrOnLoopback(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	for address, ok := range map[string]bool{
		"https://gemini.example": true, "http://127.0.0.1:1": true, "http://localhost:1/base": true,
		"http://[::1]:1":          true,
		"http://gemini.localhost": true, "http://LOCALHOST.:1": true,
		"http://gemini.example": false, "gemini.example": false, "ftp://127.0.0.1": false,
		":": false, "http://127.0.0.1.example": false,
		"https://user:password@gemini.example": false, "https://gemini.example?key=k": false,
	} {
		_, err := fakegemini.NewHandler(geminitest.WithCassette(path, geminitest.RecordMissing),
			geminitest.WithUpstream(address))
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestACassetteThatCannotBeReadIsAnErrorOfTheHandler(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	if _, err := fakegemini.NewHandler(geminitest.WithCassette(path,
		geminitest.Replay)); err == nil {
		t.Error("a cassette was replayed that is not there")
	}
	write(t, path, "exchanges:\n- reqest: {}\n")
	for _, mode := range []geminitest.Mode{geminitest.Replay, geminitest.RecordMissing} {
		if _, err := fakegemini.NewHandler(geminitest.WithCassette(path, mode)); err == nil ||
			!strings.Contains(err.Error(), "line 2: /exchanges/0/reqest") {
			t.Error(err)
		}
	}
}

func TestUnusedRepliesFailTheTestByOption(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	answerTo(t, recorder(t, path, geminitest.RecordAll, saying(t, "x")), generate, hello)
	test := &failuretest.Recorder{TB: t}
	recorder(test, path, geminitest.Replay, nil, geminitest.WithAllFixturesUsed())
	test.End()
	if !strings.Contains(test.Text(),
		"exchange 1 of "+path+", POST "+generate+", was not requested") {
		t.Error(test.Text())
	}
}

func TestARecordingEndsWhenItsClientGoesAway(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cassette.yaml")
	var asked atomic.Int32
	synctest.Test(t, func(t *testing.T) {
		upstream := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On(geminitest.Where(func(*geminitest.Request) bool {
				asked.Add(1)
				return true
			})).Reply(geminitest.Text("a"), geminitest.Stall())))
		srv := recorder(t, path, geminitest.RecordAll, upstream)
		o := fetch(srv.HTTPClient(), "https://gemini.example", stream, hello, time.Minute)
		if !o.stalled() || !strings.HasPrefix(o.body, "data: {") || asked.Load() != 1 {
			t.Error(o)
		}
	})
}
