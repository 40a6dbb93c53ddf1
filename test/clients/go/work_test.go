package clients_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// work is a run of the command over all streams: the folder that it fills, and what it made.
type work struct {
	command command
	dir     string
	streams []stream
	plain   map[string]plain // by the name of the stream
	// responses are the accumulated Gemini responses, as files for the command.
	responses map[string]output
	manifest  manifest
}

// manifest lists the files for the tests in ../node. Paths are relative to its folder.
type manifest struct {
	Streams []*manifestStream `json:"streams"`
	// Missing are the forms that the command does not have, and why.
	Missing map[string]string `json:"missing"`
}

type manifestStream struct {
	Name  string                   `json:"name"`
	Plain plain                    `json:"plain"`
	Forms map[string]manifestFiles `json:"forms"`
}

// manifestFiles are the two results of one stream in one form. The path of a missing result is "".
type manifestFiles struct {
	Stream string `json:"stream"`
	Whole  string `json:"whole"`
}

// newWork stages the streams in GEMWIRE_WORK, or else in a folder that goes with the test.
func newWork(t *testing.T) *work {
	t.Helper()
	dir := os.Getenv("GEMWIRE_WORK")
	if dir == "" {
		dir = t.TempDir()
	}
	w := &work{command: buildCommand(t), dir: dir, plain: map[string]plain{}}
	w.manifest.Missing = map[string]string{}
	w.streams = stageStreams(t, w.folder(t, "gemini-stream"))
	failing := 0
	for _, s := range w.streams {
		w.plain[s.name] = readPlain(s.body)
		if w.plain[s.name].Failure != "" {
			failing++
		}
		entry := &manifestStream{Name: s.name, Plain: w.plain[s.name],
			Forms: map[string]manifestFiles{}}
		w.manifest.Streams = append(w.manifest.Streams, entry)
	}
	w.report(t, "%d streams, of which %d end in an error or are cut off", len(w.streams), failing)
	return w
}

// folder makes a folder for one kind of files.
func (w *work) folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(w.dir, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// convertStreams converts all streams to a format. It skips the test when the command cannot.
func (w *work) convertStreams(t *testing.T, folder, to string, flags ...string) map[string]output {
	t.Helper()
	var files []string
	for _, s := range w.streams {
		files = append(files, s.path)
	}
	return w.convert(t, folder, files,
		append([]string{"--from", "gemini-stream", "--to", to}, flags...)...)
}

// convertResponses converts the accumulated responses to whole answers in a format. The result is
// by the names of the streams.
func (w *work) convertResponses(t *testing.T, folder, to string,
	flags ...string) map[string]output {
	t.Helper()
	var files []string
	for _, s := range w.streams {
		if response := w.responses[s.name]; response.failure == "" {
			files = append(files, response.path)
		}
	}
	completions := w.convert(t, folder, files,
		append([]string{"--from", "gemini-response", "--to", to}, flags...)...)
	byStream := map[string]output{}
	for _, s := range w.streams {
		byStream[s.name] = completions[filepath.Base(w.responses[s.name].path)]
	}
	return byStream
}

func (w *work) convert(t *testing.T, folder string, files []string,
	flags ...string) map[string]output {
	t.Helper()
	outputs, err := w.command.convert(t, w.folder(t, folder), files, flags...)
	if errors.Is(err, errNoConversion) {
		w.manifest.Missing[folder] = "there is no gemwire convert " + strings.Join(flags, " ")
		w.report(t, "%s: skipped, %s", folder, w.manifest.Missing[folder])
		t.Skip(w.manifest.Missing[folder])
	}
	return outputs
}

// list adds the files of a form to the manifest.
func (w *work) list(t *testing.T, form string, streams, wholes map[string]output) {
	t.Helper()
	for _, entry := range w.manifest.Streams {
		entry.Forms[form] = manifestFiles{w.relative(t, streams[entry.Name]),
			w.relative(t, wholes[entry.Name])}
	}
}

func (w *work) relative(t *testing.T, out output) string {
	t.Helper()
	if out.path == "" {
		return ""
	}
	path, err := filepath.Rel(w.dir, out.path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *work) writeManifest(t *testing.T) {
	t.Helper()
	data, err := json.Marshal(w.manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "manifest.json"), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// report logs a line and adds it to the summary, which ../run.sh prints.
func (w *work) report(t *testing.T, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf("go: "+format, args...)
	t.Log(line)
	file, err := os.OpenFile(filepath.Join(w.dir, "summary.txt"),
		os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fmt.Fprintln(file, line)
}
