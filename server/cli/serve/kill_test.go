//go:build unix

package serve_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/cli/clitest"
)

// replica is a gateway that is killed and started again.
type replica struct {
	running
	binary string
	args   []string
	cmd    *exec.Cmd
}

func (r *replica) start(t *testing.T) {
	t.Helper()
	log := new(clitest.Output)
	r.cmd = exec.CommandContext(t.Context(), r.binary, r.args...)
	r.cmd.Env, r.cmd.Stderr = os.Environ(), log
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url := log.WaitFor(t, `msg=listening url=(http://127\.0\.0\.1:[1-9][0-9]*) `)[1]
	r.Process = &clitest.Process{URL: url}
}

func (r *replica) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// One of two replicas is killed again and again while clients use both. The other one answers what
// a budget permits, and the usage is what was answered, except for the last second of each killed
// process.
func TestUsageAndBudgetsSurviveKilledReplicas(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the command")
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "gemwire")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary,
		"github.com/gemwire/gemwire/server/cmd/gemwire").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const budget, clients, kills = 4000, 4, 3
	keys := keyFile(t, filepath.Join(folder, "keys.yaml"), `alice`,
		`bob, budget: {tokens: 4000, period: total}`, `admin, admin: true`)
	args := []string{"serve", "--addr", "127.0.0.1:0", "--store", filepath.Join(folder, "store"),
		"--key-file", keys}
	stays, dies := &replica{binary: binary, args: args}, &replica{binary: binary, args: args}
	stays.start(t)
	t.Cleanup(stays.kill)
	dies.start(t)

	var urls [2]atomic.Pointer[running]
	urls[0].Store(&stays.running)
	urls[1].Store(&running{dies.Process})
	short := strings.Replace(greeting, "{", `{"max_tokens":100,`, 1)
	var answered, sent, bobs atomic.Int64
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				r := urls[(i+n)%2].Load()
				sent.Add(1)
				if status, _ := r.chats(t, "alice"); status == http.StatusOK {
					answered.Add(1)
				}
				if status, _ := r.as(t, "bob", http.MethodPost,
					"/v1/chat/completions", short); status == http.StatusOK {
					bobs.Add(1)
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	for range kills {
		time.Sleep(1500 * time.Millisecond)
		dies.kill()
		dies.start(t)
		urls[1].Store(&running{dies.Process})
	}
	time.Sleep(time.Second)
	close(stop)
	all.Wait()
	dies.kill()
	time.Sleep(1500 * time.Millisecond)

	counted, tokens := stays.requestsOf(t, "alice"), int64(0)
	var bobsCounted int64
	for _, row := range stays.usage(t).Rows {
		if row.Client == "bob" {
			tokens += row.Tokens()
			bobsCounted += row.Requests
		}
	}
	// a killed process may lose one second of its half of the traffic
	if least := answered.Load() * 1 / 2; counted > sent.Load() || counted < least {
		t.Errorf("%d requests of alice are counted; %d were answered of %d", counted,
			answered.Load(), sent.Load())
	}
	t.Logf("alice: %d sent, %d answered, %d counted; bob: %d answered, %d counted, %d tokens",
		sent.Load(), answered.Load(), counted, bobs.Load(), bobsCounted, tokens)
	perRequest := tokens / max(bobsCounted, 1)
	used := perRequest * bobs.Load()
	// what was in flight at a kill, or unsaid for a tenth of a second, is not counted
	if most := budget + perRequest*clients*(kills+1)*10; used > most {
		t.Errorf("bob used %d tokens of %d, at most %d", used, budget, most)
	}
}
