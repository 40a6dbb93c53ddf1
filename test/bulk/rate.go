package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// leastRate is which part of the rate of a plain loop a job has at least.
const leastRate = 0.8

// rateRounds is how often each way is taken, in turns.
const rateRounds = 3

// tryRate takes the time of a job and of a plain loop in turns, both with the fake server that is
// built in.
func tryRate(p *plan) error {
	folder, err := p.dir("rate")
	if err != nil {
		return err
	}
	in := filepath.Join(folder, "in.jsonl")
	if err := writeInput(in, p.lines, 900); err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	var job, plain time.Duration
	for round := range rateRounds {
		out := filepath.Join(folder, fmt.Sprintf("out-%d.jsonl", round))
		store := filepath.Join(folder, fmt.Sprintf("store-%d", round))
		took, err := timeOf(p.command, "batch", "run", in, "--out", out, "--store", store,
			"--upstream", "embedded")
		if err != nil {
			return err
		}
		job += took
		if took, err = timeOf(own, "plain", in, filepath.Join(folder, "plain.jsonl")); err != nil {
			return err
		}
		plain += took
	}
	asked := float64(rateRounds * p.lines)
	share := plain.Seconds() / job.Seconds()
	fmt.Printf("- %.0f lines a second, a plain loop %.0f: %.2f of it, at least %.1f\n",
		asked/job.Seconds(), asked/plain.Seconds(), share, leastRate)
	if share < leastRate {
		return fmt.Errorf("%.2f of the rate of a plain loop", share)
	}
	return nil
}

// timeOf runs a program to its end.
func timeOf(program string, args ...string) (time.Duration, error) {
	began := time.Now()
	running, err := start(nil, program, args...)
	if err != nil {
		return 0, err
	}
	err = endOf(running)
	return time.Since(began), err
}
