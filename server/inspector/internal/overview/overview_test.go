package overview

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func amount(x float64) *float64 { return &x }

func TestExchangesAreCountedByClientKindAndModel(t *testing.T) {
	t.Parallel()
	var all []Exchange
	for n := 1; n <= 20; n++ {
		all = append(all, Exchange{Number: n, At: noon.Add(-time.Minute), Client: "a", Model: "m",
			Duration: float64(n * 100), FirstToken: float64(n * 10), Tokens: 5,
			Cost: amount(0.5), Currency: "USD"})
	}
	all = append(all,
		Exchange{Number: 21, At: noon, Client: "b", Model: "m", Failure: "timeout",
			Message: "first", Duration: 9e9},
		Exchange{Number: 22, At: noon, Client: "b", Failure: "timeout", Message: "second"},
		Exchange{Number: 23, At: noon, Client: "b", Failure: "refused"},
		Exchange{Number: 24, At: noon, Client: "a", Model: "n", IsRunning: true},
		Exchange{Number: 25, At: noon.Add(-2 * time.Hour), Client: "old"})
	o := Of(all, noon.Add(-time.Hour), noon)
	if o.Requests != 24 || o.Failed != 3 || o.Running != 1 {
		t.Errorf("%+v", o)
	}
	if len(o.Clients) != 2 || o.Clients[0].Name != "b" || o.Clients[0].Kinds["timeout"] != 2 ||
		o.Clients[1].Requests != 21 || o.Clients[1].Tokens != 100 || *o.Clients[1].Cost != 10 ||
		o.Clients[0].Cost != nil {
		t.Errorf("clients: %+v", o.Clients)
	}
	if len(o.Kinds) != 2 || o.Kinds[0] != (Kind{"timeout", 2, 22, "second"}) {
		t.Errorf("kinds: %+v", o.Kinds)
	}
	m := o.Models[0]
	if len(o.Models) != 2 || m.Requests != 21 || m.Failed != 1 || *m.P50 != 1000 ||
		*m.P95 != 1900 || *m.First50 != 100 || *m.First95 != 190 || o.Models[1].P50 != nil {
		t.Errorf("models: %+v", o.Models)
	}
}

func TestALossIsCountedOnceForEachExchange(t *testing.T) {
	t.Parallel()
	name := Loss{Pointer: "/messages/*/name", Kind: "lost", Side: "client", Detail: "d"}
	o := Of([]Exchange{{Number: 1, At: noon, Losses: []Loss{name, name}},
		{Number: 2, At: noon, Losses: []Loss{name, {Pointer: "/user"}}}}, noon, noon)
	if len(o.Losses) != 2 || o.Losses[0] != (Lost{name, 2, 2}) || o.Losses[1].Requests != 1 {
		t.Errorf("%+v", o.Losses)
	}
}

func TestAnAccountRestsUntilItAnswersOrItsTimeIsOver(t *testing.T) {
	t.Parallel()
	later := noon.Add(time.Minute)
	limited := Attempt{Account: "one", Until: later, Reason: "quota"}
	answered := Attempt{Account: "one", IsAnswered: true}
	for name, test := range map[string]struct {
		exchanges []Exchange
		now       time.Time
		resting   string
		by        int
	}{
		"it rests":    {[]Exchange{{Number: 4, Attempts: []Attempt{limited}}}, noon, "quota", 4},
		"it is over":  {[]Exchange{{Number: 4, Attempts: []Attempt{limited}}}, later, "", 0},
		"it answered": {[]Exchange{{Number: 4, Attempts: []Attempt{limited, answered}}}, noon, "", 0},
		"a later request found it": {[]Exchange{{Number: 7,
			Rest: &Rest{"one", "key refused", later, 3}}}, noon, "key refused", 3},
	} {
		o := Of(test.exchanges, time.Time{}, test.now)
		got := o.Accounts[0]
		if got.Name != "one" || got.Resting != test.resting || got.By != test.by ||
			(got.Until != nil) != (test.resting != "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAnEmptyOverviewHasEmptyLists(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(Of(nil, noon, noon))
	const want = `{"from":"2026-11-28T12:00:00Z","until":"2026-11-28T12:00:00Z","requests":0,` +
		`"failed":0,"running":0,"clients":[],"kinds":[],"models":[],"losses":[],"accounts":[],` +
		`"spend":null}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}
