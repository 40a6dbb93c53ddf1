package inspector_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// view is the conversation view that the tests read.
type view struct {
	Messages, Answer []struct {
		Role  string
		Parts []struct {
			Kind, Text, Name, ID, JSON, MIME, Media, Signature string
			Data                                               string
			Bytes                                              int
			Gemini, Client                                     *string
		}
	}
	Usage        *struct{ Total int }
	Finish, Note string
}

// text returns the kinds and texts of messages on one line.
func (v *view) text() string {
	var b strings.Builder
	for _, messages := range [][]struct {
		Role  string
		Parts []struct {
			Kind, Text, Name, ID, JSON, MIME, Media, Signature string
			Data                                               string
			Bytes                                              int
			Gemini, Client                                     *string
		}
	}{v.Messages, v.Answer} {
		for _, m := range messages {
			b.WriteString(m.Role + ":")
			for _, p := range m.Parts {
				b.WriteString(" " + p.Kind + " " + p.Name + p.Text + p.JSON)
			}
			b.WriteString("; ")
		}
	}
	return b.String()
}

// into reads an answer of the API.
func (b *browser) into(path string, value any) {
	b.t.Helper()
	body := b.get(path)
	if err := json.Unmarshal([]byte(body), value, json.MatchCaseInsensitiveNames(true)); err != nil {
		b.t.Fatalf("%v in %s", err, body)
	}
}

func (b *browser) view(number int) (v view) {
	b.t.Helper()
	b.into(fmt.Sprintf("/api/exchanges/%d/conversation", number), &v)
	return v
}

// understood are the facts of a summary that come from the bodies.
type understood struct {
	Summary struct {
		Number, Turn          int
		Conversation, Preview string
		Failure, Model        string
		Has                   []string
		Duration              float64
		Phases                map[string]float64
	}
}

func (b *browser) understood(number int) (u understood) {
	b.t.Helper()
	b.into(fmt.Sprintf("/api/exchanges/%d", number), &u)
	return u
}

// refusing is served for requests that the gateway refuses.
func refusing(t *testing.T) (*browser, func(path, body string)) {
	t.Helper()
	b, handler := observed(t)
	return b, func(path, body string) {
		t.Helper()
		request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != http.StatusBadRequest {
			t.Fatalf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
}

// observed returns an inspector and the gateway that it observes.
func observed(t *testing.T, opts ...inspector.Option) (*browser, http.Handler) {
	t.Helper()
	b := open(t, append([]inspector.Option{inspector.WithBodies()}, opts...)...)
	handler, err := gateway.New(gateway.WithObserver(b.Inspector), gateway.WithAllowedHosts("*"),
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	return b, handler
}

// served returns an inspector, and a function that sends a request to its gateway.
func served(t *testing.T, opts ...inspector.Option) (*browser, func(path, body string,
	header ...string) *httptest.ResponseRecorder) {
	t.Helper()
	b, handler := observed(t, opts...)
	return b, func(path, body string, header ...string) *httptest.ResponseRecorder {
		t.Helper()
		request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
		return answer
	}
}

// formRequests are the requests of one conversation in each form. ANSWER is the answer of the
// first one.
var formRequests = []struct {
	name, path, streamPath string
	first, second          string
	clients                string // where the client's first message is
}{
	{"chat_completions", "/v1/chat/completions", "",
		`{"model":"gemini-3.6-flash"STREAM,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hello [words 20]"}]}`,
		`{"model":"gemini-3.6-flash"STREAM,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hello [words 20]"},{"role":"assistant","content":ANSWER},{"role":"user","content":"and then?"}]}`,
		"/messages/1"},
	{"responses", "/v1/responses", "",
		`{"model":"gemini-3.6-flash"STREAM,"instructions":"Be brief.","input":[{"role":"user","content":"hello [words 20]"}]}`,
		`{"model":"gemini-3.6-flash"STREAM,"instructions":"Be brief.","input":[{"role":"user","content":"hello [words 20]"},{"role":"assistant","content":ANSWER},{"role":"user","content":"and then?"}]}`,
		"/input/0"},
	{"messages", "/v1/messages", "",
		`{"model":"gemini-3.6-flash"STREAM,"max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":"hello [words 20]"}]}`,
		`{"model":"gemini-3.6-flash"STREAM,"max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":"hello [words 20]"},{"role":"assistant","content":[{"type":"text","text":ANSWER}]},{"role":"user","content":"and then?"}]}`,
		"/messages/0"},
	{"interactions", "/v1beta/interactions", "",
		`{"model":"gemini-3.6-flash"STREAM,"system_instruction":"Be brief.","input":[{"type":"user_input","content":[{"type":"text","text":"hello [words 20]"}]}]}`,
		`{"model":"gemini-3.6-flash"STREAM,"system_instruction":"Be brief.","input":[{"type":"user_input","content":[{"type":"text","text":"hello [words 20]"}]},{"type":"model_output","content":[{"type":"text","text":ANSWER}]},{"type":"user_input","content":[{"type":"text","text":"and then?"}]}]}`,
		"/input/0/content/0"},
	{"native", "/v1beta/models/gemini-3.6-flash:generateContent",
		"/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse",
		`{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"hello [words 20]"}]}]}`,
		`{"system_instruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"hello [words 20]"}]},{"role":"model","parts":[{"text":ANSWER}]},{"role":"user","parts":[{"text":"and then?"}]}]}`,
		"/contents/0/parts/0"},
}

func TestEveryFormIsShownAsAConversation(t *testing.T) {
	t.Parallel()
	for _, form := range formRequests {
		for _, isStream := range []bool{false, true} {
			t.Run(form.name+" stream "+strconv.FormatBool(isStream), func(t *testing.T) {
				t.Parallel()
				b, send := served(t)
				path, stream := form.path, ""
				if isStream {
					stream = `,"stream":true`
					if form.streamPath != "" {
						path = form.streamPath
					}
				}
				send(path, strings.Replace(form.first, "STREAM", stream, 1))
				first := b.view(1)
				if len(first.Messages) != 2 || first.Messages[0].Role != "system" ||
					first.Messages[1].Parts[0].Text != "hello [words 20]" ||
					len(first.Answer) != 1 || first.Note != "" || first.Usage == nil ||
					first.Usage.Total == 0 || first.Finish != "STOP" {
					t.Fatalf("%+v", first)
				}
				answer := ""
				for _, p := range first.Answer[0].Parts {
					if p.Kind == "text" {
						answer += p.Text
					}
				}
				if len(strings.Fields(answer)) < 20 {
					t.Errorf("the answer is not put together: %q", answer)
				}
				wantPlaces(t, b, &first)
				if got := text(first.Messages[1].Parts[0].Client); got != form.clients {
					t.Errorf("the message is at %s, expected %s", got, form.clients)
				}

				quoted, _ := jsontext.AppendQuote(nil, answer)
				send(path, strings.NewReplacer("STREAM", stream, "ANSWER",
					string(quoted)).Replace(form.second))
				send(path, strings.Replace(form.first, "STREAM", stream, 1))
				one, two, three := b.understood(1).Summary, b.understood(2).Summary,
					b.understood(3).Summary
				if one.Conversation == "" || one.Conversation != two.Conversation ||
					one.Turn != 1 || two.Turn != 2 || three.Conversation == one.Conversation ||
					two.Preview != "and then?" || one.Preview != "hello [words 20]" {
					t.Errorf("%+v, %+v, %+v", one, two, three)
				}
			})
		}
	}
}

func TestATextThatIsAMemberOfTheDocumentHasItsOwnPlace(t *testing.T) {
	t.Parallel()
	for path, test := range map[string][3]string{
		"/v1/responses": {`{"model":"gemini-3.6-flash","input":"Hello there","instructions":"Be kind"}`,
			"/instructions", "/input"},
		"/v1beta/interactions": {
			`{"model":"gemini-3.6-flash","input":"Hello there","system_instruction":"Be kind"}`,
			"/system_instruction", "/input"},
		"/v1/messages": {`{"model":"gemini-3.6-flash","max_tokens":100,"system":"Be kind",` +
			`"messages":[{"role":"user","content":"Hello there"}]}`, "/system", "/messages/0"},
	} {
		b, send := served(t)
		send(path, test[0])
		messages := b.view(1).Messages
		for n, want := range test[1:] {
			if got := messages[n].Parts[0].Client; got == nil || *got != want {
				t.Errorf("%s: message %d is at %q, expected %s", path, n, text(got), want)
			}
		}
	}
}

// wantPlaces checks that each part is at its places in both documents.
func wantPlaces(t *testing.T, b *browser, v *view) {
	t.Helper()
	d := b.detail(1)
	gemini := d.Tries[0].talk
	if d.Tries[0].Between != nil {
		gemini = *d.Tries[0].Between
	}
	for _, m := range v.Messages {
		wantParts(t, m.Parts[0].Text, m.Parts[0].Gemini, gemini.Request.Body, false)
		wantParts(t, m.Parts[0].Text, m.Parts[0].Client, d.Client.Request.Body, false)
	}
	for _, p := range v.Answer[0].Parts {
		if p.Text != "" && p.Kind == "text" {
			wantParts(t, p.Text, p.Gemini, bodyOf(gemini), true)
			wantParts(t, p.Text, p.Client, bodyOf(d.Client), true)
		}
	}
}

// bodyOf returns the body of a response, or the list of its chunks.
func bodyOf(of talk) string {
	if len(of.Chunks) == 0 {
		return of.Response.Body
	}
	var events []string
	for _, c := range of.Chunks {
		if !strings.HasPrefix(c.Data, "{") {
			c.Data = "null"
		}
		events = append(events, c.Data)
	}
	return "[" + strings.Join(events, ",") + "]"
}

// wantParts checks that the value at a pointer has a text, or a piece of it.
func wantParts(t *testing.T, want string, pointer *string, document string, isPiece bool) {
	t.Helper()
	if pointer == nil {
		t.Errorf("%q has no place in %s", want, document)
		return
	}
	value := valueAt(document, *pointer)
	for l := range strings.SplitSeq(want, " ") {
		if !strings.Contains(value, l) {
			t.Errorf("%q is at %s, which is %s", want, *pointer, value)
			return
		}
		if isPiece {
			return
		}
	}
}

// valueAt returns the JSON value at a pointer.
func valueAt(document, pointer string) string {
	decoder := jsontext.NewDecoder(strings.NewReader(document))
	for {
		if string(decoder.StackPointer()) == pointer && decoder.StackDepth() > 0 {
			break
		}
		if _, err := decoder.ReadToken(); err != nil {
			return ""
		}
	}
	kind, n := decoder.StackIndex(decoder.StackDepth())
	if kind == jsontext.KindBeginObject && n%2 == 1 {
		value, _ := decoder.ReadValue()
		return string(value)
	}
	// The decoder has read the value, or its first token.
	at := decoder.InputOffset()
	return document[max(0, at-1):min(int64(len(document)), at+2000)]
}
