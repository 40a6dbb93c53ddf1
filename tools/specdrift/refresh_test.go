package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A document of a vendor that has a field, a schema and two enum values more than ours, one of them
// in the middle: what is replaced in our own.
var vendorHasMore = strings.NewReplacer(
	"        finishMessage:\n", `        weather:
          description: A sentence that only the vendor may use.
          allOf: [{ $ref: "#/components/schemas/Weather" }]
        finishMessage:
`,
	"    FinishReason:\n", `    Weather:
      type: object
      properties:
        temperature: { type: number }
        forecast: { type: array, items: { $ref: "#/components/schemas/Weather" } }
        sky: { type: string, enum: [SKY_UNSPECIFIED, PARTLY_CLOUDY] }
    FinishReason:
`,
	"        - SAFETY\n        - RECITATION\n",
	"        - SAFETY\n        - TOO_HOT\n        - RECITATION\n        - SNOWED_IN\n",
)

func TestRefreshGivesCodeThatCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("generates and compiles in a copy of the repository")
	}
	t.Parallel()
	root := copyOfRepository(t)
	file := filepath.Join(root, "api/openapi/gemini.yaml")
	before := readText(t, file)
	theirs := filepath.Join(t.TempDir(), "theirs.yaml")
	if err := os.WriteFile(theirs, []byte(vendorHasMore.Replace(before)), 0o600); err != nil {
		t.Fatal(err)
	}

	list := output(t, root, "make", "refresh", "THEIRS="+theirs)
	after := readText(t, file)
	if diff := cmp.Diff(merged, addedLines(before, after)); diff != "" {
		t.Errorf("added lines (-want +got):\n%s", diff)
	}
	if reviews := strings.Count(merged, reviewMark); strings.Count(list, reviewMark) != reviews {
		t.Errorf("%d descriptions to write, listed:\n%s", reviews, list)
	}
	generated := readText(t, filepath.Join(root, "gen/geminiapi/gemini.gen.go"))
	for _, constant := range []string{`FinishReasonTooHot FinishReason = "TOO_HOT"`,
		`WeatherSkyPartlyCloudy WeatherSky = "PARTLY_CLOUDY"`} {
		if !strings.Contains(strings.Join(strings.Fields(generated), " "), constant) {
			t.Errorf("no constant %s", constant)
		}
	}
	output(t, root, "go", "vet", "./gen/...", "./pkg/gemini/...")
	if lint, err := command(root, "make", "check-descriptions").CombinedOutput(); err == nil ||
		strings.Count(string(lint), reviewMark) != strings.Count(merged, reviewMark) {
		t.Errorf("make check-descriptions: %v\n%s", err, lint)
	}

	if code := run([]string{"-merge", file, theirs}, io.Discard, io.Discard); code != exitSame {
		t.Errorf("a second run ends with %d", code)
	}
	if diff := cmp.Diff(after, readText(t, file)); diff != "" {
		t.Errorf("a second run changed something:\n%s", diff)
	}
}

// merged has the lines that a refresh adds to our description, in its order.
const merged = `        weather:
          description: "REVIEW: say what /components/schemas/Candidate/properties/weather means"
          allOf: [{ $ref: "#/components/schemas/Weather" }]
    Weather:
      type: object
      description: "REVIEW: say what /components/schemas/Weather means"
      properties:
        temperature:
          description: "REVIEW: say what /components/schemas/Weather/properties/temperature means"
          type: number
        forecast:
          description: "REVIEW: say what /components/schemas/Weather/properties/forecast means"
          type: array
          items: { $ref: "#/components/schemas/Weather" }
        sky:
          description: "REVIEW: say what /components/schemas/Weather/properties/sky means"
          allOf: [{ $ref: "#/components/schemas/WeatherSky" }]
    WeatherSky:
      type: string
      description: "REVIEW: say what /components/schemas/Weather/properties/sky means"
      enum:
        - SKY_UNSPECIFIED
        - PARTLY_CLOUDY
      x-enum-descriptions:
        SKY_UNSPECIFIED: "REVIEW: say what SKY_UNSPECIFIED of /components/schemas/Weather/properties/sky means"
        PARTLY_CLOUDY: "REVIEW: say what PARTLY_CLOUDY of /components/schemas/Weather/properties/sky means"
        - TOO_HOT
        - SNOWED_IN
        TOO_HOT: "REVIEW: say what TOO_HOT of /components/schemas/FinishReason means; its number, if there is one, belongs into x-enum-numbers"
        SNOWED_IN: "REVIEW: say what SNOWED_IN of /components/schemas/FinishReason means; its number, if there is one, belongs into x-enum-numbers"
`

// addedLines returns the lines of after that before has not, in their order.
func addedLines(before, after string) string {
	var added strings.Builder
	left := strings.Split(before, "\n")
	for _, line := range strings.Split(after, "\n") {
		if len(left) > 0 && left[0] == line {
			left = left[1:]
			continue
		}
		added.WriteString(line + "\n")
	}
	return added.String() + strings.Join(left, "\n")
}

// copyOfRepository copies what generation and the packages of the wire need.
func copyOfRepository(t *testing.T) string {
	t.Helper()
	const repository = "../.."
	root := t.TempDir()
	for _, dir := range []string{"api", "gen", "internal", "pkg", "tools"} {
		if err := os.CopyFS(filepath.Join(root, dir),
			os.DirFS(filepath.Join(repository, dir))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"Makefile", "go.work", "go.work.sum", "go.mod", "go.sum",
		"server/go.mod", "server/go.sum"} {
		if err := os.WriteFile(filepath.Join(root, file),
			[]byte(readText(t, filepath.Join(repository, file))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	// Without the paths in them, what is compiled here serves the next run, in another folder, too.
	c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	return c
}

func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := command(dir, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
