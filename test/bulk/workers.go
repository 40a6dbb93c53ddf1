package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

const workerCount = 3

func tryWorkers(p *plan) error {
	servers, err := p.newNATS("workers", 1)
	if err != nil {
		return err
	}
	return p.tryServers("workers", servers, 1)
}

func tryCluster(p *plan) error {
	servers, err := p.newNATS("cluster", 3)
	if err != nil {
		return err
	}
	return p.tryServers("cluster", servers, len(servers))
}

// tryServers has workers answer a job that is on servers, and kills one process at a time.
func (p *plan) tryServers(name string, servers []*natsServer, replicas int) error {
	j, err := p.newJob(name, p.lines, 100)
	if err != nil {
		return err
	}
	defer j.upstream.end()
	f := &fleet{plan: p, job: j, servers: servers, workers: make([]*process, workerCount),
		upstream: "gemini"}
	var urls []string
	for _, s := range servers {
		urls = append(urls, s.url)
	}
	f.store = []string{"--store", strings.Join(urls, ",")}
	if replicas > 1 {
		f.store = append(f.store, "--replicas", fmt.Sprint(replicas))
	}
	defer f.end()
	if err := f.begin(); err != nil {
		return err
	}
	killed, err := f.killInTurn()
	if err != nil {
		return err
	}
	if err := f.command(endLimit,
		append([]string{"batch", "watch", f.id}, f.store...)...); err != nil {
		return err
	}
	for kind, path := range map[string]string{"results": j.out, "errors": j.failures} {
		if err := f.command(endLimit,
			append([]string{"batch", kind, f.id, "--out", path}, f.store...)...); err != nil {
			return err
		}
	}
	result, err := check(j.out, j.failures, p.lines)
	if err != nil {
		return err
	}
	fmt.Printf("- holds: %d lines, %s: %d answered, %d failed, each once\n", p.lines, killed,
		result.answered, result.failed)
	return nil
}

// fleet is servers and workers, and the job that they have.
type fleet struct {
	*plan
	job *job
	id  string
	// upstream is the upstream of the job, store the flags that name the store.
	upstream string
	store    []string
	servers  []*natsServer
	workers  []*process
}

// begin starts the servers and the workers, and submits the job.
func (f *fleet) begin() error {
	for _, s := range f.servers {
		if err := s.launch(); err != nil {
			return err
		}
	}
	for _, s := range f.servers {
		if _, err := s.waitFor("ready", time.Minute); err != nil {
			return err
		}
	}
	if err := f.submit(); err != nil {
		return err
	}
	for i := range f.workers {
		if err := f.startWorker(i); err != nil {
			return err
		}
	}
	return nil
}

// submit submits the job, and keeps its id, which is all that the command writes to standard
// output.
func (f *fleet) submit() error {
	args := append([]string{"batch", "submit", f.job.in, "--upstream", f.upstream}, f.store...)
	submitting, err := start(nil, f.plan.command, args...)
	if err != nil {
		return err
	}
	if err := submitting.wait(endLimit); err != nil {
		return err
	}
	for word := range strings.FieldsSeq(submitting.output.String()) {
		if strings.HasPrefix(word, "batch_") {
			f.id = strings.Trim(word, ".,;:")
			return nil
		}
	}
	return errors.New("submit names no job: " + submitting.output.String())
}

func (f *fleet) startWorker(i int) (err error) {
	args := append(append([]string{"worker"}, f.store...), f.job.upstream.flags()...)
	f.workers[i], err = start(f.job.upstream.environment(), f.plan.command, args...)
	return err
}

// killInTurn kills a process, restarts it, and continues with another, as long as kills are left.
func (f *fleet) killInTurn() (string, error) {
	random := rand.New(rand.NewPCG(f.seed, 1))
	workers, servers := 0, 0
	for i := range f.kills {
		time.Sleep(time.Second + time.Duration(random.Int64N(int64(2*time.Second))))
		turn := i % (len(f.workers) + len(f.servers))
		if turn < len(f.workers) {
			f.workers[turn].kill()
			workers++
			if err := f.startWorker(turn); err != nil {
				return "", err
			}
			continue
		}
		server := f.servers[turn-len(f.workers)]
		server.kill()
		servers++
		time.Sleep(time.Duration(random.Int64N(int64(2 * time.Second))))
		if err := server.start(); err != nil {
			return "", err
		}
		if len(f.servers) > 1 {
			time.Sleep(5 * time.Second) // in which it catches up: one server is away at a time
		}
	}
	return fmt.Sprintf("%d times a worker was killed and %d times a server", workers, servers), nil
}

// command runs a command to its end.
func (f *fleet) command(limit time.Duration, args ...string) error {
	running, err := start(nil, f.plan.command, args...)
	if err != nil {
		return err
	}
	return running.wait(limit)
}

func (f *fleet) end() {
	for _, w := range f.workers {
		if w != nil {
			w.end()
		}
	}
	for _, s := range f.servers {
		if s.process != nil {
			s.kill()
		}
	}
}
