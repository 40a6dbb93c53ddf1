package secret_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
	"github.com/google/go-cmp/cmp"
)

func TestTheCredentialsOfARequestAreFoundInAllTheirPlaces(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*http.Request, string){
		"Authorization": func(r *http.Request,
			s string) {
			r.Header.Set("Authorization", "Bearer "+s)
		},
		"basic": func(r *http.Request,
			s string) {
			r.Header.Set("Authorization", "Basic "+s)
		},
		"without a scheme": func(r *http.Request, s string) { r.Header.Set("Authorization", s) },
		"Proxy-Authorization": func(r *http.Request,
			s string) {
			r.Header.Set("Proxy-Authorization", "Bearer "+s)
		},
		"X-Api-Key": func(r *http.Request, s string) { r.Header.Set("X-Api-Key", s) },
		"X-Goog-Api-Key": func(r *http.Request,
			s string) {
			r.Header.Set("X-Goog-Api-Key", s)
		},
		"Api-Key": func(r *http.Request, s string) { r.Header.Set("Api-Key", s) },
		"key": func(r *http.Request,
			s string) {
			r.URL.RawQuery = "alt=sse&key=" + s
		},
		"$key": func(r *http.Request, s string) { r.URL.RawQuery = "%24key=" + s },
		"access_token": func(r *http.Request,
			s string) {
			r.URL.RawQuery = "access_token=" + s
		},
	} {
		for value, want := range map[string][2]bool{"key-of-alice": {true, false},
			"sk-0123456789abcdef": {true, true}, "ollama": {true, false}} {
			r := httptest.NewRequest("POST", "/v1", nil)
			set(r, value)
			for i, isChecked := range []bool{true, false} {
				if got := slices.Contains(secret.OfRequest(r, isChecked), value); got != want[i] {
					t.Errorf("%s %s, checked %t: found %t", name, value, isChecked, got)
				}
			}
			if text := secret.WithoutKey(r.URL); strings.Contains(text, value) {
				t.Errorf("%s: the address is %s", name, text)
			}
			if header := secret.WithoutCredentials(r.Header); len(header) > 0 {
				t.Errorf("%s: the header is %v", name, header)
			}
		}
	}
}

func TestTheSecretsOfMCPServersAreFoundInEveryForm(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"Responses": `{"tools":[{"type":"mcp","authorization":"s-1","headers":{"X-Key":"s-2","Content-Type":"application/json"},` +
			`"server_url":"https://u:s-3@mcp.example/?key=s-4"}]}`,
		"the type at the end": `{"tools":[{"authorization":"s-1","headers":{"a":"s-2"},"server_url":"https://u:s-3@mcp.example/?key=s-4","type":"mcp"}]}`,
		"Messages":            `{"mcp_servers":[{"authorization_token":"s-1","url":"https://u:s-3@mcp.example/?token=s-4","headers":{"a":"s-2"}}]}`,
		"Gemini":              `{"tools":[{"mcpServers":[{"authorization":"s-1","streamableHttpTransport":{"url":"https://u:s-3@mcp.example/?api_key=s-4","headers":{"a":"s-2"}}}]}]}`,
		"within a namespace":  `{"input":[{"tools":[{"type":"namespace","tools":[{"type":"mcp","authorization":"s-1","headers":{"a":"s-2"},"server_url":"https://u:s-3@mcp.example/?key=s-4"}]}]}]}`,
	} {
		got := secret.OfBody([]byte(body))
		slices.Sort(got)
		if diff := cmp.Diff([]string{"s-1", "s-2", "s-3", "s-4"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, body := range map[string]string{
		"a scheme": `{"type":"mcp","authorization":"Bearer t\/k"}`,
		"escapes":  `{"type":"mcp","authorization":"\u0041b"}`,
	} {
		got := strings.Join(secret.OfBody([]byte(body)), " ")
		if want := map[string]string{"a scheme": `Bearer t/k Bearer t\/k t/k`,
			"escapes": `Ab \u0041b`}[name]; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, body := range map[string]string{
		"another tool": `{"tools":[{"type":"function","headers":{"a":"b"},"authorization":"c"}],"x":"mcp"}`,
		"no JSON":      `mcp`, "nothing": ``,
	} {
		if got := secret.OfBody([]byte(body)); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSecretsAreBlankedInTextsBodiesAndHeaders(t *testing.T) {
	t.Parallel()
	l := &secret.List{Own: func() []string { return []string{"key-of-the-gateway", "short"} }}
	l.Add("key-of-alice", "key", "key-of-alice/2")
	const text = "key-of-alice key-of-alice%2F2 a2V5LW9mLWFsaWNl key-of-the-gateway short key"
	const want = "REDACTED REDACTED REDACTED REDACTED short key"
	if got := l.Text(text); got != want {
		t.Error(got)
	}
	if got := string(l.Body([]byte(text))); got != want {
		t.Error(got)
	}
	long := strings.Repeat("x", 1<<20)
	if got := string(l.Body([]byte(long + "key-of-alice"))); got != long+"REDACTED" {
		t.Error(got[len(long):])
	}
	if got := string(l.Body([]byte(long + "key-of-alice/2 key-of-alice"))); got != long+
		"REDACTED REDACTED" {
		t.Error("a secret that begins with another: " + got[len(long):])
	}
	header := http.Header{"X-Goog-A": {"a key-of-alice"}, "X-Api-Key": {"b"}}
	if diff := cmp.Diff(http.Header{"X-Goog-A": {"a REDACTED"}}, l.Header(header)); diff != "" ||
		header.Get("X-Goog-A") != "a key-of-alice" {
		t.Error(diff, header)
	}
}

// Searching for every encoding takes time. In a longer body, only the plain secrets are searched.
func TestEncodedSecretsAreBlankedUpToASizeOfTheBody(t *testing.T) {
	t.Parallel()
	l := &secret.List{}
	l.Add("key/of-alice")
	const encoded = "key%2Fof-alice"
	for name, test := range map[string]struct {
		blank func([]byte) []byte
		most  int
	}{"a body": {l.Body, 8 << 10}, "an error": {l.Error, 64 << 10}} {
		for size, want := range map[int]bool{test.most: true, test.most + 1: false} {
			body := strings.Repeat("x", size-len(encoded)-1) + " " + encoded
			got := string(test.blank([]byte(body)))
			if isBlanked := !strings.Contains(got, encoded); isBlanked != want {
				t.Errorf("%s of %d bytes: blanked: %v", name, size, isBlanked)
			}
		}
	}
	if got := l.Body(nil); len(got) != 0 {
		t.Errorf("an empty body became %q", got)
	}
}

const upstreamKey = "AIzaSy0123456789-key"

// replyTo sends a request with the key through the doer and returns the reply.
func replyTo(t testing.TB, body io.Reader, key string) *http.Response {
	t.Helper()
	doer := secret.Doer(gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{Header: http.Header{"X-Goog-Key": {"it is " + key}},
			Body: io.NopCloser(body)}, nil
	}))
	request := httptest.NewRequest("POST", "/", nil)
	request.Header.Set("X-Goog-Api-Key", key)
	reply, err := doer.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func TestTheKeyOfARequestIsBlankedInItsReplyHoweverItComes(t *testing.T) {
	t.Parallel()
	text := "a" + upstreamKey + upstreamKey + " b AIzaSy " + upstreamKey[:10] +
		strings.Repeat("x", 5000) + upstreamKey
	mark := "REDACTED" + strings.Repeat("*", len(upstreamKey)-len("REDACTED"))
	want := strings.ReplaceAll(text, upstreamKey, mark)
	for name, from := range map[string]io.Reader{
		"at once":      strings.NewReader(text),
		"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"by halves":    iotest.HalfReader(strings.NewReader(text)),
		"with its end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		reply := replyTo(t, from, upstreamKey)
		got, err := io.ReadAll(reply.Body)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
		if got := reply.Header.Get("X-Goog-Key"); got != "it is REDACTED" {
			t.Errorf("the header is %q", got)
		}
	}
	got, err := io.ReadAll(iotest.OneByteReader(replyTo(t, strings.NewReader(text),
		upstreamKey).Body))
	if err != nil || string(got) != want {
		t.Errorf("by a reader with little room: %v, %q", err, got)
	}
}

func TestAKeyThatIsAWordIsLeftInReplies(t *testing.T) {
	t.Parallel()
	got, err := io.ReadAll(replyTo(t, strings.NewReader("ask ollama"), "ollama").Body)
	if err != nil || string(got) != "ask ollama" {
		t.Error(err, string(got))
	}
}

func FuzzAReplyIsTheSameHoweverItIsCut(f *testing.F) {
	f.Add([]byte("a"+upstreamKey+"b"+upstreamKey[:5]), uint8(3), uint8(7), true)
	f.Add([]byte(upstreamKey+upstreamKey), uint8(1), uint8(1), false)
	broken := errors.New("broken")
	f.Fuzz(func(t *testing.T, text []byte, chunk, room uint8, breaks bool) {
		text = bytes.ReplaceAll(text, []byte("KEY"), []byte(upstreamKey))
		var from io.Reader = &chunked{text, int(chunk) + 1}
		if breaks {
			from = io.MultiReader(from, iotest.ErrReader(broken))
		}
		body := replyTo(t, from, upstreamKey).Body
		var got []byte
		var err error
		for buf := make([]byte, int(room)+1); err == nil; {
			var n int
			n, err = body.Read(buf)
			got = append(got, buf[:n]...)
		}
		if breaks != errors.Is(err, broken) || len(got) != len(text) ||
			bytes.Contains(got, []byte(upstreamKey)) {
			t.Errorf("%q is %q: %v", text, got, err)
		}
		if want := bytes.ReplaceAll(text, []byte(upstreamKey),
			[]byte("REDACTED************")); !bytes.Equal(got, want) {
			t.Errorf("%q is %q", text, got)
		}
	})
}

// chunked is a reader that returns chunks of a given size.
type chunked struct {
	rest []byte
	size int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.size)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
