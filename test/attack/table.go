package main

import (
	"errors"
	"fmt"
	"time"
)

// outcome is the result of an attack.
type outcome struct {
	honest  seen
	quiet   int64 // memory before, in bytes
	highest int64 // at most
	after   int64
	ended   error // why the gateway is not as it was
}

// What an honest client and the machine must be spared.
const (
	mostMemory  = 640 << 20
	longestTime = 8 * time.Second
)

// judge returns what does not hold.
func (o outcome) judge() error {
	switch h := o.honest; {
	case o.ended != nil:
		return o.ended
	case h.asked == 0:
		return errors.New("no honest request was answered")
	case len(h.failures) > 0:
		return fmt.Errorf("%d of %d honest requests failed, the first with %w", len(h.failures),
			h.asked, h.failures[0])
	case h.at(100) > longestTime:
		return fmt.Errorf("an honest request took %s", h.at(100))
	case o.highest > mostMemory:
		return fmt.Errorf("%d MB of memory", o.highest>>20)
	}
	return nil
}

// at returns the time within which percent % of the answers arrived.
func (s seen) at(percent int) time.Duration {
	if len(s.times) == 0 {
		return 0
	}
	return s.times[(len(s.times)-1)*percent/100].Round(100 * time.Microsecond)
}

func printHead() {
	fmt.Println("| attack | attackers | what each does again and again | honest requests answered | p50, p99, longest | memory before, highest, after | |")
	fmt.Println("|---|---|---|---|---|---|---|")
}

func (o outcome) print(a attack) {
	verdict := "held"
	if o.judge() != nil {
		verdict = "**not held**"
	}
	h := o.honest
	fmt.Printf("| `%s` | %d | %s | %d of %d | %s, %s, %s | %d, %d, %d MB | %s |\n", a.name,
		a.connections, a.sends, len(h.times), h.asked,
		h.at(50), h.at(99), h.at(100), o.quiet>>20, o.highest>>20, o.after>>20, verdict)
}
