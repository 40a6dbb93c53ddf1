package bulk_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestAFileOfSeveralPiecesIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	service := open(t)
	for _, size := range []int{0, 1, 512 << 10, 512<<10 + 1, 3 << 20} {
		content := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		file, err := service.PutFile(t.Context(), bulk.File{Name: "f"}, bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if file.Bytes != int64(size) {
			t.Errorf("%d bytes; expected %d", file.Bytes, size)
		}
		opened, err := service.OpenFile(t.Context(), file.ID)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := io.ReadAll(opened); err != nil || !bytes.Equal(read, content) {
			t.Errorf("a file of %d bytes is read as %d bytes, %v", size, len(read), err)
		}
	}
}

func TestAFileThatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	service := open(t)
	no := errors.New("no purpose")
	_, err := service.PutFile(t.Context(), bulk.File{Name: "f"}, strings.NewReader("content"),
		func(f *bulk.File) error {
			if f.Bytes != 7 {
				t.Errorf("%d bytes; expected 7", f.Bytes)
			}
			return no
		})
	if !errors.Is(err, no) {
		t.Errorf("error %v; expected %v", err, no)
	}
	broken := errors.New("the client is gone")
	if _, err := service.PutFile(t.Context(), bulk.File{}, failingReader{broken}); !errors.Is(err,
		broken) {
		t.Errorf("error %v; expected %v", err, broken)
	}
	for file, err := range service.Files(t.Context(), bulk.Page{}) {
		t.Errorf("there is a file: %+v, %v", file, err)
	}
}

func TestFilesAreListedByOwnerPurposeAndPage(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	service := open(t, bulk.WithClock(clock.now))
	for _, name := range []string{"a", "b", "c", "d"} {
		clock.advance(time.Second)
		if _, err := service.PutFile(t.Context(),
			bulk.File{Name: name, Owner: "me", Purpose: "batch"},
			strings.NewReader(name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.PutFile(t.Context(),
		bulk.File{Name: "other", Owner: "you", Purpose: "batch"},
		strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	list := func(page bulk.Page) (names, last string) {
		for file, err := range service.Files(t.Context(), page) {
			if err != nil {
				t.Fatal(err)
			}
			names, last = names+file.Name, file.ID
		}
		return names, last
	}
	first, last := list(bulk.Page{Owner: "me", Limit: 2})
	second, _ := list(bulk.Page{Owner: "me", After: last})
	oldest, _ := list(bulk.Page{Owner: "me", OldestFirst: true})
	if none, _ := list(bulk.Page{Purpose: "user_data"}); first != "dc" || second != "ba" ||
		oldest != "abcd" || none != "" {
		t.Errorf("lists: %q, %q, %q, %q", first, second, oldest, none)
	}
}

func TestAFileExpires(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	service := open(t, bulk.WithClock(clock.now))
	file, err := service.PutFile(t.Context(), bulk.File{ExpiresAt: clock.now().Add(time.Hour)},
		strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.File(t.Context(), file.ID); err != nil {
		t.Fatal(err)
	}
	clock.advance(2 * time.Hour)
	if _, err := service.OpenFile(t.Context(), file.ID); !errors.As(err, new(*bulk.NotFoundError)) {
		t.Errorf("error %v; expected a *NotFoundError", err)
	}
}

func TestLinesAndResultsAboveTheLimitOfAMessageComeThrough(t *testing.T) {
	t.Parallel()
	service := open(t)
	long := strings.Repeat("long ", 500_000) // 2.5 MB, where a message has at most 1 MB
	input := questions(2) +
		`{"custom_id":"q-2","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"` +
		long + `"}]}}` + "\n"
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(input)})
	work(t, service, live(&answerer{answer: func(l line.Line) line.Result {
		result := answered(l)
		result.Response.Body = jsontext.Value(`{"echo":` + string(l.Body) + `}`)
		return result
	}}))
	await(t, service, job.ID, bulk.Completed)
	all := results(t, service, job.ID)
	expectAll(t, all, 0, 3)
	if !strings.Contains(string(all[2].Response.Body), long) {
		t.Errorf("the long answer has %d bytes", len(all[2].Response.Body))
	}
}
