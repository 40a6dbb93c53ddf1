package spending

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/usage"
)

const usageHelp = `Show what the clients of a gateway used and spent, per key, model or day. The numbers come
from the store in the settings, or with --url from a running gateway. A gateway with client
keys needs a key with "admin: true" in GEMWIRE_ADMIN_KEY.

A day begins at midnight UTC.`

const usageExamples = `  gemwire usage --store /var/lib/gemwire/store
  gemwire usage --by day,model --since 7d --url http://127.0.0.1:8080
  gemwire usage --by key --since 2026-11-01 --csv > november.csv`

// usageCommand has the flags of usage.
type usageCommand struct {
	source       setup.Sources
	by           string
	since, until string
	url          string
	csv, json    bool
}

func newUsage() *cobra.Command {
	var c usageCommand
	cmd := &cobra.Command{
		Use: "usage [flags]", Short: "Show what the clients of a gateway used and spent",
		Long: usageHelp, Example: usageExamples, Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.by, "by", "key", "what a line is for: `NAMES` of key, model, day, service, tier and form")
	flags.StringVar(&c.since, "since", "30d", "first `DAY` such as 2026-11-01, or a number of days such as 7d")
	flags.StringVar(&c.until, "until", "", "last `DAY` (default today)")
	flags.BoolVar(&c.csv, "csv", false, "print CSV")
	flags.BoolVar(&c.json, "json", false, "print JSON")
	flags.StringVar(&c.url, "url", "", "ask the gateway at this `URL` instead of reading the store")
	c.source.AddFlags(flags, storeSettings...)
	cmd.MarkFlagsMutuallyExclusive("csv", "json")
	return cmd
}

func (c *usageCommand) run(cmd *cobra.Command) error {
	groups, err := groupsOf(c.by)
	if err != nil {
		return err
	}
	since, err := dayOf("--since", c.since, time.Now())
	if err != nil {
		return err
	}
	until, err := dayOf("--until", c.until, time.Now())
	if err != nil {
		return err
	}
	report, err := c.read(cmd.Context(), since, until)
	if err != nil {
		return setup.Fail(cmd.ErrOrStderr(), err)
	}
	rows := usage.Sum(report.Rows, groups.keep)
	out := cmd.OutOrStdout()
	switch {
	case c.csv:
		return writeCSV(out, groups, rows)
	case c.json:
		return writeJSON(out, rows)
	}
	if err := writeTable(out, groups, rows, report.Rows); err != nil {
		return err
	}
	return writeLosses(out, report.Losses)
}

// read returns the usage of the days.
func (c *usageCommand) read(ctx context.Context, since, until string) (*gateway.UsageReport,
	error) {
	if c.url != "" {
		return ask(ctx, c.url, since, until)
	}
	settings, err := c.source.Load()
	if err != nil {
		return nil, err
	}
	if isMissingFolder(settings) {
		return nil, fmt.Errorf("the folder %s does not exist; set --store to the store of the gateway",
			settings.Store)
	}
	opened, err := openStore(ctx, settings)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	reader, report := usage.NewReader(opened.Engine()), &gateway.UsageReport{}
	if report.Rows, err = reader.Rows(ctx, since, until); err != nil {
		return nil, err
	}
	from, _ := time.Parse(time.DateOnly, since)
	report.Losses, err = reader.Losses(ctx, from)
	return report, err
}

// isMissingFolder reports whether the store is a folder that does not exist. Opening it would make
// an empty one.
func isMissingFolder(settings *config.Config) bool {
	if !settings.StoreLasts() || settings.StoreIsOnServers() {
		return false
	}
	_, err := os.Stat(settings.Store)
	return errors.Is(err, fs.ErrNotExist)
}

// groups are what a line is for.
type groups []string

// groupNames are the names for --by.
var groupNames = []string{"key", "model", "day", "service", "tier", "form"}

func groupsOf(text string) (groups, error) {
	var out groups
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(groupNames, name) {
			return nil, fmt.Errorf("--by: %q is unknown%s; use %s", name,
				message.DidYouMean(name, groupNames), message.List(groupNames, "or"))
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// keep keeps the members of a key that a line is for, and the currency.
func (g groups) keep(key usage.Key) usage.Key {
	out := usage.Key{Currency: key.Currency}
	if key.Currency == "" { // which joins the line in the currency of all others, if there is one
		out.Currency = noCurrency
	}
	for _, name := range g {
		*member(&out, name) = *member(&key, name)
	}
	return out
}

// noCurrency stands for rows without a cost.
const noCurrency = "-"

// member returns a member of a key by its name for --by.
func member(key *usage.Key, name string) *string {
	switch name {
	case "key":
		return &key.Client
	case "model":
		return &key.Model
	case "day":
		return &key.Day
	case "service":
		return &key.Service
	case "tier":
		return &key.Tier
	default:
		return &key.Form
	}
}

// dayOf returns a day: a date, or a number of days ago that includes today.
func dayOf(flag, text string, now time.Time) (string, error) {
	if text == "" {
		return "", nil
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return text, nil
	}
	var days int
	if n, err := fmt.Sscanf(text, "%dd", &days); n != 1 || err != nil || days < 1 || days > 10_000 ||
		text != fmt.Sprintf("%dd", days) {
		return "", fmt.Errorf("%s: %q is not a day; want one such as 2026-11-01, or 7d", flag, text)
	}
	return usage.DayOf(now.AddDate(0, 0, 1-days)), nil
}

// writeLosses says what may be missing.
func writeLosses(out io.Writer, losses []usage.Loss) error {
	if len(losses) == 0 {
		return nil
	}
	var upTo int64
	for _, loss := range losses {
		upTo += loss.UpTo
	}
	if upTo == 0 {
		_, err := fmt.Fprintf(out, "\nKilled gateway processes: %d, the last at %s. No request was lost.\n",
			len(losses), losses[len(losses)-1].At.UTC().Format(time.RFC3339))
		return err
	}
	_, err := fmt.Fprintf(out, "\nKilled gateway processes: %d, the last at %s. Each may have lost "+
		"its last second, together up to %s.\n", len(losses),
		losses[len(losses)-1].At.UTC().Format(time.RFC3339), message.Count(upTo, "request"))
	return err
}
