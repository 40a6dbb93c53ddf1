package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/spf13/cobra"
)

const healthHelp = `Check whether a gateway on this machine is alive, or with --ready whether it accepts
requests. The exit code is 0 or 1. The command is for health checks of containers that have
no other program. It finds the address as gemwire serve does: from --config, GEMWIRE_ADDR or
--addr. It makes no call of a model.`

func newHealth() *cobra.Command {
	var (
		source  setup.Sources
		addr    string
		ready   bool
		timeout time.Duration
	)
	cmd := &cobra.Command{
		Use:                   "health [flags]",
		Short:                 "Check whether a gateway is alive",
		Long:                  healthHelp,
		Example:               "  gemwire health --ready",
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if addr == "" {
				var err error
				if addr, err = config.Addr(source.All()); err != nil {
					return setup.Fail(cmd.ErrOrStderr(), err)
				}
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			return ask(ctx, probe(addr, ready), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&addr, "addr", "",
		"address of the gateway as `HOST:PORT` (default from the settings)")
	flags.StringVar(&source.File, "config", "",
		"read the address from this settings `FILE` (GEMWIRE_CONFIG)")
	flags.BoolVar(&ready, "ready", false, "check whether it accepts requests")
	flags.DurationVar(&timeout, "timeout", 3*time.Second, "maximum `TIME` to wait for an answer")
	return cmd
}

// probe returns the address to probe. For a gateway that listens on all interfaces it is this
// machine.
func probe(addr string, ready bool) string {
	if host, port, err := net.SplitHostPort(addr); err == nil {
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			addr = net.JoinHostPort("127.0.0.1", port)
		}
	}
	if ready {
		return "http://" + addr + "/readyz"
	}
	return "http://" + addr + "/healthz"
}

// maxProbe is the number of bytes of an answer that are read.
const maxProbe = 1 << 10

// ask sends a probe and prints the answer.
func ask(ctx context.Context, url string, stdout, stderr io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// No proxy and no keep-alive connection: this is a single request to this machine.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(request)
	if err != nil {
		fmt.Fprintf(stderr, "gemwire: %s\n", message.Escape(err.Error()))
		return process.ErrFailed
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(reply.Body, maxProbe))
	if reply.StatusCode != http.StatusOK {
		fmt.Fprintf(stderr, "gemwire: %s: %s %s\n", url, reply.Status, message.Escape(string(text)))
		return process.ErrFailed
	}
	_, err = stdout.Write(text)
	return err
}
