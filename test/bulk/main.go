// Bulk tries what bulk jobs promise: that each line has exactly one result, whatever dies and
// whenever, at a scale that tests have no time for. It builds the command, asks a fake server that
// fails as real ones do, and kills what runs. Everything is on loopback and in a folder of its own,
// takes some minutes, and stops by itself. It needs Linux.
//
//	make bulk
//	make bulk BULK='-only crash,scale -lines 10000'
//
// docs/bulk-workers.md has what came of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bulk:", err)
		os.Exit(1)
	}
}

// plan says what to try, and where.
type plan struct {
	only  string
	lines int
	kills int
	seed  uint64
	scale int
	// gigabytes is the size of a large input.
	gigabytes int
	// folder is where everything lies, command the gemwire command in it.
	folder, command string
}

// trial is one of the things that are tried. It prints what it saw, and fails where a promise is
// broken.
type trial struct {
	name  string
	about string
	run   func(*plan) error
}

// trials are all, in their order.
var trials = []trial{
	{"crash", "one process on a folder, killed at random moments", tryCrash},
	{"full", "the disk is full in the middle", tryFullDisk},
	{"workers", "three workers on a server, workers and server killed in turn", tryWorkers},
	{"cluster", "three workers on a cluster of three servers, one server killed at a time",
		tryCluster},
	{"rate", "lines of 1 KB, compared with a plain loop over the same client", tryRate},
	{"scale", "many lines of 1 KB: memory, rate, and the restart", tryScale},
	{"serve", "many lines of 1 KB in batches of a gateway: memory", tryServe},
	{"worker", "many lines of 1 KB by a worker on a server: memory", tryWorker},
	{"input", "an input of some GB, in lines of 1 MB: memory", tryInput},
}

// run tries what the flags say, or is one of the servers that trials start.
func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "nats":
			return serveNATS(args[1:])
		case "plain":
			return answerPlainly(args[1:])
		}
	}
	p := plan{}
	flags := flag.NewFlagSet("bulk", flag.ExitOnError)
	flags.StringVar(&p.only, "only", "", "try only these, by commas: "+strings.Join(names(), ", "))
	flags.IntVar(&p.lines, "lines", 100_000, "lines of the trials with faults")
	flags.IntVar(&p.kills, "kills", 20, "kills of each of them")
	flags.IntVar(&p.scale, "scale", 1_000_000, "lines of the trial of scale")
	flags.IntVar(&p.gigabytes, "gigabytes", 4,
		"size of the input of the trial of it; the disk needs room for twice as much")
	flags.StringVar(&p.command, "command", "",
		"try this `FILE` in place of a command that is built")
	flags.Uint64Var(&p.seed, "seed", 1, "what moments of kills follow from")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return p.run()
}

func names() (out []string) {
	for _, t := range trials {
		out = append(out, t.name)
	}
	return out
}

func (p *plan) run() (err error) {
	if p.folder, err = os.MkdirTemp("", "gemwire-bulk-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.folder)
	if p.command == "" {
		if err := p.build(); err != nil {
			return err
		}
	}
	only := strings.Split(p.only, ",")
	var failed []string
	for _, t := range trials {
		if p.only != "" && !slices.Contains(only, t.name) {
			continue
		}
		fmt.Printf("\n%s: %s\n\n", t.name, t.about)
		start := time.Now()
		if err := t.run(p); err != nil {
			fmt.Printf("- FAILED: %v\n", err)
			failed = append(failed, t.name)
		}
		fmt.Printf("- took %s\n", time.Since(start).Round(time.Second))
	}
	if len(failed) > 0 {
		return errors.New("not as promised: " + strings.Join(failed, ", "))
	}
	return nil
}

// build builds the command.
func (p *plan) build() error {
	p.command = filepath.Join(p.folder, "gemwire")
	build := exec.Command("go", "build", "-trimpath", "-o", p.command, "./server/cmd/gemwire")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// dir returns a new folder within the folder of the plan.
func (p *plan) dir(name string) (string, error) {
	path := filepath.Join(p.folder, name)
	return path, os.MkdirAll(path, 0o700)
}
