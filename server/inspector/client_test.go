package inspector_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestAClientWithoutAKeyIsNamedByItsProgram(t *testing.T) {
	t.Parallel()
	b := open(t)
	for n, agent := range []string{"travel-app/1.0 (linux)", "OpenAI/JS 6.49.0", ""} {
		b.answered(exchange.Start{ID: fmt.Sprint("req_", n), At: morning, UserAgent: agent}, 400)
	}
	b.answered(exchange.Start{ID: "req_named", At: morning, UserAgent: "OpenAI/JS 6.49.0",
		ClientName: "team"}, 200)
	var o struct {
		Clients []struct {
			Name             string
			Requests, Failed int
		}
	}
	b.into("/api/overview", &o)
	const want = "[{ 1 1} {OpenAI/JS 1 1} {travel-app/1.0 1 1} {team 1 0}]"
	if got := fmt.Sprint(o.Clients); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	for query, want := range map[string]string{
		"client:travel-app": "[1]", "client:openai": "[2]", `client:""`: "[3]", "client:team": "[4]",
	} {
		if got := b.search(query); fmt.Sprint(got.Numbers) != want {
			t.Errorf("%s: %+v, expected %s", query, got, want)
		}
	}
}
