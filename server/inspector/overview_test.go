package inspector_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

func TestTheOverviewHasTheTimesOfASearch(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.gateway.Play(exchangetest.Lossy())
	for text, want := range map[string]int{"": 200, "7d": 200, "1h": 200, "2026-11-20T08:00Z": 200,
		"2026-11-20": 200, "7y": 400, "-1h": 400} {
		if status, _, _ := b.do(http.MethodGet, "/api/overview?since="+text, ""); status != want {
			t.Errorf("%q: HTTP %d, expected %d", text, status, want)
		}
	}
}

func TestTheOverviewCountsEverything(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.scenes()
	var o struct {
		From, Until      time.Time
		Requests, Failed int
		Clients          []struct {
			Name             string
			Requests, Failed int
			Kinds            map[string]int
			Tokens           int
			Cost             *float64
		}
		Kinds []struct {
			Kind, Example    string
			Requests, Newest int
		}
		Models []struct {
			Model                      string
			Requests, Failed           int
			P50, P95, First50, First95 *float64
		}
		Losses []struct {
			Pointer, Kind, Side, Detail, Docs, Todo string
			Requests, Newest                        int
		}
		Accounts []struct {
			Name          string
			Calls, Failed int
		}
		Spend *int
	}
	b.into("/api/overview", &o)
	if o.Requests != 10 || o.Failed != 4 || !o.From.Equal(morning) || o.Spend != nil {
		t.Errorf("%+v", o)
	}
	if c := o.Clients[0]; c.Name != "travel-app" || c.Requests != 4 || c.Failed != 2 ||
		c.Kinds["client_left"] != 1 || c.Kinds["stream_cut"] != 1 || c.Cost == nil {
		t.Errorf("clients: %+v", o.Clients)
	}
	kinds := ""
	for _, k := range o.Kinds {
		kinds += fmt.Sprintf("%s %d #%d ", k.Kind, k.Requests, k.Newest)
	}
	if kinds != "client_left 1 #9 rate_limited 1 #5 refused 1 #6 stream_cut 1 #10 " {
		t.Errorf("kinds: %s", kinds)
	}
	if m := o.Models[0]; m.Model != "gemini-3.6-flash" || m.P50 == nil || m.First50 == nil ||
		*m.First50 != 970 {
		t.Errorf("models: %+v", o.Models)
	}
	for _, l := range o.Losses {
		if l.Pointer == "/messages/*/name" && (l.Requests != 1 || l.Newest != 1 ||
			l.Todo != "Write the name into the content." || l.Side != "client" ||
			l.Docs != "docs/reference/losses/chat-completions.md#lost-in-requests-to-gemini") {
			t.Errorf("%+v", l)
		}
	}
	if len(o.Losses) < 4 || len(o.Accounts) == 0 || o.Accounts[0].Calls == 0 {
		t.Errorf("losses %+v, accounts %+v", o.Losses, o.Accounts)
	}
	b.into("/api/overview?since=1ms", &o)
	if o.Requests != 0 {
		t.Errorf("of a millisecond: %+v", o)
	}
	if status, _, _ := b.do(http.MethodGet, "/api/overview?since=x", ""); status != 400 {
		t.Errorf("an invalid age: HTTP %d", status)
	}
}

func TestTheOverviewNamesTheRequestThatPausedAnAccount(t *testing.T) {
	t.Parallel()
	b := open(t)
	until := morning.Add(time.Hour)
	r := b.Begin(exchange.Start{ID: "req_first", At: morning})
	r.Attempt(exchange.Attempt{Number: 1, Account: "one", Status: 429, Err: "quota",
		Started: morning, Wait: 30 * time.Minute})
	r.End(exchange.End{Status: 429, ErrorMessage: "quota"})
	r = b.Begin(exchange.Start{ID: "req_second", At: morning})
	r.End(exchange.End{Status: 429, Rest: &exchange.Rest{Account: "two",
		Reason: "key refused", Until: until, By: "req_first"}})
	b.detail(2)
	var o struct {
		Accounts []struct {
			Name, Resting string
			Until         time.Time
			By            int
		}
	}
	b.into("/api/overview", &o)
	if len(o.Accounts) != 2 || o.Accounts[0].Resting != "quota" || o.Accounts[0].By != 1 ||
		o.Accounts[1].Resting != "key refused" || o.Accounts[1].By != 1 ||
		!o.Accounts[1].Until.Equal(until) {
		t.Errorf("%+v", o.Accounts)
	}
}

func TestFindingsSayWhatToDo(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.scenes()
	told := 0
	for number := 1; number <= 10; number++ {
		var d struct {
			Findings []struct{ Kind, Pointer, Todo, Docs string }
		}
		b.into(fmt.Sprintf("/api/exchanges/%d", number), &d)
		for _, f := range d.Findings {
			path, anchor, _ := strings.Cut(f.Docs, "#")
			page, err := os.ReadFile(filepath.Join("..", "..", path))
			heading := "# " + strings.ReplaceAll(anchor, "-", " ") + "\n"
			if err != nil || !strings.Contains(strings.ToLower(string(page)), heading) {
				t.Errorf("%s: %q is not in the docs: %v", f.Pointer, f.Docs, err)
			}
			if f.Kind == "lost" && f.Todo != "" {
				told++
			}
			if strings.Contains(f.Todo, "`") {
				t.Errorf("%s: %q is Markdown", f.Pointer, f.Todo)
			}
		}
	}
	if told < 4 {
		t.Errorf("%d losses say what to do", told)
	}
}
