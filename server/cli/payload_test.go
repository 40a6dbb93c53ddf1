package cli_test

import (
	"encoding/base64"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files and the outputs in README.md anew")

// payloads returns the paths of the example payloads whose names begin with a prefix.
func payloads(t *testing.T, prefix string) []string {
	t.Helper()
	paths, err := filepath.Glob(payload(prefix + "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no payload %s*.json: %v", prefix, err)
	}
	return paths
}

func TestEveryExampleResponseConvertsToEveryFormatAndIsValidThere(t *testing.T) {
	t.Parallel()
	for _, path := range payloads(t, "response-") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			if got := gemwire(t, "", "validate", "--as", "gemini-response",
				path); got != (result{}) {
				t.Errorf("validate --as gemini-response: %+v", got)
			}
			for _, to := range []string{"gemini-response", "normalized", "openai-response"} {
				got := convert(t, "", "gemini-response", to, path)
				if got.code != 0 || got.stderr != "" || strings.Count(got.stdout, "\n") != 1 {
					t.Errorf("to %s: %+v", to, got)
				}
				if found := gemwire(t, got.stdout, "validate", "--as", to); found != (result{}) {
					t.Errorf("validate --as %s: %+v", to, found)
				}
				if again := convert(t, got.stdout, to, to); again.stdout != got.stdout {
					t.Errorf("%s to itself is not stable:\n%s", to,
						cmp.Diff(got.stdout, again.stdout))
				}
			}
		})
	}
}

func TestTheWayThroughTheNormalisedFormGivesTheSameCompletion(t *testing.T) {
	t.Parallel()
	for _, path := range payloads(t, "response-") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			direct := convert(t, "", "gemini-response", "openai-response", path)
			viaModel := convert(t, convert(t, "", "gemini-response", "normalized", path).stdout,
				"normalized", "openai-response")
			if diff := cmp.Diff(direct, viaModel, allowUnexported); diff != "" {
				t.Errorf("- direct, + by the normalised form: %s", diff)
			}
		})
	}
}

func TestEveryExampleRequestIsItsOwnCanonicalFormWhenConvertedTwice(t *testing.T) {
	t.Parallel()
	for prefix, format := range map[string]string{"request-": "gemini-request",
		"openai-request-": "openai-request", "responses-request-": "responses-request", "messages-request-": "messages-request"} {
		for _, path := range payloads(t, prefix) {
			once := convert(t, "", format, format, path)
			if once.code != 0 || once.stderr != "" {
				t.Errorf("%s: %+v", path, once)
			}
			if twice := convert(t, once.stdout, format, format); twice.stdout != once.stdout {
				t.Errorf("%s: %s", path, cmp.Diff(once.stdout, twice.stdout))
			}
			if found := gemwire(t, "", "validate", "--as", format, path); found != (result{}) {
				t.Errorf("%s: validate: %+v", path, found)
			}
		}
	}
}

func TestLenientSpellingsOfARequestBecomeCanonical(t *testing.T) {
	t.Parallel()
	got := convert(t, "", "gemini-request", "gemini-request", payload("request-lenient.json"))
	for _, want := range []string{
		`"systemInstruction":{"parts":[{"text":"Answer like a librarian."}]}`,
		`"contents":[{"parts":[{"text":"Which shelf holds the atlases?"}],"role":"user"}]`,
		`"functionCallingConfig":{"allowedFunctionNames":["find_shelf"],"mode":"ANY"}`,
		`"maxOutputTokens":256,"seed":7,"stopSequences":["END"],"thinkingConfig":{"thinkingLevel":"LOW"}`,
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %s in %s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "safety") || strings.Contains(got.stdout, "_config") {
		t.Errorf("null or snake_case survived: %s", got.stdout)
	}
}

func TestEveryExamplePayloadIsInTheReadmeAndTheReverse(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile(
		"(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(readFile(t, payload("README.md")), -1) {
		listed[match[1]] = true
	}
	entries, err := os.ReadDir(payload(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if name == "README.md" {
			continue
		}
		if !listed[name] {
			t.Errorf("%s is not in the README", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("the README lists %s, which is not there", name)
	}
}

// The offsets are in bytes, like Google's. A payload with other offsets would be misleading.
func TestGroundingSegmentsOfTheExamplesAreTheBytesOfTheirText(t *testing.T) {
	t.Parallel()
	segments := 0
	for _, path := range payloads(t, "response-") {
		for _, candidate := range decodePayload(t, path).Candidates {
			if candidate.GroundingMetadata == nil {
				continue
			}
			text := *candidate.Content.Parts[0].Text
			for _, support := range candidate.GroundingMetadata.GroundingSupports {
				segments++
				start := 0
				if support.Segment.StartIndex != nil {
					start = *support.Segment.StartIndex
				}
				if got := text[start:*support.Segment.EndIndex]; got != *support.Segment.Text {
					t.Errorf("%s: bytes %q, segment %q", path, got, *support.Segment.Text)
				}
			}
		}
	}
	if segments < 4 {
		t.Errorf("only %d segments seen", segments)
	}
}

func TestTokenCountsOfTheExamplesAddUp(t *testing.T) {
	t.Parallel()
	for _, path := range payloads(t, "response-") {
		usage := decodePayload(t, path).UsageMetadata
		sum := 0
		for _, count := range []*int{usage.PromptTokenCount, usage.CandidatesTokenCount,
			usage.ThoughtsTokenCount, usage.ToolUsePromptTokenCount} {
			if count != nil {
				sum += *count
			}
		}
		if sum != *usage.TotalTokenCount {
			t.Errorf("%s: the counts add up to %d, the total is %d", path, sum,
				*usage.TotalTokenCount)
		}
	}
}

func TestTheExampleImageIsAnImage(t *testing.T) {
	t.Parallel()
	blob := decodePayload(t,
		payload("response-image.json")).Candidates[0].Content.Parts[1].InlineData
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(*blob.Data)))
	if err != nil || img.Bounds().Dx() != 16 || img.Bounds().Dy() != 16 {
		t.Errorf("%v, %v", img, err)
	}
}

func decodePayload(t *testing.T, path string) *geminiapi.GenerateContentResponse {
	t.Helper()
	response, err := gemini.DecodeResponse([]byte(readFile(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// golden compares an output with a reviewed file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		writeFile(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}

func TestGoldenOutputs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, to string }{
		{"response-tool-calls.json", "openai-response"},
		{"response-grounded.json", "openai-response"},
		{"response-blocked.json", "openai-response"},
		{"response-thinking.json", "normalized"},
	} {
		got := convert(t, "", "gemini-response", test.to, "--created", "1788000000",
			payload(test.name))
		golden(t, strings.TrimSuffix(test.name, ".json")+"."+test.to+".json", got.stdout)
	}
}

func TestEveryRecordedResponseConverts(t *testing.T) {
	t.Parallel()
	var paths []string
	dir := t.TempDir()
	for _, recorded := range corpustest.Payloads(t, corpustest.Response) {
		if recorded.HTTPStatus == "302" || !strings.HasSuffix(recorded.Name, ".json") {
			continue // a redirect, or no JSON
		}
		if in, err := gemini.DecodeResponse(recorded.Read(t)); err == nil &&
			len(in.Candidates) == 0 && in.PromptFeedback == nil {
			continue // of another endpoint, for embeddings for example
		}
		if strings.HasSuffix(recorded.Name, "_unary-success-logprobs.response.json") {
			// This payload was written by hand. Its log probabilities are above 0, and so are the
			// log probabilities of the output.
			continue
		}
		name := strings.ReplaceAll(recorded.Name, "/", "~")
		paths = append(paths, writeFile(t, filepath.Join(dir, name), string(recorded.Read(t))))
	}
	for _, to := range []string{"gemini-response", "normalized", "openai-response"} {
		out := filepath.Join(dir, "out", to)
		got := convert(t, "", "gemini-response", to, append([]string{"--out", out}, paths...)...)
		if got != (result{}) {
			t.Errorf("to %s: %+v", to, got)
		}
		var outputs []string
		for _, name := range fileNames(t, out) {
			outputs = append(outputs, filepath.Join(out, name))
		}
		if len(outputs) != len(paths) {
			t.Errorf("to %s: %d outputs of %d inputs", to, len(outputs), len(paths))
		}
		got = gemwire(t, "", append([]string{"validate", "--as", to}, outputs...)...)
		if to == "gemini-response" {
			in := gemwire(t, "", append([]string{"validate", "--as", to}, paths...)...)
			for name := range faultyFiles(got) {
				if !faultyFiles(in)[name] {
					t.Errorf("validate --as %s: %s was valid before:\n%s", to, name, got.stdout)
				}
			}
		} else if got != (result{}) {
			t.Errorf("validate --as %s: %+v", to, got)
		}
	}
}

// faultyFiles returns the names of the files in which validate found errors.
func faultyFiles(of result) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(of.stdout) {
		if path, _, ok := strings.Cut(line, ": "); ok && !strings.Contains(line, ": warning: ") {
			names[filepath.Base(path)] = true
		}
	}
	return names
}
