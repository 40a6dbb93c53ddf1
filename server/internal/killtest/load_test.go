package killtest

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// load is what clients do, and what they were answered.
type load struct {
	url      string
	upstream *upstream
	stop     chan struct{}
	workers  sync.WaitGroup

	mu            sync.Mutex
	responses     map[string]string   // names by id
	conversations map[string][]string // names by id
	files         map[string]string   // contents by id
	turns         map[string]string   // ids of calls by name
	spans         []span
	isUsedUp      map[string]bool // keys whose budget is used up
	statuses      map[string]int
}

// span is the time of a request that writes to the store.
type span struct{ from, until time.Time }

func newLoad(url string, u *upstream) *load {
	return &load{url: url, upstream: u, stop: make(chan struct{}),
		responses: map[string]string{}, conversations: map[string][]string{},
		files: map[string]string{}, turns: map[string]string{}, isUsedUp: map[string]bool{},
		statuses: map[string]int{}}
}

// each calls work with a number that grows, until the load stops.
func (l *load) each(work func(n int)) {
	l.workers.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-l.stop:
				return
			case <-time.After(3 * time.Millisecond):
				work(n)
			}
		}
	})
}

// end stops the clients, and waits for their requests.
func (l *load) end() {
	close(l.stop)
	l.workers.Wait()
}

// send sends a request with a client's key. ok reports a complete answer with the status 200.
func (l *load) send(key, method, path, contentType string, body io.Reader) (answer string, ok bool) {
	request, err := http.NewRequest(method, l.url+path, body)
	if err != nil {
		return err.Error(), false
	}
	request.Header.Set("Authorization", "Bearer key-of-"+key)
	request.Header.Set("Content-Type", contentType)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err.Error(), false
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[fmt.Sprint(key, " ", reply.StatusCode)]++
	return string(text), err == nil && reply.StatusCode == http.StatusOK
}

func (l *load) post(key, path, body string) (answer string, ok bool) {
	return l.send(key, http.MethodPost, path, "application/json", strings.NewReader(body))
}

var idPattern = regexp.MustCompile(`"id":\s?"([^"]+)"`)

// idIn returns the first id in an answer.
func idIn(answer string) string {
	if found := idPattern.FindStringSubmatch(answer); found != nil {
		return found[1]
	}
	return ""
}

// keep is a client of everything that is stored.
func (l *load) keep(worker int) {
	conversation := ""
	l.each(func(n int) {
		name := fmt.Sprintf("w%d_%d", worker, n)
		if n%10 == 0 || conversation == "" {
			answer, ok := l.post("alice", "/v1/conversations", "{}")
			conversation = ""
			if ok {
				conversation = idIn(answer)
			}
		}
		if conversation != "" {
			l.respond(name, conversation)
		}
		l.callTool(name, n%2 == 1)
		if n%5 == 0 {
			l.upload(name, 200+n%2*150_000)
		}
	})
}

// respond makes a response in a conversation.
func (l *load) respond(name, conversation string) {
	began := time.Now()
	answer, ok := l.post("alice", "/v1/responses", fmt.Sprintf(
		`{"model":"gemini-3.6-flash","input":"alice %s","conversation":%q}`, name, conversation))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spans = append(l.spans, span{began, time.Now()})
	if ok {
		l.responses[idIn(answer)] = name
		l.conversations[conversation] = append(l.conversations[conversation], name)
	}
}

const tools = `"tools":[{"type":"function","function":{"name":"f"}}]`

var signedID = regexp.MustCompile(`"id":"([^"]*__gwm1_[^"]*)"`)

// callTool gets the call of a tool, and answers it.
func (l *load) callTool(name string, streams bool) {
	answer, ok := l.post("alice", "/v1/chat/completions", fmt.Sprintf(
		`{"model":"gemini-3.6-flash","stream":%v,%s,"messages":[%s]}`, streams, tools,
		question(name)))
	if !ok || streams && !strings.Contains(answer, "[DONE]") {
		return
	}
	id := "" // which is an error that the end finds
	if found := signedID.FindStringSubmatch(answer); found != nil {
		id = found[1]
	}
	l.mu.Lock()
	l.turns[name] = id
	l.mu.Unlock()
	_, _ = l.answerTool(name, id) // or at the end
}

func question(name string) string {
	return fmt.Sprintf(`{"role":"user","content":"alice %s"}`, name)
}

// answerTool sends the second turn of a tool loop. The client has kept the id only.
func (l *load) answerTool(name, id string) (answer string, ok bool) {
	return l.post("alice", "/v1/chat/completions", fmt.Sprintf(
		`{"model":"gemini-3.6-flash",%s,"messages":[%s,{"role":"assistant","tool_calls":`+
			`[{"id":%q,"type":"function","function":{"name":"f","arguments":"{}"}}]},`+
			`{"role":"tool","tool_call_id":%q,"content":"y"}]}`, tools, question(name), id, id))
}

// upload uploads a file with a number of lines.
func (l *load) upload(name string, lines int) {
	content := strings.Repeat(name+"\n", lines)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("purpose", "batch")
	part, _ := form.CreateFormFile("file", name+".jsonl")
	_, _ = part.Write([]byte(content))
	_ = form.Close()
	answer, ok := l.send("alice", http.MethodPost, "/v1/files", form.FormDataContentType(), &body)
	if ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.files[idIn(answer)] = content
	}
}

// spend is a client that uses its key up.
func (l *load) spend(key string) {
	l.each(func(n int) {
		answer, _ := l.post(key, "/v1/chat/completions", fmt.Sprintf(
			`{"model":"gemini-3.6-flash","max_tokens":%d,"messages":[{"role":"user","content":`+
				`"%s n%d"}]}`, outputTokens, key, n))
		if strings.Contains(answer, "insufficient_quota") {
			l.mu.Lock()
			l.isUsedUp[key] = true
			l.mu.Unlock()
		}
	})
}

// areUsedUp reports whether the budgets of keys are used up.
func (l *load) areUsedUp(keys ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range keys {
		if !l.isUsedUp[key] {
			return false
		}
	}
	return true
}

// checkAll reads everything that was answered.
func (l *load) checkAll(t *testing.T) {
	t.Helper()
	lost := map[string]int{}
	report := func(kind, name, why string) {
		if lost[kind]++; lost[kind] <= 3 {
			t.Errorf("%s of %s: %.300s", kind, name, why)
		}
	}
	for id, name := range l.responses {
		if answer, ok := l.get("/v1/responses/" + id); !ok ||
			!strings.Contains(answer, "you said: "+name) {
			report("response", name, answer)
		}
	}
	for id, names := range l.conversations {
		answer, ok := l.get("/v1/conversations/" + id + "/items?limit=100")
		for _, name := range names {
			if !ok || !strings.Contains(answer, `"you said: `+name+`"`) ||
				!strings.Contains(answer, `"alice `+name+`"`) {
				report("conversation "+id, name, answer)
			}
		}
	}
	for id, content := range l.files {
		if answer, ok := l.get("/v1/files/" + id + "/content"); !ok || answer != content {
			report("file", id, answer)
		}
	}
	for name, id := range l.turns {
		if isBack, _ := l.upstream.proof(name); !isBack {
			if answer, ok := l.answerTool(name, id); !ok {
				report("second turn", name, answer)
				continue
			}
		}
		if _, isSame := l.upstream.proof(name); !isSame {
			report("signature", name, id)
		}
	}
	for kind, n := range lost {
		t.Errorf("%d of %s lost", n, kind)
	}
	t.Logf("%d responses in %d conversations, %d files, %d signatures", len(l.responses),
		len(l.conversations), len(l.files), len(l.turns))
}

func (l *load) get(path string) (answer string, ok bool) {
	return l.send("alice", http.MethodGet, path, "application/json", nil)
}
