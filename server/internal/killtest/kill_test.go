package killtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/money"
)

// rounds returns how often a gateway is killed: few times, or the number in GEMWIRE_REPLICA_KILLS.
func rounds(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("GEMWIRE_REPLICA_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 4
}

// Gateways and a NATS server are killed as by kill -9 while clients use all gateways.
func TestNothingIsLostOrOverspentWhenReplicasAreKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	for _, test := range []struct{ replicas, servers int }{{2, 0}, {2, 1}, {3, 1}, {2, 3}, {3, 3}} {
		name := fmt.Sprintf("%d replicas, %d servers", test.replicas, test.servers)
		if test.servers == 0 {
			name = fmt.Sprintf("%d replicas, a folder", test.replicas)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trial := newTrial(t, test.replicas, test.servers, rounds(t))
			trial.run(t)
			trial.load.checkAll(t)
			trial.checkUsage(t)
			trial.checkLimits(t)
			if t.Failed() {
				t.Log(trial.fleet.logs())
			}
		})
	}
}

// trial is one run of the test.
type trial struct {
	upstream *upstream
	nats     natsServers
	fleet    *fleet
	load     *load
	rounds   int
	took     time.Duration // from the first request to the last one

	nodesKilled []time.Time // when NATS servers were killed

	tokenBudget, perMinute int64
	moneyBudget            money.Nano
}

// callCost is the price of a call in billionths of a dollar, by the rate card.
const callCost = 26_250

func newTrial(t *testing.T, replicas, servers, rounds int) *trial {
	t.Helper()
	calls := int64(50 * rounds) // that budgets permit; they end after the kills
	x := &trial{upstream: newUpstream(t), rounds: rounds, tokenBudget: calls * callTokens,
		moneyBudget: money.Nano(calls * callCost), perMinute: 120}
	store, args := filepath.Join(t.TempDir(), "store"), []string{"--limits-without-store", "refuse"}
	if servers > 0 {
		x.nats = startNATS(t, servers)
		store, args = x.nats.address(), append(args, "--store-replicas", strconv.Itoa(servers))
	}
	x.fleet = newFleet(t, store, x.upstream, args...)
	keys := ""
	for name, members := range map[string]string{
		"alice": "", "admin": ", admin: true",
		"money": fmt.Sprintf(", budget: {amount: %s, currency: USD, period: total}",
			x.moneyBudget),
		"tokens":      fmt.Sprintf(", budget: {tokens: %d, period: total}", x.tokenBudget),
		"requests":    fmt.Sprintf(", requests_per_minute: %d", x.perMinute),
		"tokensAtime": fmt.Sprintf(", tokens_per_minute: %d", x.perMinute*callTokens),
	} {
		keys += fmt.Sprintf("- {name: %s, hash: %q%s}\n", name, clientkey.Hash("key-of-"+name),
			members)
	}
	if err := os.WriteFile(x.fleet.keys, []byte(keys), 0o600); err != nil {
		t.Fatal(err)
	}
	x.load = newLoad(x.fleet.URL, x.upstream)
	for range replicas {
		x.fleet.start(t)
	}
	return x
}

// run puts the load on the gateways, and kills one each second. At the end it starts another one,
// which has answered nothing, and stops the others.
func (x *trial) run(t *testing.T) {
	t.Helper()
	began := time.Now()
	for worker := range 3 {
		x.load.keep(worker)
	}
	for _, key := range []string{"money", "tokens", "requests", "tokensAtime"} {
		x.load.spend(key)
		x.load.spend(key)
	}
	for round := range x.rounds {
		time.Sleep(800*time.Millisecond + rand.N(400*time.Millisecond))
		if x.fleet.kill() {
			x.load.workers.Go(func() { x.fleet.start(t) })
		}
		if len(x.nats) > 1 && round%10 == 1 {
			node := x.nats[rand.N(len(x.nats))]
			node.process.kill()
			x.nodesKilled = append(x.nodesKilled, time.Now())
			x.load.workers.Go(func() {
				time.Sleep(time.Second)
				node.start(t)
			})
		}
	}
	for deadline := time.Now().Add(40 * time.Second); !x.load.areUsedUp("money", "tokens"); {
		if time.Now().After(deadline) {
			t.Error("the budgets are not used up")
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	x.load.end()
	x.took = time.Since(began)
	last := x.fleet.start(t)
	x.fleet.mu.Lock()
	defer x.fleet.mu.Unlock()
	x.fleet.running = []*replica{last}
}

// lostCalls returns how many calls for a key the killed gateways may not have written. A gateway
// writes after each pause. A write takes as long as requests that write to the store, and waits for
// the election of a leader after a NATS server was killed.
func (x *trial) lostCalls(key string, pause time.Duration) (n int) {
	for _, r := range x.fleet.dead {
		var slowest time.Duration
		for _, s := range x.load.spans {
			if s.until.After(r.killed.Add(-3*time.Second)) && s.from.Before(r.killed) {
				slowest = max(slowest, s.until.Sub(s.from))
			}
		}
		from := r.killed.Add(-max(pause, slowest) - slowest)
		for _, at := range x.nodesKilled {
			if since := r.killed.Sub(at); since > 0 && since < longestElection {
				from = earlier(from, at.Add(-pause-slowest))
			}
		}
		n += x.upstream.count(func(c *call) bool {
			return c.gateway == r.name && c.key == key && c.at.After(from)
		})
	}
	return n
}

// longestElection is how long servers may take to elect all leaders of a killed one's streams.
const longestElection = 5 * time.Second

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// checkUsage compares the usage with the calls of the fake server. A killed gateway loses at most
// the last second.
func (x *trial) checkUsage(t *testing.T) {
	t.Helper()
	time.Sleep(1500 * time.Millisecond) // until all gateways have written
	counted := map[string]int{}
	var cost money.Nano
	for _, row := range x.usage(t).Rows {
		counted[row.Client] += int(row.Requests)
		if row.Tokens() != row.Requests*callTokens {
			t.Errorf("%d requests have %d tokens", row.Requests, row.Tokens())
		}
		if row.Client == "money" {
			cost += row.Cost
		}
	}
	if cost != money.Nano(counted["money"]*callCost) {
		t.Errorf("%d requests cost %s", counted["money"], cost)
	}
	for _, key := range []string{"alice", "money", "tokens", "requests", "tokensAtime"} {
		calls, lost := x.upstream.callsOf(key), x.lostCalls(key, time.Second)
		if counted[key] > calls || counted[key] < calls-lost {
			t.Errorf("%s: %d requests are counted of %d calls; killed gateways may have lost %d",
				key, counted[key], calls, lost)
		}
		t.Logf("%s: %d calls, %d counted, at most %d lost", key, calls, counted[key], lost)
	}
}

func (x *trial) usage(t *testing.T) (report gateway.UsageReport) {
	t.Helper()
	answer, ok := x.load.send("admin", http.MethodGet, "/v1/organization/usage/rows", "", nil)
	if err := json.Unmarshal([]byte(answer), &report); err != nil || !ok {
		t.Fatalf("%s, %v", answer, err)
	}
	return report
}

// checkLimits checks that limits and budgets are exceeded by at most the calls in flight. A killed
// gateway had not written what was used in its last tenth of a second.
func (x *trial) checkLimits(t *testing.T) {
	t.Helper()
	refilled := int(float64(x.perMinute) * (1 + x.took.Minutes()))
	budget := int(x.tokenBudget / callTokens)
	for key, permitted := range map[string]int{"money": budget, "tokens": budget,
		"requests": refilled, "tokensAtime": refilled} {
		calls, lost := x.upstream.callsOf(key), x.lostCalls(key, 100*time.Millisecond)
		if most := permitted + 1 + lost; calls > most {
			t.Errorf("%s: %d calls, permitted are %d and %d that killed gateways lost", key, calls,
				permitted, lost)
		}
		t.Logf("%s: %d calls, %d permitted, at most %d lost", key, calls, permitted, lost)
	}
	for _, key := range []string{"money", "tokens"} {
		if calls := x.upstream.callsOf(key); calls < budget {
			t.Errorf("%s: the budget of %d calls is used up after %d", key, budget, calls)
		}
	}
	t.Log(strings.ReplaceAll(fmt.Sprint(x.load.statuses), "map", "statuses "))
}
