package fakegemini_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func TestAFileIsUploadedAndReferredTo(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	client := clientOf(t, srv, gemini.WithModel("gemini-2.5-flash"))
	content := []byte("%PDF-1.7 and so on")
	file, err := client.Files.Upload(t.Context(), bytes.NewReader(content),
		&geminiapi.File{DisplayName: new("d")})
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(content)
	hash := base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(digest[:])))
	if *file.State != geminiapi.FileStateActive || file.SizeBytes.Int64() != 18 ||
		*file.MIMEType != "application/pdf" || *file.SHA256Hash != hash ||
		*file.DisplayName != "d" {
		t.Errorf("got %+v", file)
	}
	if *file.URI != "https://generativelanguage.googleapis.com/v1beta/"+*file.Name {
		t.Error(*file.URI)
	}
	ask := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserParts(gemini.FileDataPart(*file.MIMEType,
		*file.URI),
		gemini.TextPart("What is it?"))}}
	if _, err := client.GenerateContent(t.Context(), ask); err != nil {
		t.Error(err)
	}
	if err := client.Files.Delete(t.Context(), *file.URI); err != nil {
		t.Error(err)
	}
	gone := "You do not have permission to access the File " +
		strings.TrimPrefix(*file.Name, "files/") + " or it may not exist."
	_, err = client.Files.Get(t.Context(), *file.Name)
	expectRefusal(t, "a deleted file", err, 403, gone)
	expectRefusal(t, "the deletion of a deleted file", client.Files.Delete(t.Context(), *file.Name),
		403, gone)
	_, err = client.GenerateContent(t.Context(), ask)
	expectRefusal(t, "the use of a deleted file", err, 403, gone)
}

func TestALargeFileArrivesWhole(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	var steps int
	file, err := clientOf(t, srv).Files.Upload(t.Context(),
		io.MultiReader(bytes.NewReader(content), strings.NewReader("!")), nil,
		gemini.WithUploadProgress(func(int64, int64) { steps++ }))
	if err != nil || file.SizeBytes.Int64() != 20<<20+1 || steps != 3 {
		t.Errorf("got %+v after %d steps, %v", file, steps, err)
	}
}

// breaking is a Doer that breaks a connection in the middle of the first body of a minimum size.
type breaking struct {
	next   gemini.Doer
	broken bool
}

func (b *breaking) Do(r *http.Request) (*http.Response, error) {
	if r.ContentLength > 1000 && !b.broken {
		b.broken = true
		part := *r
		part.Body, part.ContentLength = io.NopCloser(io.LimitReader(r.Body, 600)), 600
		part.Header = r.Header.Clone()
		part.Header.Set("X-Goog-Upload-Command", "upload")
		if reply, err := b.next.Do(&part); err == nil {
			reply.Body.Close()
		}
		return nil, io.ErrUnexpectedEOF
	}
	return b.next.Do(r)
}

func TestAnUploadIsResumedByWhatTheServerHas(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	doer := &breaking{next: srv.HTTPClient()}
	client := clientOf(t, srv, gemini.WithHTTPClient(doer), gemini.WithMaxAttempts(3),
		gemini.WithBackoff(time.Millisecond, time.Millisecond))
	content := bytes.Repeat([]byte("x"), 5000)
	file, err := client.Files.Upload(t.Context(), iotest.HalfReader(bytes.NewReader(content)), nil)
	digest := sha256.Sum256(content)
	if err != nil || *file.SHA256Hash != base64.StdEncoding.EncodeToString(
		[]byte(hex.EncodeToString(digest[:]))) || !doer.broken {
		t.Errorf("got %+v, %v", file, err)
	}
}

func TestAVideoIsProcessedForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, geminitest.NewServer(t, geminitest.WithProcessingTime(5*time.Second)),
			gemini.WithModel("gemini-2.5-flash"))
		file, err := client.Files.Upload(t.Context(), strings.NewReader("video"),
			&geminiapi.File{MIMEType: new("video/mp4")})
		if err != nil || *file.State != geminiapi.FileStateProcessing {
			t.Fatalf("got %+v, %v", file, err)
		}
		ask := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserParts(gemini.FileDataPart("video/mp4",
			*file.URI),
			gemini.TextPart("?"))}}
		_, err = client.GenerateContent(t.Context(), ask)
		expectRefusal(t, "a video too early", err, 400,
			"is not in an ACTIVE state and usage is not allowed.")
		begun := time.Now()
		file, err = client.Files.WaitUntilActive(t.Context(), *file.Name)
		if waited := time.Since(begun); err != nil || *file.VideoMetadata.VideoDuration != "1s" ||
			waited < 5*time.Second || waited > 8*time.Second {
			t.Errorf("got %+v, %v after %v", file, err, waited)
		}
		if _, err := client.GenerateContent(t.Context(), ask); err != nil {
			t.Error(err)
		}
	})
}

func TestFilesExpireAfterTwoDays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, geminitest.NewServer(t))
		file, err := client.Files.Upload(t.Context(), strings.NewReader("x"),
			&geminiapi.File{Name: new("my-file")})
		if err != nil || *file.Name != "files/my-file" {
			t.Fatalf("got %+v, %v", file, err)
		}
		_, err = client.Files.Upload(t.Context(), strings.NewReader("x"),
			&geminiapi.File{Name: new("my-file")})
		expectRefusal(t, "the same name again", err, 409, "already exists")
		time.Sleep(48 * time.Hour)
		_, err = client.Files.Get(t.Context(), "my-file")
		expectRefusal(t, "an expired file", err, 403, "may not exist")
	})
}

func TestFilesAreListedTheNewestFirst(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	for _, name := range []string{"a", "b", "c"} {
		if _, err := client.Files.Upload(t.Context(), strings.NewReader(name),
			&geminiapi.File{Name: &name}); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for file, err := range client.Files.List(t.Context(), gemini.WithPageSize(2)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, *file.Name)
	}
	if strings.Join(names, " ") != "files/c files/b files/a" {
		t.Error(names)
	}
}

func TestFilesThatTheRealServerRefuses(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	for _, name := range []string{"Upper", "-dash", "dash-", "a_b", strings.Repeat("a", 41)} {
		_, err := client.Files.Upload(t.Context(), strings.NewReader("x"),
			&geminiapi.File{Name: &name})
		expectRefusal(t, name, err, 400,
			"File name may only contain lowercase alphanumeric characters or dashes (-)")
	}
	file, err := client.Files.Upload(t.Context(), strings.NewReader("x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err = client.Files.Download(t.Context(), *file.Name, &out)
	expectRefusal(t, "the download of what was uploaded", err, 400,
		"Only generated files can be downloaded.")
	_, err = client.Files.Download(t.Context(), "none", &out)
	expectRefusal(t, "the download of nothing", err, 403, "may not exist")
	if out.Len() != 0 {
		t.Errorf("%q was written", out.String())
	}
}

func TestUploadsByHand(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	key := http.Header{"X-Goog-Api-Key": {"k"}}
	raw := key.Clone()
	raw.Set("Content-Type", "text/plain")
	if reply, body := send(t, srv, "/upload/v1beta/files", raw,
		"some text"); reply.StatusCode != 200 || !strings.Contains(body, `"sizeBytes": "9"`) {
		t.Errorf("raw: %s %s", reply.Status, body)
	}
	start := key.Clone()
	start.Set("X-Goog-Upload-Protocol", "resumable")
	start.Set("X-Goog-Upload-Command", "start")
	start.Set("X-Goog-Upload-Header-Content-Length", "4")
	start.Set("X-Goog-Upload-Header-Content-Type", "text/plain")
	reply, body := send(t, srv, "/upload/v1beta/files", start, `{"file":{"display_name":"x.txt"}}`)
	address := reply.Header.Get("X-Goog-Upload-URL")
	if reply.StatusCode != 200 || body != "" ||
		reply.Header.Get("X-Goog-Upload-Status") != "active" ||
		!strings.HasPrefix(address,
			"https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=") {
		t.Fatalf("start: %s %q %v", reply.Status, body, reply.Header)
	}
	path := strings.TrimPrefix(address, "https://generativelanguage.googleapis.com")
	for _, step := range []struct {
		command, offset, body string
		status                int
		received, state       string
	}{
		{"query", "", "", 200, "0", "active"},
		{"upload", "0", "ab", 200, "2", "active"},
		{"upload", "0", "ab", 400, "", "final"}, // was there already
		{"upload, finalize", "2", "c", 400, "", "final"},
		{"upload, finalize", "2", "cd", 200, "4", "final"},
		{"query", "", "", 200, "4", "final"},
	} {
		// The address is the only credential that it needs.
		header := http.Header{"X-Goog-Upload-Command": {step.command}}
		if step.offset != "" {
			header.Set("X-Goog-Upload-Offset", step.offset)
		}
		reply, body := send(t, srv, path, header, step.body)
		if reply.StatusCode != step.status ||
			reply.Header.Get("X-Goog-Upload-Size-Received") != step.received ||
			reply.Header.Get("X-Goog-Upload-Status") != step.state {
			t.Errorf("%s at %s: %s %v %s", step.command, step.offset, reply.Status, reply.Header,
				body)
		}
	}
}

func TestUploadsByHandThatAreRefusedOrCancelled(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	const files = "/upload/v1beta/files"
	header := func(pairs ...string) http.Header {
		out := http.Header{"X-Goog-Api-Key": {"k"}}
		for i := 0; i < len(pairs); i += 2 {
			out.Set(pairs[i], pairs[i+1])
		}
		return out
	}
	related := header("Content-Type", "multipart/related; boundary=b")
	const description = "--b\r\nContent-Type: application/json\r\n\r\n{\"file\":{\"displayName\":\"x\"}}\r\n"
	start := func(size string) http.Header {
		return header("X-Goog-Upload-Protocol", "resumable", "X-Goog-Upload-Command", "start",
			"X-Goog-Upload-Header-Content-Length", size)
	}
	for name, tt := range map[string]struct {
		path   string
		header http.Header
		body   string
		status int
		want   string
	}{
		"a description alone":         {"/v1beta/files", header("Content-Type", "application/json"), `{"file":{}}`, 400, "INVALID_ARGUMENT"},
		"two parts":                   {files, related, description + "--b\r\nContent-Type: text/plain\r\n\r\nabc\r\n--b--\r\n", 200, `"sizeBytes": "3"`},
		"no second part":              {files, related, description + "--b--\r\n", 400, "INVALID_ARGUMENT"},
		"no part":                     {files, related, "abc", 400, "INVALID_ARGUMENT"},
		"a part that is not JSON":     {files, related, "--b\r\n\r\n{\r\n--b\r\n\r\nabc\r\n--b--\r\n", 400, "INVALID_ARGUMENT"},
		"no media type":               {files, header("Content-Type", ";"), "abc", 400, "INVALID_ARGUMENT"},
		"an unknown member":           {files, start("4"), `{"file":{"x":1}}`, 400, "x"},
		"a start that is not JSON":    {files, start("4"), `{`, 400, "INVALID_ARGUMENT"},
		"a size that is not a number": {files, start("four"), `{}`, 400, "INVALID_ARGUMENT"},
		"a negative size":             {files, start("-1"), `{}`, 400, "INVALID_ARGUMENT"},
		"a size above the limit":      {files, start("99999999999999"), `{}`, 400, "INVALID_ARGUMENT"},
		"no size":                     {files, start(""), `{}`, 400, "INVALID_ARGUMENT"},
		"an empty file":               {files, start("0"), `{}`, 200, ""},
		"an unknown upload":           {files + "?upload_id=none", header("X-Goog-Upload-Command", "query"), "", 404, "Not Found"},
	} {
		reply, body := send(t, srv, tt.path, tt.header, tt.body)
		if reply.StatusCode != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %s %s", name, reply.Status, body)
		}
	}
	reply, _ := send(t, srv, files, start("4"), `{}`)
	path := strings.TrimPrefix(reply.Header.Get("X-Goog-Upload-URL"),
		"https://generativelanguage.googleapis.com")
	for _, step := range []struct {
		command, offset string
		status          int
		state           string
	}{
		{"jump", "", 400, "final"}, {"upload", "", 200, "active"}, {"upload", "one", 200, "active"}, {"cancel", "", 200, "cancelled"},
		{"upload", "2", 400, "final"}, {"query", "", 200, "cancelled"},
	} {
		reply, body := send(t, srv, path,
			header("X-Goog-Upload-Command", step.command, "X-Goog-Upload-Offset", step.offset), "a")
		if reply.StatusCode != step.status ||
			reply.Header.Get("X-Goog-Upload-Status") != step.state {
			t.Errorf("%s: %s %v %s", step.command, reply.Status, reply.Header, body)
		}
	}
}

func TestAnUploadOnLoopbackNamesTheServersOwnAddress(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithBaseURL(srv.URL()))
	if err != nil {
		t.Fatal(err)
	}
	file, err := client.Files.Upload(t.Context(), strings.NewReader("x"), nil)
	if err != nil || !strings.HasPrefix(*file.URI, srv.URL()+"/v1beta/files/") {
		t.Errorf("got %+v, %v", file, err)
	}
}
