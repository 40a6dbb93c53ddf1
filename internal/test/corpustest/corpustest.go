// Package corpustest reads recorded payloads for tests, from ../shared/corpus next to a checkout of
// this repository. The payloads are not part of the repository. Without them, tests that need them
// are skipped.
package corpustest

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Kind is the kind of a payload.
type Kind string

// The kinds of payloads.
const (
	// Request is the body of a generateContent, countTokens or related request.
	Request Kind = "request"
	// Response is the body of an answer with a success status.
	Response Kind = "response"
	// Stream is the body of a streamGenerateContent answer.
	Stream Kind = "stream"
	// Error is the body of an answer with an error status.
	Error Kind = "error"
)

// Payload is one recorded body.
type Payload struct {
	// Name is the file's path below the corpus, with slashes. It is unique.
	Name string
	// Kind is the kind of the body.
	Kind Kind
	// HTTPStatus is the recorded status, or "" if the recording has none.
	HTTPStatus string
	// API is the API of the recorded server: "gemini" for the Gemini API, "vertex" for Vertex AI.
	API string
	// Endpoint is the called method, such as "generateContent", or "" if the recording does not
	// name it.
	Endpoint string
	// Model is the model's id, or "" if the recording has none.
	Model string
	// Host is the recorded server, or "" if the recording has none.
	Host string
	// Features lists the features of the payload, separated by semicolons.
	Features string
	// Pair is the Name of the request for this answer, or "" if it is not known.
	Pair string

	path string
}

// Read returns the body's bytes.
func (p Payload) Read(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// oneOf is the distance between two payloads that a short run uses. The short run is for the race
// detector. It needs all code paths, but not all contents. Only the full run finds faults that need
// many payloads.
const oneOf = 16

// Payloads returns all payloads of a kind in the order of the index. In a short run (go test
// -short) it returns every sixteenth of the responses and streams. It skips the test if the corpus
// is missing.
func Payloads(t testing.TB, kind Kind) []Payload {
	t.Helper()
	return payloads(t, "corpus", func(row row) bool { return row.column("kind") == string(kind) })
}

// ClientPayloads is like [Payloads] for payloads between clients and servers other than Google's,
// for example of the API "chat_completions".
func ClientPayloads(t testing.TB, api string, kind Kind) []Payload {
	t.Helper()
	return payloads(t, "corpus-clients", func(row row) bool {
		return row.column("api") == api && row.column("kind") == string(kind)
	})
}

// InteractionPayloads returns all payloads of a kind from the Interactions API. A stream has the
// data of one event in each line.
func InteractionPayloads(t testing.TB, kind Kind) []Payload {
	t.Helper()
	return payloads(t, "corpus-interactions", func(row row) bool {
		return row.column("kind") == string(kind)
	})
}

// EndpointPayloads is like [Payloads] for payloads of one endpoint of the Gemini API, for example
// "files".
func EndpointPayloads(t testing.TB, endpoint string, kind Kind) []Payload {
	t.Helper()
	return payloads(t, "corpus", func(row row) bool {
		return row.column("api") == "gemini" && row.column("endpoint") == endpoint &&
			row.column("kind") == string(kind)
	})
}

// AtLeast returns the minimum number of payloads or leaves that a test must have checked. It is n
// in a full run, and 0 in a short run.
func AtLeast(n int) int {
	if testing.Short() {
		return 0
	}
	return n
}

// row is a line of an index, with the columns that its first line names.
type row struct{ names, values []string }

// column returns "" for a column that is not in the index.
func (r row) column(name string) string {
	i := slices.Index(r.names, name)
	if i < 0 {
		return ""
	}
	return r.values[i]
}

// payloads returns the payloads of a folder whose rows of the index are wanted.
func payloads(t testing.TB, folder string, wanted func(row) bool) []Payload {
	t.Helper()
	root := Shared(t, folder)
	f, err := os.Open(filepath.Join(root, "index.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []Payload
	wantedRows := 0
	for _, values := range rows[1:] {
		row := row{rows[0], values}
		if !wanted(row) {
			continue
		}
		if wantedRows++; testing.Short() && wantedRows%oneOf != 1 && isAnswer(row.column("kind")) {
			continue
		}
		out = append(out, Payload{
			Name:       row.column("file"),
			Kind:       Kind(row.column("kind")),
			HTTPStatus: row.column("http_status"),
			API:        row.column("api"),
			Endpoint:   row.column("endpoint"),
			Model:      row.column("model"),
			Host:       row.column("host"),
			Features:   row.column("features"),
			Pair:       row.column("pair"),
			path:       filepath.Join(root, filepath.FromSlash(row.column("file"))),
		})
	}
	return out
}

// isAnswer reports whether a kind is a kind of answers. Most payloads are answers.
func isAnswer(kind string) bool { return kind == string(Response) || kind == string(Stream) }

// Shared returns the path of an entry of the shared folder next to the checkout, for example
// "corpus" or "discovery". It skips the test if the entry is missing.
func Shared(t testing.TB, entry string) string {
	t.Helper()
	path := filepath.Join(checkout(t), "..", "shared", filepath.FromSlash(entry))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not next to this checkout", entry)
	}
	return path
}

// checkout returns the folder of the repository's go.mod. It searches upwards from the test's
// folder, whose own module may be nested.
func checkout(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/gemwire/gemwire\n") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod of github.com/gemwire/gemwire above the test's folder")
		}
		dir = parent
	}
}
