package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// tryWorker has one worker answer lines of 1 KB that are on a server, by the fake server that is
// built in.
func tryWorker(p *plan) error {
	servers, err := p.newNATS("worker", 1)
	if err != nil {
		return err
	}
	folder, err := p.dir("worker")
	if err != nil {
		return err
	}
	in, out := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "out.jsonl")
	if err := writeInput(in, p.lines, 900); err != nil {
		return err
	}
	f := &fleet{plan: p, job: &job{in: in}, servers: servers, upstream: "embedded",
		store: []string{"--store", servers[0].url}}
	defer f.end()
	if err := f.begin(); err != nil {
		return err
	}
	began := time.Now()
	worker, err := start(nil, p.command,
		append([]string{"worker", "--upstream", "embedded"}, f.store...)...)
	if err != nil {
		return err
	}
	defer worker.end()
	highest := watchMemory(worker)
	if err := f.command(endLimit,
		append([]string{"batch", "watch", f.id}, f.store...)...); err != nil {
		return err
	}
	took := time.Since(began)
	if err := f.command(endLimit,
		append([]string{"batch", "results", f.id, "--out", out}, f.store...)...); err != nil {
		return err
	}
	worker.end()
	if _, err := check(out, filepath.Join(folder, "none"), p.lines); err != nil {
		return err
	}
	fmt.Printf("- %d lines of 1 KB in %s, %.0f a second: each answered once\n", p.lines,
		took.Round(time.Second), float64(p.lines)/took.Seconds())
	return holdMemory(<-highest, mostMemory)
}
