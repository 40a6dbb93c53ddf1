package gemini_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// uploadServer is a Doer that speaks the resumable protocol in memory. fail decides how it fails,
// from the number of the request, and may cut the received data.
type uploadServer struct {
	granularity string
	fail        func(number int, command string, body []byte) (arrives []byte, failure error)

	requests []*http.Request
	commands []string
	metadata string
	stored   []byte
	isFinal  bool
	polls    []string // the states that files.get answers with
}

func (u *uploadServer) Do(request *http.Request) (*http.Response, error) {
	u.requests = append(u.requests, request)
	if request.Method == http.MethodGet {
		state := u.polls[0]
		u.polls = u.polls[min(1, len(u.polls)-1):]
		return httpReply(200, "application/json",
			`{"name":"files/f","state":"`+state+`","error":{"code":3,"message":"no codec"}}`), nil
	}
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	command := request.Header.Get("X-Goog-Upload-Command")
	u.commands = append(u.commands,
		command+" "+request.Header.Get("X-Goog-Upload-Offset")+" "+strconv.Itoa(len(body)))
	var failure error
	if sent := len(body); u.fail != nil {
		body, failure = u.fail(len(u.commands), command, body)
		switch {
		case failure != nil && body == nil:
			return nil, failure
		case len(body) < sent:
			command = "upload" // The end of the request never came.
		}
	}
	reply := u.answer(request, command, body)
	if failure != nil {
		return nil, failure
	}
	return reply, nil
}

func (u *uploadServer) answer(request *http.Request, command string, body []byte) *http.Response {
	reply := httpReply(200, "application/json", "")
	switch {
	case command == "start":
		u.metadata = string(body)
		reply.Header.Set("X-Goog-Upload-URL",
			"https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=7&upload_protocol=resumable")
		reply.Header.Set("X-Goog-Upload-Chunk-Granularity", u.granularity)
	case command == "query":
		reply.Header.Set("X-Goog-Upload-Size-Received", strconv.Itoa(len(u.stored)))
	case request.Header.Get("X-Goog-Upload-Offset") != strconv.Itoa(len(u.stored)):
		return httpReply(400, "text/plain", "Invalid offset")
	default:
		u.stored = append(u.stored, body...)
		u.isFinal = strings.Contains(command, "finalize")
	}
	reply.Header.Set("X-Goog-Upload-Status", "active")
	if u.isFinal {
		reply.Header.Set("X-Goog-Upload-Status", "final")
		reply.Body = io.NopCloser(strings.NewReader(fmt.Sprintf(`{"file":{"name":"files/f","state":"PROCESSING","sizeBytes":"%d"}}`,
			len(u.stored))))
	}
	return reply
}

// atOnce makes a client wait for nothing, and records the waits.
func atOnce(waited *time.Duration) gemini.ClientOption {
	return gemini.WithClock(time.Now, func(_ context.Context, wait time.Duration) error {
		*waited += wait
		return nil
	})
}

func uploadClient(t *testing.T, server gemini.Doer, opts ...gemini.ClientOption) *gemini.Client {
	t.Helper()
	var waited time.Duration
	return newClient(t, append([]gemini.ClientOption{gemini.WithHTTPClient(server), atOnce(&waited),
		gemini.WithUploadChunkSize(10)}, opts...)...)
}

func TestAnUploadSendsItsChunksInTheirOrder(t *testing.T) {
	t.Parallel()
	content := "0123456789abcdefghijKLMNO"
	for _, tt := range []struct {
		name        string
		content     io.Reader
		granularity string
		commands    []string
		length      string
	}{
		{"of known size", strings.NewReader(content), "", []string{"start  ", "upload 0 10", "upload 10 10", "upload, finalize 20 5"}, "25"},
		{"of unknown size", iotest.OneByteReader(strings.NewReader(content)), "", []string{"start  ", "upload 0 10", "upload 10 10", "upload, finalize 20 5"}, ""},
		{"a multiple of the chunks", io.LimitReader(strings.NewReader(content), 20), "", []string{"start  ", "upload 0 10", "upload, finalize 10 10"}, ""},
		{"in the server's granularity", strings.NewReader(content), "8", []string{"start  ", "upload 0 16", "upload, finalize 16 9"}, "25"},
		{"an empty file", strings.NewReader(""), "", []string{"start  ", "upload, finalize 0 0"}, "0"},
		{"a seeker from its midst", io.NewSectionReader(strings.NewReader(content), 5, 3), "", []string{"start  ", "upload, finalize 0 3"}, "3"},
	} {
		server := &uploadServer{granularity: tt.granularity}
		file, err := uploadClient(t, server).Files.Upload(t.Context(), tt.content,
			&geminiapi.File{DisplayName: new("d"), MIMEType: new("text/plain")})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tt.commands[0] += strconv.Itoa(len(server.metadata))
		if !slices.Equal(server.commands, tt.commands) {
			t.Errorf("%s: got %q", tt.name, server.commands)
		}
		if got := server.requests[0].Header.Get(
			"X-Goog-Upload-Header-Content-Length"); got != tt.length {
			t.Errorf("%s: the length is %q", tt.name, got)
		}
		if *file.Name != "files/f" || file.SizeBytes.Int64() != int64(len(server.stored)) {
			t.Errorf("%s: got %+v", tt.name, file)
		}
	}
}

func TestAnUploadSendsWhatTheCallerKnows(t *testing.T) {
	t.Parallel()
	server := &uploadServer{}
	_, err := uploadClient(t, server).Files.Upload(t.Context(), strings.NewReader("%PDF-1.7 "),
		&geminiapi.File{Name: new("my-1"), DisplayName: new("d")})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"file":{"displayName":"d","mimeType":"application/pdf","name":"files/my-1","sizeBytes":"9"}}`; server.metadata != want {
		t.Errorf("got %s, want %s", server.metadata, want)
	}
	start := server.requests[0]
	if got := start.URL.String(); got != "https://generativelanguage.googleapis.com/upload/v1beta/files" {
		t.Error(got)
	}
	for name, want := range map[string]string{"X-Goog-Upload-Protocol": "resumable",
		"X-Goog-Upload-Header-Content-Type": "application/pdf", "X-Goog-Api-Key": "k-secret"} {
		if got := start.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := server.requests[1].URL.RawQuery; got != "upload_id=7&upload_protocol=resumable" {
		t.Error(got)
	}
}

func TestAnUploadContinuesWhereTheServerLeftOff(t *testing.T) {
	t.Parallel()
	reset := io.ErrUnexpectedEOF
	content := []byte("0123456789abcdefghijKLMNO")
	for name, fail := range map[string]func(number int, command string, body []byte) ([]byte,
		error){
		"a part of a chunk arrived": func(number int, _ string, body []byte) ([]byte, error) {
			if number == 3 {
				return body[:4], reset
			}
			return body, nil
		},
		"nothing arrived": func(number int, _ string, body []byte) ([]byte, error) {
			if number == 2 {
				return nil, reset
			}
			return body, nil
		},
		"all of it arrived, and the answer was lost": func(number int, _ string,
			body []byte) ([]byte, error) {
			if number == 2 {
				return body, reset
			}
			return body, nil
		},
		"the last answer was lost": func(_ int, command string, body []byte) ([]byte, error) {
			if strings.Contains(command, "finalize") {
				return body, reset
			}
			return body, nil
		},
		"every other request": func(number int, command string, body []byte) ([]byte, error) {
			if number%2 == 0 {
				return body[:(len(body)+1)/2], reset
			}
			return body, nil
		},
	} {
		server := &uploadServer{fail: fail}
		var sent []int64
		progress := gemini.WithUploadProgress(func(n, total int64) {
			if sent = append(sent, n); total != int64(len(content)) {
				t.Errorf("%s: the total is %d", name, total)
			}
		})
		file, err := uploadClient(t, server, gemini.WithMaxAttempts(4)).Files.Upload(t.Context(),
			bytes.NewReader(content), nil, progress)
		if err != nil {
			t.Errorf("%s: %v after %q", name, err, server.commands)
			continue
		}
		if !bytes.Equal(server.stored, content) || file.SizeBytes.Int64() != int64(len(content)) {
			t.Errorf("%s: stored %q by %q", name, server.stored, server.commands)
		}
		if !slices.Equal(sent, []int64{10, 20, 25}) {
			t.Errorf("%s: the progress was %d", name, sent)
		}
	}
}

// After any failure at any point, an upload that succeeds has stored its input byte for byte.
func TestAnUploadIsWholeOrFails(t *testing.T) {
	t.Parallel()
	whole := 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		content := make([]byte, random.IntN(120))
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		server := &uploadServer{fail: func(_ int, _ string, body []byte) ([]byte, error) {
			switch random.IntN(6) {
			case 0:
				return body[:random.IntN(len(body)+1)], io.ErrUnexpectedEOF
			case 1:
				return nil, io.ErrUnexpectedEOF
			default:
				return body, nil
			}
		}}
		chunk := gemini.WithUploadChunkSize(1 + random.IntN(30))
		file, err := uploadClient(t, server, chunk).Files.Upload(t.Context(),
			iotest.HalfReader(bytes.NewReader(content)), nil)
		if err != nil {
			continue
		}
		if whole++; !bytes.Equal(server.stored, content) ||
			file.SizeBytes.Int64() != int64(len(content)) {
			t.Errorf("seed %d: stored %d of %d bytes by %q", seed, len(server.stored), len(content),
				server.commands)
		}
	}
	if whole < 200 {
		t.Errorf("only %d uploads succeeded", whole)
	}
}

// A server may refuse a chunk before it has read it. The client may then still be sending while the
// next chunk is read into the same memory.
func TestAChunkThatIsRefusedEarlyIsSentAgain(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var stored []byte
	refusals := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("X-Goog-Upload-URL", "http://"+r.Host+"/upload/v1beta/files?upload_id=7")
		w.Header().Set("X-Goog-Upload-Status", "active")
		w.Header().Set("X-Goog-Upload-Size-Received", strconv.Itoa(len(stored)))
		command := r.Header.Get("X-Goog-Upload-Command")
		if strings.Contains(command, "upload") {
			if refusals++; refusals%2 == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			piece, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			stored = append(stored, piece...)
		}
		if strings.Contains(command, "finalize") {
			_, _ = io.WriteString(w, `{"file":{"name":"files/f"}}`)
		}
	}))
	defer server.Close()
	content := make([]byte, 3<<20)
	for i := range content {
		content[i] = byte(i * i >> 8)
	}
	var waited time.Duration
	client := newClient(t, gemini.WithBaseURL(server.URL), atOnce(&waited),
		gemini.WithUploadChunkSize(1<<20))
	if _, err := client.Files.Upload(t.Context(), bytes.NewReader(content), nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, content) {
		t.Error("other bytes arrived")
	}
}

func TestAnUploadThatCannotContinueFails(t *testing.T) {
	t.Parallel()
	tooSmall := errors.New("disk error")
	for _, tt := range []struct {
		name    string
		content io.Reader
		server  gemini.Doer
		want    string
	}{
		{"the content cannot be read", iotest.ErrReader(tooSmall), &uploadServer{}, "disk error"},
		{"no content", nil, &uploadServer{}, "no content"},
		{"the server names no address", strings.NewReader("x"), &recordingDoer{answers: []string{""}}, "no address"},
		{"nothing ever arrives", strings.NewReader("x"),
			&uploadServer{fail: func(_ int, command string, body []byte) ([]byte, error) {
				if strings.Contains(command, "upload") {
					return nil, io.ErrUnexpectedEOF
				}
				return body, nil
			}}, "unexpected EOF"},
		{"the server lost its data", strings.NewReader("0123456789abcdefghijKLMNO"), &forgetful{}, "no longer has"},
	} {
		file, err := uploadClient(t, tt.server).Files.Upload(t.Context(), tt.content, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(fmt.Sprintf("%+v", err), "k-secret") {
			t.Errorf("%s: got %v, %v", tt.name, file, err)
		}
	}
}

// A server may not confirm the sent bytes, but give another answer.
func TestAnUploadBelievesTheServer(t *testing.T) {
	t.Parallel()
	const content = "0123456789abcdefghijKLMNO"
	final := http.Header{"X-Goog-Upload-Status": {"final"}}
	for name, tt := range map[string]struct {
		number   int // of the request that is answered in this way
		header   http.Header
		body     string
		want     string // of the error, "" for none
		commands []string
	}{
		"final after the first chunk":         {2, final, `{"file":{"name":"files/f"}}`, "before the last chunk", []string{"start", "upload"}},
		"final, without a file":               {3, final, ``, "before the last chunk", []string{"start", "upload", "upload"}},
		"cancelled":                           {2, http.Header{"X-Goog-Upload-Status": {"cancelled"}}, ``, "ended the upload", []string{"start", "upload"}},
		"more than was sent":                  {2, received("11"), ``, "more bytes", []string{"start", "upload"}},
		"as much as was sent":                 {2, received("10"), ``, "", []string{"start", "upload", "upload", "upload, finalize"}},
		"a part":                              {2, received("4"), ``, "", []string{"start", "upload", "query", "upload", "upload, finalize"}},
		"less than nothing":                   {2, received("-3"), ``, "", []string{"start", "upload", "upload", "upload, finalize"}},
		"a file of another length":            {4, final, `{"file":{"name":"files/f","sizeBytes":"24"}}`, "a different number of bytes", []string{"start", "upload", "upload", "upload, finalize"}},
		"active after the last chunk":         {4, received("25"), ``, "", []string{"start", "upload", "upload", "upload, finalize", "query"}},
		"a file of no length":                 {4, final, `{"file":{"name":"files/f"}}`, "", []string{"start", "upload", "upload", "upload, finalize"}},
		"final, as the answer to no question": {1, final, ``, "returned no address", []string{"start"}},
	} {
		server := &uploadServer{}
		doer := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			reply, err := server.Do(r)
			if len(server.commands) == tt.number && err == nil {
				reply.Header, reply.Body = tt.header, io.NopCloser(strings.NewReader(tt.body))
			}
			return reply, err
		})
		file, err := uploadClient(t, doer).Files.Upload(t.Context(), strings.NewReader(content),
			nil)
		if _, isTyped := errors.AsType[*gemini.CallError](err); tt.want == "" && err != nil ||
			tt.want != "" && (!isTyped || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if err == nil && (file == nil || string(server.stored) != content) {
			t.Errorf("%s: %v, stored %q", name, file, server.stored)
		}
		var commands []string
		for _, command := range server.commands {
			words := strings.Fields(command)
			commands = append(commands,
				strings.Join(slices.DeleteFunc(words,
					func(word string) bool { return strings.Trim(word, "0123456789") == "" }), " "))
		}
		if !slices.Equal(commands, tt.commands) {
			t.Errorf("%s: sent %q", name, commands)
		}
	}
}

// received is the header of a server that has a number of bytes and waits for more.
func received(count string) http.Header {
	return http.Header{"X-Goog-Upload-Status": {"active"}, "X-Goog-Upload-Size-Received": {count}}
}

func TestTheKeyGoesToNoOtherAddressThanTheServersOwn(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://user@generativelanguage.googleapis.com/upload/v1beta/files?upload_id=7",
		"https://user:password@generativelanguage.googleapis.com/upload/v1beta/files?upload_id=7",
		"https://elsewhere.example/upload/v1beta/files?upload_id=7",
		"https://generativelanguage.googleapis.com.elsewhere.example/upload",
		"https://generativelanguage.googleapis.com:8443/upload",
		"https://generativelanguage.googleapis.com@elsewhere.example/upload",
		"http://generativelanguage.googleapis.com/upload",
		"//elsewhere.example/upload", "/upload/v1beta/files?upload_id=7",
		"ftp://generativelanguage.googleapis.com/", "https:upload", "%zz",
	} {
		requests := 0
		_, err := uploadClient(t, gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			requests++
			reply := httpReply(200, "text/plain", "")
			reply.Header.Set("X-Goog-Upload-URL", address)
			return reply, nil
		})).Files.Upload(t.Context(), strings.NewReader("x"), nil)
		if _, isTyped := errors.AsType[*gemini.CallError](err); !isTyped || requests != 1 ||
			strings.Contains(shown(err), "password") {
			t.Errorf("%s: %v after %d requests", address, err, requests)
		}
	}
}

func TestAnUploadIsAsLongAsWasAnnounced(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "012345678", "0123456789A", strings.Repeat("x", 40)} {
		server := &uploadServer{}
		file := &geminiapi.File{SizeBytes: new(wiretype.NewInt64(10))}
		if stored, err := uploadClient(t, server).Files.Upload(t.Context(),
			strings.NewReader(content), file); err == nil || server.isFinal {
			t.Errorf("%d bytes: got %v, %v, %q", len(content), stored, err, server.commands)
		}
	}
}

// forgetful loses its data before the third command.
type forgetful struct{ uploadServer }

func (f *forgetful) Do(request *http.Request) (*http.Response, error) {
	if len(f.commands) == 2 {
		f.stored = nil
		f.commands = append(f.commands, "lost")
		return nil, io.ErrUnexpectedEOF
	}
	return f.uploadServer.Do(request)
}

func TestAnUploadHoldsOneChunkInMemory(t *testing.T) {
	const size, chunk = 64 << 20, 1 << 20
	client := newClient(t, gemini.WithHTTPClient(discardingServer{}),
		gemini.WithUploadChunkSize(chunk))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := client.Files.Upload(t.Context(), io.LimitReader(zeros{}, size), nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 2*chunk {
		t.Errorf("%d bytes were allocated for a file of %d", got, size)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// discardingServer accepts an upload and discards it.
type discardingServer struct{}

func (discardingServer) Do(request *http.Request) (*http.Response, error) {
	reply := httpReply(200, "application/json", `{"file":{"name":"files/f","state":"ACTIVE"}}`)
	reply.Header.Set("X-Goog-Upload-URL",
		"https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=7")
	if request.Body != nil {
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

func TestAnUploadWaitsUntilTheFileIsActive(t *testing.T) {
	t.Parallel()
	server := &uploadServer{polls: []string{"PROCESSING", "PROCESSING", "ACTIVE"}}
	var waited time.Duration
	file, err := uploadClient(t, server, atOnce(&waited)).Files.Upload(t.Context(),
		strings.NewReader("x"), nil, gemini.WithWaitActive())
	if err != nil || *file.State != geminiapi.FileStateActive || waited != 3*time.Second {
		t.Errorf("got %+v, %v after %v", file, err, waited)
	}
}

func TestAFileThatFailedIsAnError(t *testing.T) {
	t.Parallel()
	server := &uploadServer{polls: []string{"PROCESSING", "FAILED"}}
	_, err := uploadClient(t, server).Files.WaitUntilActive(t.Context(), "f")
	failed, ok := errors.AsType[*gemini.FileStateError](err)
	if !ok || *failed.File.State != geminiapi.FileStateFailed ||
		err.Error() != "gemini: files/f is FAILED: no codec" {
		t.Errorf("got %v", err)
	}
}

func TestWaitingForAFileEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stop := gemini.WithClock(time.Now, func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	})
	_, err := uploadClient(t, &uploadServer{polls: []string{"PROCESSING"}},
		stop).Files.WaitUntilActive(ctx, "f")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAnUploadedFileIsWhatWasRead(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("gemwire "), 10_000)
	server := &uploadServer{}
	if _, err := uploadClient(t, server, gemini.WithUploadChunkSize(777)).Files.Upload(t.Context(),
		iotest.HalfReader(bytes.NewReader(content)), nil); err != nil {
		t.Fatal(err)
	}
	if sha256.Sum256(server.stored) != sha256.Sum256(content) {
		t.Error("other bytes arrived")
	}
}
