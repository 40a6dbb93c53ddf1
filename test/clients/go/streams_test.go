package clients_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
)

// repository is the folder of the main module.
const repository = "../../.."

// stream is one recorded stream of Gemini's.
type stream struct {
	name string // unique, and a file name
	path string
	body []byte
}

// stageStreams copies all streams into a folder: the examples of the repository, and the recordings
// if they are next to the checkout.
func stageStreams(t *testing.T, dir string) []stream {
	t.Helper()
	var streams []stream
	examples := exampleStreams(t)
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		streams = append(streams, stageStream(t, dir, name, examples[name]))
	}
	t.Run("recorded", func(t *testing.T) {
		for _, payload := range corpustest.Payloads(t, corpustest.Stream) {
			streams = append(streams, stageStream(t, dir, payload.Name, payload.Read(t)))
		}
	})
	return streams
}

func stageStream(t *testing.T, dir, name string, body []byte) stream {
	t.Helper()
	name = strings.ReplaceAll(name, "/", "~")
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, body, 0o666); err != nil {
		t.Fatal(err)
	}
	return stream{name, path, body}
}
