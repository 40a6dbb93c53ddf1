package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const itself = "gemini-response"

func TestWithoutFilesStandardInputIsConvertedToStandardOutput(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"no file": nil, "the file -": {"-"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, smallResponse, itself, itself, args...)
			if diff := cmp.Diff(result{0, smallResponse + "\n", ""}, got,
				allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSeveralFilesBecomeOneLineEachInTheirOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var args []string
	var want strings.Builder
	for i := range 100 {
		response := strings.Replace(smallResponse, "Hi", fmt.Sprintf("number %d", 99-i), 1)
		args = append(args, writeFile(t, fmt.Sprintf("%s/%d/answer.json", dir, i), response))
		want.WriteString(response + "\n")
	}
	got := convert(t, "", itself, itself, args...)
	if diff := cmp.Diff(result{0, want.String(), ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestStandardInputMayStandAmongTheFiles(t *testing.T) {
	t.Parallel()
	one := strings.Replace(smallResponse, "Hi", "one", 1)
	path := writeFile(t, filepath.Join(t.TempDir(), "one.json"), one)
	got := convert(t, smallResponse, itself, itself, path, "-")
	if diff := cmp.Diff(result{0, one + "\n" + smallResponse + "\n", ""}, got,
		allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestOutGetsOneFilePerInputWithTheExtensionOfTheFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := writeFile(t, dir+"/in/one.json", " "+smallResponse)
	two := writeFile(t, dir+"/in/deeper/two.txt", "\n"+smallResponse)
	out := dir + "/made/on/the/way"
	got := convert(t, "", itself, itself, "--out", out, one, two)
	if diff := cmp.Diff(result{0, "", ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one.json", "two.json"}, fileNames(t, out)); diff != "" {
		t.Error(diff)
	}
	for _, name := range fileNames(t, out) {
		if got := readFile(t, filepath.Join(out, name)); got != smallResponse+"\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestOutReplacesAnEarlierOutputAndKeepsItsMode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := writeFile(t, dir+"/in.json", smallResponse)
	old := writeFile(t, dir+"/out/in.json", strings.Repeat("old and longer ", 100))
	if err := os.Chmod(old, 0o640); err != nil {
		t.Fatal(err)
	}
	if got := convert(t, "", itself, itself, "--out", dir+"/out", in); got.code != 0 {
		t.Fatal(got)
	}
	if got := readFile(t, old); got != smallResponse+"\n" {
		t.Errorf("content: %q", got)
	}
	info, err := os.Stat(old)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("mode %v, want -rw-r-----", info.Mode())
	}
}

func TestAFailedInputLeavesNoOutputAndTheOthersAreConverted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := writeFile(t, dir+"/first.json", smallResponse)
	broken := writeFile(t, dir+"/broken.json", smallResponse[:len(smallResponse)-3])
	last := writeFile(t, dir+"/last.json", smallResponse)
	old := writeFile(t, dir+"/out/broken.json", "what was there")

	got := convert(t, "", itself, itself, "--out", dir+"/out", first, broken, last)
	wantError := fmt.Sprintf("gemwire: %s: /candidates/0: offset %d: the input ends too early\n",
		broken, len(smallResponse)-3)
	if diff := cmp.Diff(result{1, "", wantError}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"broken.json", "first.json", "last.json"},
		fileNames(t, dir+"/out")); diff != "" {
		t.Error(diff)
	}
	if got := readFile(t, old); got != "what was there" {
		t.Errorf("the earlier output of the failed input: %q", got)
	}

	got = convert(t, "", itself, itself, first, broken, last)
	if diff := cmp.Diff(result{1, smallResponse + "\n" + smallResponse + "\n", wantError}, got,
		allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatCannotBeReadOrWrittenExitWithOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := writeFile(t, dir+"/in.json", smallResponse)
	folder := filepath.Join(dir, "folder")
	writeFile(t, folder+"/in.json/occupied", "")
	tests := map[string]struct {
		args []string
		want string
	}{
		"missing file":    {[]string{dir + "/none.json"}, "gemwire: " + dir + "/none.json: no such file or directory\n"},
		"folder as file":  {[]string{dir}, "gemwire: " + dir + ": is a directory\n"},
		"empty name":      {[]string{""}, "gemwire: : no such file or directory\n"},
		"--out is a file": {[]string{"--out", in, in}, "gemwire: " + in + ": not a directory\n"},
		"the output is a folder": {
			[]string{"--out", folder, in},
			"gemwire: " + in + ": create " + folder + "/in.json: is a directory\n",
		},
		"--report in no folder": {
			[]string{"--report", dir + "/none/report.json", in},
			"gemwire: " + dir + "/none/report.json: no such file or directory\n",
		},
		"--report is a folder": {[]string{"--report", dir, in}, "gemwire: " + dir + ": is a directory\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, "", itself, itself, test.args...)
			if diff := cmp.Diff(result{1, "", test.want}, got, allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAReportThatIsNotARegularFileIsWrittenDirectly(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip(err)
	}
	got := convert(t, smallResponse, itself, itself, "--report", os.DevNull)
	if diff := cmp.Diff(result{0, smallResponse + "\n", ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode()&fs.ModeDevice == 0 {
		t.Errorf("%s is no longer a device: %v %v", os.DevNull, info, err)
	}
}

func TestAReportIsWrittenToTheTargetOfALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := writeFile(t, dir+"/real/report.json", "old")
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(report, link); err != nil {
		t.Skip(err)
	}
	if got := convert(t, smallResponse, itself, itself, "--report", link); got.code != 0 {
		t.Fatal(got)
	}
	if got := readFile(t, report); got != "[]\n" {
		t.Errorf("the report: %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info, err)
	}
}

func TestAByteOrderMarkIsAcceptedAndCounted(t *testing.T) {
	t.Parallel()
	got := convert(t, "\ufeff"+smallResponse, itself, itself)
	if diff := cmp.Diff(result{0, smallResponse + "\n", ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	got = convert(t, "\ufeff"+`{"candidates":[{"content":{"parts":[{"text":7}]}}]}`, itself, itself)
	if want := "gemwire: -: /candidates/0/content/parts/0/text: offset 47: a string was expected, found a number\n"; got.stderr != want {
		t.Errorf("got  %q\nwant %q", got.stderr, want)
	}
}

func TestUnkindInputsFailWithALocation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ input, want string }{
		"empty":               {"", "offset 0: the input is empty"},
		"white space":         {" \n", "offset 2: the input is empty"},
		"null":                {"null", "offset 0: an object was expected, found null"},
		"a word":              {"nonsense", "offset 0: not JSON"},
		"a word like true":    {"truex", "offset 0: not JSON"},
		"a number like 5":     {"5x", "offset 0: not JSON"},
		"a part of null":      {"nul", "offset 0: the input ends too early"},
		"a list":              {"[]", "offset 0: an object was expected, found a list"},
		"a string":            {`"x"`, "offset 0: an object was expected, found a string"},
		"truncated":           {`{"candidates":[{"content":{"par`, "/candidates/0/content: offset 31: the input ends too early"},
		"a wrong type":        {`{"candidates":[{"content":{"parts":[{"text":7}]}}]}`, "/candidates/0/content/parts/0/text: offset 44: a string was expected, found a number"},
		"binary":              {"\x00\x01\x02\xff", "offset 0: not JSON"},
		"two documents":       {`{} {}`, "offset 3: data after the end of the payload"},
		"invalid UTF-8":       {"{\"candidates\":[{\"finishMessage\":\"\xff\"}]}", "/candidates/0/finishMessage: offset 33: invalid UTF-8"},
		"a newline in a name": {`{"a\nb\u001b[31m":`, `offset 18: the input ends too early`},
		"a name twice":        {`{"responseId":"a","responseId":"b"}`, "/responseId: offset 18: the member occurs twice"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, to := range []string{"gemini-response", "normalized", "openai-response"} {
				got := convert(t, test.input, itself, to)
				if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
					t.Errorf("to %s: %+v", to, got)
				}
				if !strings.HasPrefix(got.stderr, "gemwire: -: ") ||
					!strings.HasSuffix(got.stderr, test.want+"\n") {
					t.Errorf("to %s: standard error\n%swant\ngemwire: -: %s", to, got.stderr,
						test.want)
				}
			}
		})
	}
}

func TestAPointerCannotEndTheLineOrCommandTheTerminal(t *testing.T) {
	t.Parallel()
	got := convert(t, `{"a\nb\u001b[31m":{"c":tru}}`, itself, itself)
	if !strings.HasPrefix(got.stderr, `gemwire: -: /a\u000ab\u001b[31m/c: offset `) ||
		strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("standard error: %q", got.stderr)
	}
}
