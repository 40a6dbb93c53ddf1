package inspector_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

// pixels are the bytes of something that begins as a PNG.
func pixels(size int) []byte {
	return []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("?>~ pixels ", size/11))
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// record records a request of the client with a body.
func (b *browser) record(body string) {
	b.t.Helper()
	r := b.Begin(exchange.Start{ID: "req_" + strconv.Itoa(len(body)), At: morning, Form: "native",
		Method: "POST", Path: "/v1beta/models/m:generateContent", ClientName: "app"})
	r.Request(exchange.Client, exchange.Request{Method: "POST",
		URL: "/v1beta/models/m:generateContent", Body: []byte(body)})
	r.End(exchange.End{Status: 200})
}

func TestMediaAreKeptOnceAndShownByTheirHash(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Picture())
	d := b.detail(1)
	picture := []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("not really a picture ", 4000))
	tag := "[gemwire media sha256:" + sumOf(picture) + " image/png " +
		strconv.Itoa(len(picture)) + " bytes]"
	if want := `"data:image/png;base64,` + tag + `"`; !strings.Contains(d.Client.Request.Body, want) {
		t.Errorf("the client's body has no %s: %.600s", want, d.Client.Request.Body)
	}
	if upstream := d.Tries[0].Request.Body; !strings.Contains(upstream, tag) ||
		len(upstream) > 2000 {
		t.Errorf("the upstream's body has no %s: %.600s", tag, upstream)
	}
	if d.Client.Request.LeftOut != 0 {
		t.Errorf("left out %d bytes", d.Client.Request.LeftOut)
	}
	if got := b.bytes(); got < len(picture) || got > len(picture)+20_000 {
		t.Errorf("two bodies with a picture of %d bytes take %d", len(picture), got)
	}
	status, header, body := b.do(http.MethodGet, "/api/media/"+sumOf(picture), "")
	if status != http.StatusOK || body != string(picture) {
		t.Errorf("HTTP %d, %d bytes", status, len(body))
	}
	for name, want := range map[string]string{"Content-Type": "image/png",
		"Content-Disposition": "inline", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'"} {
		if header.Get(name) != want {
			t.Errorf("%s: %q", name, header.Get(name))
		}
	}
	if status, _, _ := b.do(http.MethodPost, "/api/clear", `{}`); status != http.StatusNoContent {
		t.Fatal(status)
	}
	status, _, _ = b.do(http.MethodGet, "/api/media/"+sumOf(picture), "")
	if status != http.StatusNotFound || b.bytes() != 0 {
		t.Errorf("after clearing: HTTP %d, %d bytes", status, b.bytes())
	}
}

// What is exported has the base64 as it was sent: alphabet, padding and escapes.
func TestExportsPutMediaBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, spelled := range map[string]string{
		"standard":          base64.StdEncoding.EncodeToString(pixels(3000)),
		"for URLs":          base64.URLEncoding.EncodeToString(pixels(3000)),
		"without padding":   base64.RawStdEncoding.EncodeToString(pixels(3001)),
		"slashes escaped":   strings.ReplaceAll(base64.StdEncoding.EncodeToString(pixels(3000)), "/", `\/`),
		"URLs, no padding":  base64.RawURLEncoding.EncodeToString(pixels(3002)),
		"in a data URL":     "data:image/png;base64," + base64.StdEncoding.EncodeToString(pixels(3000)),
		"data URL, escaped": `data:image\/png;base64,` + strings.ReplaceAll(base64.StdEncoding.EncodeToString(pixels(2000)), "/", `\/`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, inspector.WithBodies())
			body := `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"` +
				spelled + `"}},{"text":"What is it?"}]}]}`
			b.record(body)
			if kept := b.detail(1).Client.Request.Body; !strings.Contains(kept,
				"[gemwire media sha256:") || len(kept) > 400 {
				t.Fatalf("kept: %.500s", kept)
			}
			if said := run(t, b.get("/api/exchanges/1/curl/client")); !strings.Contains(said,
				"<"+body+">") {
				t.Errorf("curl: %.500s", said)
			}
			var archive struct {
				Log struct {
					Entries []struct {
						Request struct{ PostData struct{ Text string } }
					}
				}
			}
			if err := json.Unmarshal([]byte(b.get("/api/exchanges/1/har")), &archive); err != nil ||
				archive.Log.Entries[0].Request.PostData.Text != body {
				t.Errorf("HAR: %v, %.500s", err, archive.Log.Entries[0].Request.PostData.Text)
			}
		})
	}
}

func TestAReplaySendsMediaAlsoOfAnEditedBody(t *testing.T) {
	t.Parallel()
	var got []string
	var b *browser
	b = open(t, inspector.WithBodies(),
		inspector.WithReplay(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body := new(strings.Builder)
			if _, err := copyTo(body, r); err != nil {
				t.Error(err)
			}
			got = append(got, body.String())
			b.Begin(exchange.Start{ID: "req_new", At: morning,
				Mark: exchange.MarkOf(r.Context())}).End(exchange.End{Status: 200})
		})))
	body := `{"data":"` + base64.StdEncoding.EncodeToString(pixels(3000)) + `","text":"old"}`
	b.record(body)
	kept := b.detail(1).Client.Request.Body
	edit := func(text string) string {
		edited, err := json.Marshal(map[string]string{"body": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(edited)
	}
	for _, asked := range []string{`{}`, edit(strings.Replace(kept, "old", "new", 1))} {
		if status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay",
			asked); status != http.StatusOK {
			t.Fatal(status, answer)
		}
	}
	if got[0] != body || got[1] != strings.Replace(body, "old", "new", 1) {
		t.Errorf("sent %.200s and %.200s", got[0], got[1])
	}
	unknown := strings.Replace(kept, "sha256:", "sha256:"+strings.Repeat("0", 64)+" image/png 5 bytes] [gemwire media sha256:", 1)
	if status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay",
		edit(unknown)); status != http.StatusConflict || !strings.Contains(answer, "does not have") {
		t.Errorf("an unknown medium: %d %s", status, answer)
	}
}

// A thought signature is base64 too, and is shown as it is. So is everything whose type is unknown.
func TestBase64OfAnUnknownTypeStaysAText(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithSecrets("a-secret-in-a-picture"))
	signature := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x12\x80?signed", 300)))
	short := base64.StdEncoding.EncodeToString(pixels(300))
	secret := base64.StdEncoding.EncodeToString(append(pixels(2000), "a-secret-in-a-picture"...))
	for n, body := range []string{
		`{"thoughtSignature":"` + signature + `"}`, `{"inlineData":{"data":"` + short + `"}}`,
		`{"text":"` + strings.Repeat("letters", 500) + `"}`,
	} {
		b.record(body)
		if kept := b.detail(n + 1).Client.Request.Body; kept != body {
			t.Errorf("%.60s: kept as %.200s", body, kept)
		}
	}
	b.record(`{"inlineData":{"data":"` + secret + `"}}`)
	if kept := b.detail(4).Client.Request.Body; !strings.Contains(kept, "REDACTED") ||
		strings.Contains(kept, "gemwire media") {
		t.Errorf("a picture with a secret: %.200s", kept)
	}
}

// A large picture has such a text by chance.
func TestAPictureWhoseBase64LooksLikeAKeyIsKept(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	encoded := base64.StdEncoding.EncodeToString(pixels(3000))
	key := "AIza" + strings.Repeat("Qk3x", 8) + "Abc"
	picture := encoded[:2000] + key + encoded[2000+len(key):]
	b.record(`{"inlineData":{"mimeType":"image/png","data":"` + picture + `"}}`)
	if kept := b.detail(1).Client.Request.Body; !strings.Contains(kept, "[gemwire media sha256:") {
		t.Errorf("kept: %.200s", kept)
	}
	text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x12\x80?text", 300)))
	declared := text[:2000] + key + text[2000+len(key):]
	b.record(`{"inlineData":{"mimeType":"image/x-ours","data":"` + declared + `"}}`)
	if kept := b.detail(2).Client.Request.Body; !strings.Contains(kept, "REDACTED") {
		t.Errorf("a file of a declared type: %.200s", kept)
	}
}

func TestASecretThatIsSpelledWithEscapesIsRemovedFromABody(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithSecrets("sk-of-ours-1234"))
	media := base64.StdEncoding.EncodeToString(pixels(3000))
	for body, want := range map[string]string{
		`{"a":"key sk\u002dof\u002Dours-1234 \n\"","b":"\u003cp>"}`: `{"a":"key REDACTED \n\"","b":"\u003cp>"}`,
		`["\u0041Iza` + strings.Repeat("x", 35) + `"]`:              `["REDACTED"]`,
		`{"sk\u002dof-ours-1234":1}`:                                `{"REDACTED":1}`,
		`["sk-of-ours-1234 sk\u002dof-ours-1234"]`:                  `["REDACTED REDACTED"]`,
		`{"data":"` + media + `","a":"sk\u002dof-ours-1234"}`: `{"data":"[gemwire media sha256:` +
			sumOf(pixels(3000)) + ` image/png ` + itoa(len(pixels(3000))) +
			` bytes]","a":"REDACTED"}`,
		`{"a":"\u0041 \ud800", "b":"sk\u002d`: `{"a":"\u0041 \ud800", "b":"sk\u002d`,
	} {
		b.record(body)
		if kept := b.detail(b.newest()).Client.Request.Body; kept != want {
			t.Errorf("%s: kept as %s", body, kept)
		}
	}
}

func TestAMediumThatWasSeenBeforeIsSearchedForNewSecrets(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	secret := "a-secret-of-tomorrow"
	body := `{"inlineData":{"data":"` +
		base64.StdEncoding.EncodeToString(append(pixels(2000), secret...)) + `"}}`
	b.record(body)
	b.record(body)
	for n := range 2 {
		if kept := b.detail(n + 1).Client.Request.Body; !strings.Contains(kept, "image/png") {
			t.Errorf("before: %.200s", kept)
		}
	}
	b.AddSecrets(secret)
	b.record(body)
	if kept := b.detail(3).Client.Request.Body; !strings.Contains(kept, "REDACTED") {
		t.Errorf("after: %.200s", kept)
	}
}

func TestOnlyHarmlessMediaAreShownInTheBrowser(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	for declared, want := range map[string]string{
		"audio/L16;rate=24000": "audio/l16", "image/svg+xml": "application/octet-stream",
		"text/html": "application/octet-stream", "image/heic": "application/octet-stream",
	} {
		data := []byte(strings.Repeat(declared+" \x01", 200))
		b.record(`{"inlineData":{"data":"` + base64.StdEncoding.EncodeToString(data) +
			`","mimeType":"` + declared + `"}}`)
		b.detail(int(b.newest()))
		status, header, body := b.do(http.MethodGet, "/api/media/"+sumOf(data), "")
		if status != http.StatusOK || header.Get("Content-Type") != want || body != string(data) {
			t.Errorf("%s: HTTP %d, %q, %d bytes", declared, status, header.Get("Content-Type"),
				len(body))
		}
		if isInline := header.Get("Content-Disposition") == "inline"; isInline != (want == "audio/l16") {
			t.Errorf("%s: shown in the browser: %v", declared, isInline)
		}
	}
	for _, sum := range []string{"x", strings.Repeat("0", 64), strings.Repeat("0", 66)} {
		if status, _, _ := b.do(http.MethodGet, "/api/media/"+sum, ""); status != http.StatusNotFound {
			t.Errorf("%s: HTTP %d", sum, status)
		}
	}
}

func TestEqualMediaOfDifferentTypesAreImported(t *testing.T) {
	t.Parallel()
	b, other := open(t, inspector.WithBodies()), open(t)
	data := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00unknown ", 200)))
	for n, mediaType := range []string{"audio/pcm", "audio/l16"} {
		b.record(`{"inlineData":{"mimeType":"` + mediaType + `","data":"` + data + `"}}`)
		b.detail(n + 1)
	}
	if status, _, answer := other.do(http.MethodPost, "/api/session",
		b.get("/api/session")); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	for n, mediaType := range []string{"audio/pcm", "audio/l16"} {
		request := other.detail(n + 1).Client.Request
		if request.LeftOut != 0 || !strings.Contains(request.Body, " "+mediaType+" 1800 bytes]") {
			t.Errorf("%s: left out %d bytes of %s", mediaType, request.LeftOut, request.Body)
		}
		if !strings.Contains(other.get("/api/exchanges/"+itoa(n+1)+"/har"), data) {
			t.Errorf("%s: the archive has no medium", mediaType)
		}
	}
}
