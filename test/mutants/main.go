// Mutants measures how much the tests notice. It changes one token of the code (a mutant, for
// example == to !=), runs the tests of the package and of its room, and counts the mutant as killed
// when a test fails. A room is a folder of packages that are tested together. From each room it
// takes a random sample, and it fails when less than 90 % are killed.
//
//	make mutants                                    20 mutants of every room
//	make mutants ROOM=bulk,gateway COUNT=25 SEED=7  the same 25 mutants of two rooms each time
//	make mutants MUTANT=FILE:LINE:COLUMN      the mutants at one place, to see a new test kill them
//
// gremlins (go.mod pins it) lists the mutants in a dry run. This command draws the sample and runs
// the tests itself, for three reasons. gremlins 0.6 cannot draw a sample. It runs either the tests
// of the mutant's package or all tests of the module. It counts a mutant that does not compile as
// killed, because go test exits with 1 in both cases.
//
// What is counted:
//
//   - A mutant that does not compile is not counted. The next mutant in the order of the sample
//     takes its place.
//   - A mutant that no test reaches survives.
//   - A mutant whose effect no caller can see survives too. There is no list of exceptions:
//     simplify such code, or leave it among the 10 %.
//   - A mutant is killed when the tests take more than three times as long, or more memory than
//     -memory. The table has a column for the mutants killed by time, because a busy machine adds
//     to them.
//
// Mutants reach the compiler as an overlay (go help build). No file of the checkout is changed, so
// an interrupted run leaves no trace. The command needs bash.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	root   string
	rooms  string
	mutant string
	count  int
	seed   uint64
	least  int
	memory int
	short  bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("mutants", flag.ExitOnError)
	flags.StringVar(&s.root, "root", "../..", "`folder` of the module whose code is changed")
	flags.StringVar(&s.rooms, "room", "",
		"rooms, separated by commas (default all): "+strings.Join(roomNames(), ", "))
	flags.StringVar(&s.mutant, "mutant", "", "run only the mutants at `FILE:LINE:COLUMN`")
	flags.IntVar(&s.count, "count", 20, "mutants of each room")
	flags.Uint64Var(&s.seed, "seed", 0, "seed of the sample (default another one each second)")
	flags.IntVar(&s.least, "least", 90,
		"percentage of the mutants that the tests must kill in each room")
	flags.IntVar(&s.memory, "memory", 8, "GiB of address space that a test may use")
	flags.BoolVar(&s.short, "short", false, "run the tests with -short")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.count < 1 {
		return fmt.Errorf("-count is %d; at least one mutant is needed", s.count)
	}
	chosen, err := roomsNamed(s.rooms)
	if err != nil {
		return err
	}
	if s.seed == 0 {
		s.seed = uint64(time.Now().Unix())
	}
	m, err := openModule(ctx, s)
	if err != nil {
		return err
	}
	defer m.close()
	if s.mutant != "" {
		return runPlace(ctx, m, s, out)
	}
	return runRooms(ctx, m, s, chosen, out)
}

// runRooms takes a sample from each room and prints the table. A room whose tests fail without a
// mutant is an error of its own, and the other rooms are still measured.
func runRooms(ctx context.Context, m *module, s settings, chosen []room, out io.Writer) error {
	fmt.Fprintf(out, "seed %d\n", s.seed)
	var results table
	var failed []error
	for _, r := range chosen {
		row, err := measure(ctx, m, s, r, out)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.name, err))
			continue
		}
		results = append(results, row)
	}
	results.write(out)
	for _, row := range results {
		if !row.enough(s.least) {
			failed = append(failed,
				fmt.Errorf("%s: %d of %d mutants are killed; %d %% are needed (the same sample: "+
					"make mutants ROOM=%s COUNT=%d SEED=%d)",
					row.room, row.killed, row.mutants(), s.least, row.room, s.count, s.seed))
		}
	}
	return errors.Join(failed...)
}

// measure runs the sample of one room and prints what became of each mutant.
func measure(ctx context.Context, m *module, s settings, r room, out io.Writer) (row, error) {
	listed, err := m.mutants(ctx, r)
	if err != nil {
		return row{}, err
	}
	tests, err := m.tests(ctx, r)
	if err != nil {
		return row{}, err
	}
	result := row{room: r.name, listed: len(listed)}
	for _, mutant := range shuffled(listed, s.seed) {
		if result.mutants() == s.count {
			break
		}
		verdict, err := tests.try(ctx, mutant)
		if err != nil {
			return row{}, err
		}
		fmt.Fprintf(out, "%-12s %s%s\n", verdict.outcome, mutant, verdict.reason())
		result.add(mutant, verdict)
	}
	if result.mutants() == 0 {
		return row{}, errors.New("gremlins lists no mutant that compiles")
	}
	return result, nil
}

// runPlace runs the mutants at one place, and fails when one survives.
func runPlace(ctx context.Context, m *module, s settings, out io.Writer) error {
	mutants, err := m.at(s.mutant)
	if err != nil {
		return err
	}
	r, err := roomOf(mutants[0].file)
	if err != nil {
		return err
	}
	tests, err := m.tests(ctx, r)
	if err != nil {
		return err
	}
	survived := 0
	for _, mutant := range mutants {
		verdict, err := tests.try(ctx, mutant)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-12s %s%s\n", verdict.outcome, mutant, verdict.reason())
		if verdict.outcome == survives {
			survived++
		}
	}
	if survived > 0 {
		return fmt.Errorf("%d of %d mutants survive", survived, len(mutants))
	}
	return nil
}
