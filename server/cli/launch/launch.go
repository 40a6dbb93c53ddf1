// Package launch has the commands that connect coding agents to the gateway: launch starts an
// agent, and a gateway if none runs, and env prints the settings for a shell.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/serve"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/spf13/cobra"
)

// Commands returns the commands.
func Commands() []*cobra.Command { return []*cobra.Command{newLaunch(), newEnv()} }

const launchHelp = `Run a coding agent on Gemini: claude, codex, opencode or gemini.

launch uses the gateway at --url, or the one that runs at http://127.0.0.1:8080. If none runs,
launch starts one on a free port and stops it when the agent ends. That gateway takes its key
from GEMINI_API_KEY. Without a key the built-in fake server answers. If a running gateway
checks client keys, set GEMWIRE_KEY to one of them.

The agent gets its settings by environment variables and arguments. launch neither reads nor
writes the agent's files. Arguments after -- are the agent's. The exit code is the agent's.

The gateway that launch starts takes its other settings from GEMWIRE_... variables and --config.`

const launchExamples = `  gemwire launch claude
  gemwire launch codex -- exec "Explain this project"
  gemwire launch opencode -- run "Explain this project"
  gemwire launch gemini -- -p "Explain this project"`

// options are the flags of both commands.
type options struct{ url, model string }

func (o *options) addFlags(cmd *cobra.Command, url string) {
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&o.model, "model", "m", models.Default, "model `M` to use")
	cmd.Flags().StringVar(&o.url, "url", url, "use the gateway at `URL`, without /v1")
}

// check returns a usage error.
func (o *options) check() error {
	if o.url == "" {
		return nil
	}
	if at, err := url.Parse(o.url); err != nil || at.Host == "" ||
		at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Errorf("--url: %q is not the URL of a gateway; use one such as http://%s", o.url,
			config.DefaultAddr)
	}
	return nil
}

// at returns the gateway at a URL. GEMWIRE_KEY has its key. A gateway that checks no keys accepts
// any key.
func (o *options) at(url string) gatewayAt {
	return gatewayAt{url: strings.TrimSuffix(strings.TrimRight(url, "/"), "/v1"),
		key: cmp.Or(os.Getenv("GEMWIRE_KEY"), "any"), model: o.model}
}

func newEnv() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "env [flags] AGENT",
		Short: "Print the settings of a coding agent for a shell",
		Long: `Print lines for a POSIX shell that make an agent use a running gateway: claude, codex, opencode
or gemini. gemwire launch does the same for one run.`,
		Example:               `  eval "$(gemwire env claude)"`,
		Args:                  cobra.ExactArgs(1),
		ValidArgs:             names(),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			a, err := find(words[0])
			if err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), a.shell(o.at(o.url)))
			return err
		},
	}
	o.addFlags(cmd, "http://"+config.DefaultAddr)
	return cmd
}

// launching has the flags of launch.
type launching struct {
	options
	source  setup.Sources
	program string
	log     string
}

func newLaunch() *cobra.Command {
	var l launching
	cmd := &cobra.Command{
		Use:     "launch [flags] AGENT [-- ARGUMENTS...]",
		Short:   "Run a coding agent on Gemini: claude, codex, opencode or gemini",
		Long:    launchHelp,
		Example: launchExamples,
		Args: func(_ *cobra.Command, words []string) error {
			if len(words) == 0 {
				return errAgentMissing()
			}
			return nil
		},
		ValidArgs:             names(),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			if at := cmd.ArgsLenAtDash(); at > 1 || at < 0 && len(words) > 1 {
				return errors.New("arguments of the agent belong after --, such as gemwire launch codex -- exec PROMPT")
			}
			a, err := find(words[0])
			if err != nil {
				return err
			}
			if err := l.check(); err != nil {
				return err
			}
			return l.run(cmd, a, words[1:])
		},
	}
	l.addFlags(cmd, "")
	cmd.Flags().StringVar(&l.program, "program", "",
		"`FILE` to run as the agent (default its name)")
	cmd.Flags().StringVar(&l.log, "log", "",
		"write the gateway's log to this `FILE` (default none)")
	cmd.Flags().StringVar(&l.source.File, "config", "",
		"gateway's settings `FILE` in YAML or JSON (GEMWIRE_CONFIG)")
	return cmd
}

func (l *launching) run(cmd *cobra.Command, a *agent, args []string) error {
	stderr := cmd.ErrOrStderr()
	program, err := exec.LookPath(cmp.Or(l.program, a.program))
	if err != nil {
		if l.program != "" {
			return setup.Fail(stderr, fmt.Errorf("--program: %w", err))
		}
		return setup.Fail(stderr,
			fmt.Errorf("%s is not installed: %w; install it, or set --program to its file",
				a.name, err))
	}
	url, stop, err := l.gateway(cmd.Context(), stderr)
	if err != nil {
		return setup.Fail(stderr, err)
	}
	defer stop()
	g := l.at(url)
	if a.args != nil {
		args = append(a.args(g), args...)
	}
	run := exec.CommandContext(cmd.Context(), program, args...)
	run.Stdin, run.Stdout, run.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), stderr
	if file := process.Underlying(run.Stdout); file != nil { // a terminal, not a pipe to it
		run.Stdout = file
	}
	run.Env = os.Environ()
	for _, v := range a.env(g) {
		run.Env = append(run.Env, v.name+"="+v.value)
	}
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) }
	run.WaitDelay = 5 * time.Second
	// The terminal sends the interrupt to the agent too, and the agent decides what it ends.
	defer process.CatchInterrupts(cmd.Context(), func() {})()
	err = run.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, isWait := ended.Sys().(syscall.WaitStatus); isWait && status.Signaled() {
			return &process.StatusError{Code: 128 + int(status.Signal())} // as shells do
		}
		return &process.StatusError{Code: ended.ExitCode()}
	}
	if err != nil {
		return setup.Fail(stderr, fmt.Errorf("%s: %w", a.name, err))
	}
	return nil
}

// gateway returns the URL of the agent's gateway. It also returns a function that ends the gateway
// if the command has started it.
func (l *launching) gateway(ctx context.Context, stderr io.Writer) (url string, stop func(),
	err error) {
	if l.url != "" {
		l.warn(ctx, stderr)
		return l.url, func() {}, nil
	}
	if url := "http://" + config.DefaultAddr; l.source.File == "" && l.isGateway(ctx, url) {
		fmt.Fprintf(stderr, "gemwire: using the running gateway at %s\n", url)
		return url, func() {}, nil
	}
	log := io.Discard
	closeLog := func() {}
	if l.log != "" {
		file, err := os.OpenFile(l.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return "", nil, err
		}
		log, closeLog = file, func() { _ = file.Close() }
	}
	sources := l.source.All()
	sources.Flags = append(sources.Flags, config.Flag{Name: "addr", Text: "127.0.0.1:0"},
		config.Flag{Name: "store", Text: "memory"})
	started, err := serve.Start(ctx, sources, log)
	if err != nil {
		closeLog()
		return "", nil, err
	}
	fmt.Fprintf(stderr, "gemwire: started a gateway at %s\n", started.URL)
	if started.IsFake {
		fmt.Fprintln(stderr,
			"gemwire: no API key in GEMINI_API_KEY; the built-in fake server answers")
	}
	return started.URL, func() { started.Stop(); closeLog() }, nil
}

// isGateway reports whether a gemwire gateway runs at a URL and accepts the key.
func (l *launching) isGateway(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	page, err := get(ctx, url+"/", http.Header{"Accept": {"text/html"}})
	if err != nil || !strings.Contains(page, "<title>"+serve.Title+"</title>") {
		return false
	}
	_, err = get(ctx, url+"/v1/models", http.Header{"Authorization": {"Bearer " + l.at(url).key}})
	return err == nil
}

// warn reports a gateway that does not run or rejects the key of the agent, because an agent may
// not say why its requests fail.
func (l *launching) warn(ctx context.Context, stderr io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	g := l.at(l.url)
	_, err := get(ctx, g.url+"/v1/models", http.Header{"Authorization": {"Bearer " + g.key}})
	if refused, ok := errors.AsType[statusError](err); ok && refused == http.StatusUnauthorized {
		fmt.Fprintf(stderr, "gemwire: the gateway at %s rejects the key; "+
			"set GEMWIRE_KEY to one of its client keys\n", g.url)
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" {
		fmt.Fprintf(stderr, "gemwire: no gateway answers at %s; start it with gemwire serve\n", g.url)
	}
}

// statusError is the status of an answer that is not 200.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("HTTP %d", int(e)) }

// get returns the start of an answer.
func get(ctx context.Context, url string, header http.Header) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	request.Header = header
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return "", statusError(reply.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(reply.Body, 64<<10))
	return string(body), err
}
