// Attack floods a built gateway with what an attacker sends, and a hostile upstream with what it
// answers, while an honest client asks in every form. It prints a table of what became of the
// honest client and of the gateway's memory. Everything is on loopback, is bounded and stops by
// itself. It needs Linux.
//
//	make attack
//	make attack ATTACK='-only slow-bodies,junk'
//
// docs/attack.md has the table and how to read it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	command := flags.String("gemwire", "bin/gemwire", "the `program` to attack")
	only := flags.String("only", "",
		"run only these, with commas between them: "+strings.Join(names(), ", "))
	lasts := flags.Duration("time", 6*time.Second, "how long each attack lasts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := attacksNamed(*only)
	if err != nil {
		return err
	}
	printHead()
	var failed []error
	for _, a := range chosen {
		outcome, err := a.try(*command, *lasts)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		outcome.print(a)
		if err := outcome.judge(); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", a.name, err))
		}
	}
	return errors.Join(failed...)
}

// attacksNamed returns the attacks of a list, and all for "".
func attacksNamed(list string) ([]attack, error) {
	if list == "" {
		return attacks, nil
	}
	var chosen []attack
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(attacks,
			func(a attack) bool { return a.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("%q is not an attack; use %s", name, strings.Join(names(), ", "))
		}
		chosen = append(chosen, attacks[i])
	}
	return chosen, nil
}

func names() []string {
	var all []string
	for _, a := range attacks {
		all = append(all, a.name)
	}
	return all
}
