package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"
)

// endLimit is the longest time that a job may take after the last kill.
const endLimit = 20 * time.Minute

// job is one run of gemwire batch run.
type job struct {
	in, out, failures, store string
	upstream                 *upstream
}

// newJob writes an input and starts a fake server for it. The caller ends that.
func (p *plan) newJob(name string, lines, size int) (*job, error) {
	folder, err := p.dir(name)
	if err != nil {
		return nil, err
	}
	j := &job{
		in: filepath.Join(folder, "in.jsonl"), out: filepath.Join(folder, "out.jsonl"),
		failures: filepath.Join(folder, "out.errors.jsonl"), store: filepath.Join(folder, "store"),
	}
	if err := writeInput(j.in, lines, size); err != nil {
		return nil, err
	}
	j.upstream, err = p.upstream()
	return j, err
}

// start runs the command, once more.
func (j *job) start(p *plan) (*process, error) {
	args := append([]string{"batch", "run", j.in, "--out", j.out, "--store", j.store},
		j.upstream.flags()...)
	return start(j.upstream.environment(), p.command, args...)
}

func tryCrash(p *plan) error {
	j, err := p.newJob("crash", p.lines, 100)
	if err != nil {
		return err
	}
	defer j.upstream.end()
	random := rand.New(rand.NewPCG(p.seed, 0))
	killed := 0
	for killed < p.kills {
		running, err := j.start(p)
		if err != nil {
			return err
		}
		select {
		case <-running.done:
			return fmt.Errorf("the job ended after %d kills; use more lines\n%s", killed,
				running.output)
		case <-time.After(100*time.Millisecond +
			time.Duration(random.Int64N(int64(2*time.Second)))):
		}
		running.kill()
		killed++
	}
	running, err := j.start(p)
	if err != nil {
		return err
	}
	if err := endOf(running); err != nil {
		return err
	}
	result, err := check(j.out, j.failures, p.lines)
	if err != nil {
		return err
	}
	fmt.Printf("- holds: %d lines, killed %d times: %d answered, %d failed, each once\n", p.lines,
		killed, result.answered, result.failed)
	fmt.Printf("- the command says: %s\n", lastLine(running))
	return nil
}
