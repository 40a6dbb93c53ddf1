package serve_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	command "github.com/gemwire/gemwire/server/cli/serve"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/google/go-cmp/cmp"
)

// clientPage is a page of docs/clients.
type clientPage struct{ title, file string }

// clientPages returns the pages in the order of docs/clients/README.md. It fails if that page does
// not list all of them.
func clientPages(t *testing.T) []clientPage {
	t.Helper()
	list := readFile(t, "docs", "clients", "README.md")
	var out []clientPage
	isListed := map[string]bool{"README.md": true}
	for _, row := range regexp.MustCompile(`(?m)^\| \[(.+?)\]\((.+?\.md)\)`).
		FindAllStringSubmatch(list, -1) {
		out = append(out, clientPage{row[1], row[2]})
		isListed[row[2]] = true
	}
	files, err := fs.Glob(os.DirFS(filepath.Join(root, "docs", "clients")), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !isListed[file] {
			t.Errorf("docs/clients/README.md does not list %s", file)
		}
	}
	return out
}

func TestEachPageOfAClientHasALineWithItsSettings(t *testing.T) {
	t.Parallel()
	var got []clientPage
	for _, c := range command.Clients() {
		got = append(got, clientPage{c.Name, c.Page})
		page := readFile(t, "docs", "clients", c.Page)
		if !strings.HasPrefix(page, "# "+c.Name+"\n") {
			t.Errorf("%s has another title than %s", c.Page, c.Name)
		}
		for _, word := range regexp.MustCompile(`[A-Za-z_]{4,}`).FindAllString(c.Settings, -1) {
			if word != "model" && !strings.Contains(page, word) {
				t.Errorf("%s: the page does not have %s", c.Name, word)
			}
		}
		if !strings.Contains(c.Settings, "{url}") ||
			!strings.Contains(c.Settings, "{key}") && c.Name != "codex" {
			t.Errorf("%s: the settings have no URL or no key: %s", c.Name, c.Settings)
		}
	}
	if diff := cmp.Diff(clientPages(t), got, cmp.AllowUnexported(clientPage{})); diff != "" {
		t.Error(diff)
	}
}

func TestTheHintsSayWhichKeyAClientSends(t *testing.T) {
	t.Parallel()
	keys := filepath.Join(t.TempDir(), "keys.yaml")
	for name, test := range map[string]struct {
		settings config.Config
		want     []string
	}{
		"no keys": {config.Config{}, []string{"Any key will do:", `api_key="any"`}},
		"client keys": {config.Config{KeyFile: keys}, []string{"gemwire keys new NAME --key-file " + keys,
			`api_key="CLIENT_KEY"`, "ANTHROPIC_AUTH_TOKEN=CLIENT_KEY "}},
		"callers' keys": {config.Config{CallersKey: true}, []string{"your own key of Gemini",
			"GEMINI_API_KEY=GEMINI_KEY "}},
	} {
		hints := command.ClientHints("http://127.0.0.1:8080", &test.settings)
		curl := command.CurlHint("http://127.0.0.1:8080", &test.settings)
		for _, want := range test.want {
			if !strings.Contains(hints, want) {
				t.Errorf("%s: no %s in\n%s", name, want, hints)
			}
		}
		if isBare := !strings.Contains(curl, "Authorization: Bearer "); isBare != (name == "no keys") {
			t.Errorf("%s: got %s", name, curl)
		}
		if strings.ContainsAny(hints, "\t") || strings.Contains(hints, "{url}") ||
			strings.Contains(hints, "{key}") || !strings.Contains(hints, models.Default) {
			t.Errorf("%s: got\n%s", name, hints)
		}
	}
}

func TestThePageForBrowsersDoesNotAskForAKeyThatIsThere(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--upstream", "embedded"},
		{"--upstream", "openai", "--base-url", "http://127.0.0.1:9/v1"}} {
		r := serve(t, args...)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if page := text(t, reply); strings.Contains(page, "A fake server answers") {
			t.Errorf("%v: got %s", args, page)
		}
	}
}
