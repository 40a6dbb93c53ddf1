package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// An attack is one way to do harm.
type attack struct {
	name string
	// sends says in a sentence what the attacker does.
	sends string
	// settings are added to the environment of the gateway.
	settings []string
	// connections is how many attackers there are at the same time.
	connections int
	// once does the harm once. It is called again until the time is over, and gives up with the
	// context. An error of the type brokenPromise fails the attack.
	once func(context.Context, target) error
}

// brokenPromise describes harm that the gateway does to an attacker but to no client, such as an
// empty success.
type brokenPromise string

func (b brokenPromise) Error() string { return string(b) }

// target contains everything that an attacker knows.
type target struct {
	// address is the host and port of the gateway.
	address string
	// key is the attacker's own client key, which is valid.
	key string
	// number is the attacker's number, from 0.
	number int
}

// try attacks a new gateway for a time, while an honest client uses the gateway.
func (a attack) try(command string, lasts time.Duration) (outcome, error) {
	upstream, err := startUpstream()
	if err != nil {
		return outcome{}, err
	}
	defer upstream.Close()
	g, err := startGateway(command, upstream.address(), a.settings)
	if err != nil {
		return outcome{}, err
	}
	defer g.end()
	honest := newHonest(g.address, g.honestKey)
	if err := honest.ask(context.Background()); err != nil {
		return outcome{},
			fmt.Errorf("the gateway does not answer before the attack: %w\n%s", err, g.output)
	}
	quiet := g.memory()
	done, stop := context.WithTimeout(context.Background(), lasts)
	defer stop()
	var under errgroup
	for number := range a.connections {
		under.run(func() error { return a.repeat(done, target{g.address, g.attackerKey, number}) })
	}
	seen := honest.askUntil(done)
	broken := under.wait()
	after, err := g.settle(honest)
	if err == nil {
		err = broken
	}
	return outcome{honest: seen, quiet: quiet, highest: g.highestMemory(), after: after,
		ended: err}, nil
}

// errgroup runs functions and keeps the first error.
type errgroup struct {
	under sync.WaitGroup
	once  sync.Once
	first error
}

func (e *errgroup) run(f func() error) {
	e.under.Go(func() {
		if err := f(); err != nil {
			e.once.Do(func() { e.first = err })
		}
	})
}

func (e *errgroup) wait() error {
	e.under.Wait()
	return e.first
}

// repeat does the harm repeatedly, until a promise is broken. An attacker expects other errors.
// After an immediate error it pauses, because otherwise the attacker's machine would do nothing
// else.
func (a attack) repeat(ctx context.Context, t target) error {
	for ctx.Err() == nil {
		began := time.Now()
		err := a.once(ctx, t)
		if broken := brokenPromise(""); errors.As(err, &broken) {
			return broken
		}
		if err == nil || time.Since(began) > time.Millisecond {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}
