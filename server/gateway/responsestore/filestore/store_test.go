package filestore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/gateway/responsestore/filestore"
	"github.com/gemwire/gemwire/server/internal/responsestoretest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("FILESTORE_TEST_WRITE"); path != "" {
		writeForEver(path)
	}
	os.Exit(m.Run())
}

// open opens a file, in a folder of the test.
func open(t testing.TB, path string, bounds responsestore.Bounds) *filestore.Store {
	t.Helper()
	s, err := filestore.Open(path, bounds)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func openNew(t testing.TB, bounds responsestore.Bounds) responsestore.Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "responses.db"), bounds)
}

func closed(t testing.TB, s responsestore.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

var owner = responsestore.OwnerOf("key")

func document(id string) responsestore.Write {
	return responsestore.Write{
		Document: &responsestore.Document{ID: id, JSON: []byte(`{"id":"` + id + `"}`)},
		Entries: []responsestore.Entry{{List: responsestore.Input, ID: "item_" + id,
			JSON: []byte(`{}`)}},
	}
}

func TestAFileKeepsWhatAStoreKeeps(t *testing.T) {
	t.Parallel()
	responsestoretest.Run(t, openNew)
}

func TestAFileObeysItsBounds(t *testing.T) {
	t.Parallel()
	responsestoretest.Bounds(t, openNew)
}

func TestAFileIsForManyAtATime(t *testing.T) {
	t.Parallel()
	s := openNew(t, responsestore.Bounds{Count: 50})
	responsestoretest.Crowd(t, s)
	closed(t, s)
}

func TestAFileOutlivesItsStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "responses.db")
	s := open(t, path, responsestore.Bounds{})
	write := document("resp_1")
	write.Document.Previous, write.Document.IsRunning = "resp_0", true
	if err := s.Put(t.Context(), owner, write); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
	s = open(t, path, responsestore.Bounds{})
	defer closed(t, s)
	d, err := s.Get(t.Context(), owner, "resp_1")
	if err != nil || d.Previous != "resp_0" || !d.IsRunning || string(d.JSON) != `{"id":"resp_1"}` {
		t.Errorf("%+v, %v", d, err)
	}
	if id, e, err := s.Find(t.Context(), owner, "item_resp_1"); err != nil || id != "resp_1" ||
		e.Position != 1 {
		t.Errorf("%s %+v, %v", id, e, err)
	}
	if err := s.Put(t.Context(), owner,
		responsestore.Write{ID: "resp_1",
			Entries: []responsestore.Entry{{List: responsestore.Input, ID: "later"}}}); err != nil {
		t.Fatal(err)
	}
	if _, e, err := s.Find(t.Context(), owner, "later"); err != nil || e.Position != 2 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestOpeningHoldsAFileToItsBounds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "responses.db")
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path, responsestore.Bounds{})
		for _, id := range []string{"a", "b", "c", "d"} {
			if err := s.Put(t.Context(), owner, document(id)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		closed(t, s)
		s = open(t, path, responsestore.Bounds{Age: 3*time.Hour + time.Minute, Count: 2})
		closed(t, s)
		s = open(t, path, responsestore.Bounds{})
		defer closed(t, s)
		for id, want := range map[string]error{"a": responsestore.ErrNotFound,
			"b": responsestore.ErrNotFound, "c": nil, "d": nil} {
			if _, err := s.Get(t.Context(), owner, id); !errors.Is(err, want) {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
}

func TestADocumentThatLostAnEntryIsSubtractedInFull(t *testing.T) {
	t.Parallel()
	large := document("large")
	large.Document.JSON = []byte(`{"text":"` + strings.Repeat("x", 5000) + `"}`)
	small := document("small")
	s := openNew(t, responsestore.Bounds{Bytes: large.Size() + small.Size()})
	defer closed(t, s)
	for range 3 { // what remains of one would be too much for the next
		for _, w := range []responsestore.Write{small, large} {
			if err := s.Put(t.Context(), owner, w); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Get(t.Context(), owner, "small"); err != nil {
			t.Errorf("the first of two documents that fit: %v", err)
		}
		if err := s.DeleteEntry(t.Context(), owner, "large", "item_large"); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"large", "small"} {
			if err := s.Delete(t.Context(), owner, id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAFileHasOneProcessAndOneReader(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "responses.db")
	s := open(t, path, responsestore.Bounds{})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := filestore.Open(path, responsestore.Bounds{}); !errors.Is(err,
			filestore.ErrInUse) || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that is open: %v", err)
		}
	})
	closed(t, s)
	closed(t, open(t, path, responsestore.Bounds{}))
}

func TestFilesThatAreNoStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.db")
	s := open(t, cut, responsestore.Bounds{})
	for i := range 40 {
		if err := s.Put(t.Context(), owner, document(fmt.Sprint("resp_", i))); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, s)
	if err := os.Truncate(cut, 3*int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a text": text, "a folder": dir, "no folder": filepath.Join(dir, "missing", "responses.db"),
		"a database that was cut": cut,
	} {
		s, err := filestore.Open(path, responsestore.Bounds{})
		if err == nil {
			closed(t, s)
			t.Errorf("%s was opened", name)
		} else if !strings.HasPrefix(err.Error(), "filestore: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A process's writes survive if it is killed in the middle of another write.
func TestAProcessThatIsKilledLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "responses.db")
	for round := range 3 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "FILESTORE_TEST_WRITE="+path,
			fmt.Sprint("FILESTORE_TEST_ROUND=", round))
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		var last string
		for range 20 + 7*round {
			if !lines.Scan() {
				t.Fatal("the process ended")
			}
			last = lines.Text()
		}
		_ = command.Process.Kill()
		for lines.Scan() { // what it has said before it was killed is kept, too
			last = lines.Text()
		}
		_ = command.Wait()
		wantAll(t, path, last)
	}
}

// writeForEver writes documents forever, and prints which ones are stored.
func writeForEver(path string) {
	s, err := filestore.Open(path, responsestore.Bounds{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	end := time.Now().Add(30 * time.Second) // if the test does not kill it
	for i := 0; time.Now().Before(end); i++ {
		id := fmt.Sprint("resp_", os.Getenv("FILESTORE_TEST_ROUND"), "_", i)
		if err := s.Put(context.Background(), owner, document(id)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(id)
	}
	os.Exit(0)
}

// wantAll opens a file and checks that it has a document and all earlier ones, with their entries.
func wantAll(t *testing.T, path, last string) {
	t.Helper()
	s := open(t, path, responsestore.Bounds{})
	defer closed(t, s)
	cut := strings.LastIndexByte(last, '_')
	var n int
	if _, err := fmt.Sscan(last[cut+1:], &n); err != nil {
		t.Fatal(err)
	}
	for i := range n + 1 {
		id := fmt.Sprint(last[:cut], "_", i)
		if _, err := s.Get(t.Context(), owner, id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if found, _, err := s.Find(t.Context(), owner, "item_"+id); err != nil || found != id {
			t.Errorf("the item of %s: %s, %v", id, found, err)
		}
	}
}

// FuzzAFileDoesWhatMemoryDoes performs the same steps with both stores and compares the results.
func FuzzAFileDoesWhatMemoryDoes(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x30\x08\x01\x42\x40\x0c\x01\x02\x00\x0e\x01\x42\x40"))
	f.Add([]byte("\x04\x01\x02\x80\x00\x82\x03\xff\x0b\x01\x02\x00\x0d\x01\x00\x00\x0a\x01\x00\x00\x0f\x02\x00\x41"))
	f.Add([]byte("\x00\x00\x01\xff\x00\x01\x02\xff\x00\x02\x03\xff\x00\x03\x04\xff\x00\x04\x05\xff\x0d\x00\x00\x00\x0d\x04\x00\x00"))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		bounds := responsestore.Bounds{Count: 5, Bytes: 20_000}
		s := openNew(t, bounds)
		defer closed(t, s)
		responsestoretest.Differ(t, s, responsestore.NewMemory(bounds), script)
	})
}

func BenchmarkPutIntoAFile(b *testing.B) {
	s := openNew(b, responsestore.Bounds{Count: 1000})
	defer closed(b, s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.Put(b.Context(), owner, document(fmt.Sprint("resp_", i))); err != nil {
			b.Fatal(err)
		}
	}
}
