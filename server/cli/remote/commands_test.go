package remote_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json"
)

func TestCountPrintsANumber(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	wantResult(t, ask(t, server, "", "count", "hello", "world"), 0, "2\n", "")
	longer := ask(t, server, "hello world", "count", "--system", "Be brief, and polite.", "--tool",
		writeFile(t, "t.json", `{"name":"f","description":"d"}`), "-")
	if longer.code != 0 || longer.stdout == "2\n" ||
		!regexp.MustCompile(`^[0-9]+\n$`).MatchString(longer.stdout) {
		t.Errorf("%+v", longer)
	}
	got := ask(t, server, "", "count", "--json", "hello")
	if counted, err := gemini.DecodeCountTokensResponse([]byte(got.stdout)); err != nil ||
		counted.TotalTokens == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEmbedPrintsAVectorALine(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	lines := writeFile(t, "lines.txt", "Lisbon\n\n  Porto \nFaro")
	got := ask(t, server, "", "embed", "--size", "3", "--lines", lines)
	vectors := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	if got.code != 0 || got.stderr != "" || len(vectors) != 3 {
		t.Fatalf("%+v", got)
	}
	for _, line := range vectors {
		var vector []float64
		if err := json.Unmarshal([]byte(line), &vector); err != nil || len(vector) != 3 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, alone := range []result{
		ask(t, server, "", "embed", "--size", "3", "Porto"),
		ask(t, server, "Porto\n", "embed", "--size", "3", "-"),
		ask(t, server, "Porto\n", "embed", "--size", "3", "--lines", "-"),
	} {
		wantResult(t, alone, 0, vectors[1]+"\n", "")
	}
	asJSON := ask(t, server, "", "embed", "--json", "--size", "3", "--task", "retrieval_query",
		"Porto")
	if asJSON.code != 0 || !strings.HasPrefix(asJSON.stdout, `{"text":"Porto","values":[`) {
		t.Errorf("%+v", asJSON)
	}
	requests := server.Requests()
	if body := string(requests[len(requests)-1].Body); !strings.Contains(body,
		`"taskType":"RETRIEVAL_QUERY"`) {
		t.Error(body)
	}
}

func TestEmbedSendsManyTextsInBatches(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	got := ask(t, server, strings.Repeat("text\n", 150), "embed", "--size", "2", "--lines", "-")
	if got.code != 0 || strings.Count(got.stdout, "\n") != 150 || len(server.Requests()) != 2 {
		t.Errorf("%d, %d lines, %d requests: %s", got.code, strings.Count(got.stdout, "\n"),
			len(server.Requests()), got.stderr)
	}
}

func TestEmbedRefusesAnEmptyText(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	for _, words := range [][]string{{""}, {"Porto", ""}, {"-"}} {
		got := ask(t, server, "", append([]string{"embed"}, words...)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, "is empty") ||
			len(server.Requests()) != 0 {
			t.Errorf("%q: %+v", words, got)
		}
	}
}

func TestModelsOfAServerAreListed(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	all := ask(t, server, "", "models", "--remote")
	if all.code != 0 || !strings.HasPrefix(all.stdout, "MODEL ") ||
		!strings.Contains(all.stdout, "\ngemini-2.5-flash ") {
		t.Errorf("%+v", all)
	}
	one := ask(t, server, "", "models", "--remote", "--output", "json", "gemini-2.5-flash")
	var described []geminiapi.Model
	if err := json.Unmarshal([]byte(one.stdout), &described); err != nil || len(described) != 1 ||
		*described[0].Name != "models/gemini-2.5-flash" {
		t.Errorf("%+v: %v", one, err)
	}
	unknown := ask(t, server, "", "models", "--remote", "gemini36-flash")
	if unknown.code != 1 || unknown.stdout != "" ||
		!strings.HasSuffix(unknown.stderr, "; did you mean gemini-3.6-flash?\n") {
		t.Errorf("%+v", unknown)
	}
}

func TestFilesAreUploadedListedDescribedAndDeleted(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	notes, page := writeFile(t, "notes.txt", "Some notes."),
		writeFile(t, "page.html", "<!DOCTYPE html><title>Page</title>")
	uploaded := ask(t, server, "", "files", "upload", notes, page)
	lines := regexp.MustCompile(`(?m)^(files/\S+)\t(\S+)\t(\S+)$`).FindAllStringSubmatch(uploaded.stdout,
		-1)
	if uploaded.code != 0 || uploaded.stderr != "" || len(lines) != 2 ||
		lines[0][3] != "text/plain" || lines[1][3] != "text/html" {
		t.Fatalf("%+v", uploaded)
	}
	name := lines[0][1]
	list := ask(t, server, "", "files", "list")
	if list.code != 0 || strings.Count(list.stdout, "\n") != 3 ||
		!strings.Contains(list.stdout, "notes.txt") {
		t.Errorf("%+v", list)
	}
	var listed []geminiapi.File
	if err := json.Unmarshal([]byte(ask(t, server, "", "files", "list", "--output", "json").stdout),
		&listed); err != nil || len(listed) != 2 {
		t.Errorf("%d files, %v", len(listed), err)
	}
	got := ask(t, server, "", "files", "get", name)
	if file, err := gemini.Decode[geminiapi.File]([]byte(got.stdout)); err != nil ||
		file.SizeBytes.Int64() != 11 || *file.DisplayName != "notes.txt" {
		t.Errorf("%+v, %v", got, err)
	}
	wantResult(t, ask(t, server, "", "files", "delete", name), 0, "", "")
	gone := ask(t, server, "", "files", "get", name)
	wantGone := "gemwire: 403 PERMISSION_DENIED: You do not have permission to access the File " +
		strings.TrimPrefix(name, "files/") +
		" or it may not exist; check the file's name; 'gemwire files list' lists the files of the key\n"
	wantResult(t, gone, 1, "", wantGone)
	missing := filepath.Join(t.TempDir(), "missing")
	wantResult(t, ask(t, server, "", "files", "upload", missing), 1, "",
		"gemwire: "+missing+": no such file or directory\n")
	typed := ask(t, server, "", "files", "upload", "--type", "text/csv", notes)
	if !strings.HasSuffix(typed.stdout, "\ttext/csv\n") {
		t.Errorf("%+v", typed)
	}
}

func TestAnUploadThatIsRefusedNamesItsFile(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithAPIKeys("another"))
	notes := writeFile(t, "notes.txt", "Some notes.")
	got := ask(t, server, "", "files", "upload", notes)
	wantResult(t, got, 1, "", "gemwire: "+notes+": 400 INVALID_ARGUMENT: API key not valid...")
}

func TestAFailedDownloadLeavesNoFile(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	name, _, _ := strings.Cut(ask(t, server, "", "files", "upload",
		writeFile(t, "notes.txt", "Some notes.")).stdout, "\t")
	dir := t.TempDir()
	got := ask(t, server, "", "files", "download", "--out", filepath.Join(dir, "copy"), name)
	if got.code != 1 || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// resultsOfBatch returns the name of the service's file with the results of a batch.
func resultsOfBatch(t *testing.T, server *geminitest.Server) string {
	t.Helper()
	client := server.Client()
	line := `{"key":"first","request":{"contents":[{"parts":[{"text":"Hello"}]}]}}`
	requests, err := client.Files.Upload(t.Context(), strings.NewReader(line),
		&geminiapi.File{MIMEType: new("application/jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := client.Batches.Create(t.Context(), &geminiapi.GenerateContentBatch{
		Model:       new("gemini-3.6-flash"),
		InputConfig: &geminiapi.BatchInputConfig{FileName: requests.Name},
	})
	if err == nil {
		batch, err = client.Batches.Get(t.Context(), *batch.Name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return *batch.Response.ResponsesFile
}

func TestAFileOfTheServiceIsDownloaded(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	name := resultsOfBatch(t, server)
	printed := ask(t, server, "", "files", "download", "--out", "-", name)
	if printed.code != 0 || printed.stderr != "" ||
		!strings.HasPrefix(printed.stdout, `{"key":"first","response":`) {
		t.Errorf("%+v", printed)
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	wantResult(t, ask(t, server, "", "files", "download", "--out", path, name), 0, "",
		"gemwire: wrote "+path+"\n")
	if data, err := os.ReadFile(path); err != nil || string(data) != printed.stdout {
		t.Errorf("%q, %v", data, err)
	}
}

// This test does not run in parallel, because the command writes to the current folder.
func TestADownloadIsNamedAfterItsFile(t *testing.T) {
	server := geminitest.NewServer(t)
	name := resultsOfBatch(t, server)
	dir := t.TempDir()
	flags := at(t, server)
	t.Chdir(dir)
	got := gemwire(t, "", append([]string{"files", "download", name}, flags...)...)
	entries, err := os.ReadDir(dir)
	if got.code != 0 || err != nil || len(entries) != 1 ||
		got.stderr != "gemwire: wrote "+entries[0].Name()+"\n" {
		t.Errorf("%+v: %v, %v", got, entries, err)
	}
}
