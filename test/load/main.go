// Load measures what the gateway adds to a call, and what it holds. It compares the gateway with
// the upstream itself, the standard library's reverse proxy and a hand-written proxy over Google's
// SDK, all in one run. Everything runs on loopback, takes some minutes and stops by itself. It
// needs Linux.
//
//	make load
//	make load LOAD='-only whole,first -profile /tmp/profiles'
//
// docs/load.md lists the measurements, and says how to read them.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/heapgrowth"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/measurement"
	"github.com/gemwire/gemwire/test/load/internal/process"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// run measures, or is one of the servers that [measurement] starts.
func run(args []string) error {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return serve(args[0], args[1:])
	}
	flags := flag.NewFlagSet("load", flag.ExitOnError)
	plan := measurement.Plan{Out: os.Stdout}
	only := flags.String("only", "",
		"measure only these, by commas: "+strings.Join(measurement.Names(), ", "))
	flags.StringVar(&plan.Profiles, "profile", "",
		"write profiles of the intermediaries into this `folder`")
	flags.Float64Var(&plan.Scale, "scale", 1, "factor for the length of each measurement")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *only != "" {
		plan.Only = strings.Split(*only, ",")
	}
	return plan.Run()
}

// serve is a server, until standard input ends.
func serve(name string, args []string) error {
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	address := flags.String("upstream", "", "")
	var s intermediary.Settings
	flags.IntVar(&s.MaxConcurrent, "concurrent", 0, "")
	profile := flags.String("profile", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if name == measurement.Upstream {
		return process.Serve(upstream.Serve)
	}
	handler, err := intermediary.New(name, *address, s)
	if err != nil {
		return err
	}
	switch name {
	case intermediary.NameGateway, intermediary.NamePricing, intermediary.NameCounting:
		defer heapgrowth.Keep(heapgrowth.Server)() // as gemwire serve does
	}
	stop, err := process.Profile(*profile)
	if err != nil {
		return err
	}
	defer stop()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)}
	return process.Serve(func(l net.Listener) error { return server.Serve(l) })
}
