package spending

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/keyfile"
)

const keysHelp = `List and change the client keys of a gateway, with their limits and budgets. The keys are
in the file of --key-file, or in the store with "--key-file store". A change keeps the
comments of the file. Running gateways use the changed keys within seconds.

The period of a budget is day, week, month or total, by UTC.`

const keysExamples = `  gemwire keys list --key-file keys.yaml
  gemwire keys new alice --key-file keys.yaml --budget 5USD/day
  gemwire keys set alice --key-file keys.yaml --requests-per-minute 60 --budget none
  gemwire keys revoke alice --key-file keys.yaml`

// keysCommand has the flags of keys.
type keysCommand struct {
	source  setup.Sources
	output  string
	changes changes
	place   string // the file of the keys
}

func newKeys() *cobra.Command {
	cmd := &cobra.Command{
		Use: "keys", Short: "List and change the client keys of a gateway", Long: keysHelp,
		Example: keysExamples, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.New("a command is missing: list, new, set or revoke")
		},
	}
	add := func(use, short string, args cobra.PositionalArgs,
		run func(*keysCommand, *cobra.Command, []string) error) (*cobra.Command, *keysCommand) {
		c := &keysCommand{}
		child := &cobra.Command{Use: use, Short: short, Args: args, DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, args []string) error { return run(c, cmd, args) }}
		child.Flags().SortFlags = false
		c.source.AddFlags(child.Flags(), append([]string{"key_file"}, storeSettings...)...)
		cmd.AddCommand(child)
		return child, c
	}
	list, c := add("list [flags]", "List the keys", cobra.NoArgs, (*keysCommand).list)
	listing.AddOutputFlag(list, &c.output)
	made, c := add("new NAME [flags]", "Make a key and print it once", cobra.ExactArgs(1),
		(*keysCommand).make)
	c.changes.addFlags(made)
	set, c := add("set NAME [flags]", "Change the limits and the budget of a key",
		cobra.ExactArgs(1), (*keysCommand).set)
	c.changes.addFlags(set)
	add("revoke NAME [flags]", "Delete a key", cobra.ExactArgs(1), (*keysCommand).revoke)
	return cmd
}

var errNoKeyFile = errors.New("the settings have no keys; set --key-file to a file, or to store")

// in calls do with the source of the keys.
func (c *keysCommand) in(cmd *cobra.Command,
	do func(ctx context.Context, source keyfile.Source) error) error {
	ctx := cmd.Context()
	err := func() error {
		settings, err := c.source.Load()
		if err != nil {
			return err
		}
		c.place = settings.KeyFile
		switch settings.KeyFile {
		case "":
			return errNoKeyFile
		case config.KeysInStore:
			opened, err := openStore(ctx, settings)
			if err != nil {
				return err
			}
			defer opened.Close()
			return do(ctx, keyfile.InStore(opened.Engine()))
		default:
			return do(ctx, keyfile.InFile(settings.KeyFile))
		}
	}()
	if err != nil {
		return setup.Fail(cmd.ErrOrStderr(), err)
	}
	return nil
}

// make makes a key. It prints the key on standard output once.
func (c *keysCommand) make(cmd *cobra.Command, args []string) error {
	members, err := c.changes.members(cmd)
	if err != nil {
		return err
	}
	name, key := args[0], clientkey.New()
	members = append([]keyfile.Member{{Name: "name", Value: strconv.Quote(name)},
		{Name: "hash", Value: clientkey.Hash(key)}}, members...)
	return c.in(cmd, func(ctx context.Context, source keyfile.Source) error {
		if err := source.Change(ctx, func(text []byte) ([]byte, error) {
			if keyfile.Has(text, name) {
				return nil, fmt.Errorf("there is a key named %q; change it with gemwire keys set, "+
					"or delete it first with gemwire keys revoke", name)
			}
			return keyfile.Add(text, members...)
		}); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "gemwire: the key of %s, shown only once:\n",
			message.Escape(name))
		_, err := fmt.Fprintln(cmd.OutOrStdout(), key)
		return err
	})
}

func (c *keysCommand) set(cmd *cobra.Command, args []string) error {
	members, err := c.changes.members(cmd)
	if err != nil {
		return err
	}
	if len(members) == 0 {
		return errors.New("nothing to change; set a flag such as --budget 5USD/month")
	}
	return c.in(cmd, func(ctx context.Context, source keyfile.Source) error {
		return source.Change(ctx, func(text []byte) ([]byte, error) {
			return keyfile.Set(text, args[0], members...)
		})
	})
}

func (c *keysCommand) revoke(cmd *cobra.Command, args []string) error {
	return c.in(cmd, func(ctx context.Context, source keyfile.Source) error {
		return source.Change(ctx, func(text []byte) ([]byte, error) {
			return keyfile.Remove(text, args[0])
		})
	})
}

// keyRow is a key in a list.
type keyRow struct {
	Name              string   `json:"name"`
	Models            []string `json:"models,omitempty"`
	RequestsPerMinute int      `json:"requests_per_minute,omitzero"`
	TokensPerMinute   int      `json:"tokens_per_minute,omitzero"`
	Concurrent        int      `json:"concurrent,omitzero"`
	Budget            []string `json:"budget,omitempty"`
	Admin             bool     `json:"admin,omitzero"`
}

func rowOf(key *clientkey.Key) keyRow {
	limits, budget := key.Limits(), key.Budget()
	row := keyRow{Name: key.Name(), Models: key.Models(), Admin: key.IsAdmin(),
		RequestsPerMinute: limits.RequestsPerMinute, TokensPerMinute: limits.TokensPerMinute,
		Concurrent: limits.Concurrent}
	if budget.Currency != "" {
		row.Budget = append(row.Budget, budget.MoneyText())
	}
	if budget.Tokens > 0 {
		row.Budget = append(row.Budget, budget.TokenText())
	}
	return row
}

func (c *keysCommand) list(cmd *cobra.Command, _ []string) error {
	asJSON, err := listing.ParseOutput(c.output)
	if err != nil {
		return err
	}
	return c.in(cmd, func(ctx context.Context, source keyfile.Source) error {
		text, _, err := source.Read(ctx)
		if err != nil {
			return err
		}
		keys, err := keyfile.Keys(text)
		if err != nil {
			return fmt.Errorf("%s: %s", c.place, errortext.WithoutPackage(err.Error()))
		}
		var rows []keyRow
		for _, key := range keys.All() {
			rows = append(rows, rowOf(key))
		}
		if asJSON {
			return listing.WriteJSON(cmd.OutOrStdout(), rows)
		}
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tREQUESTS/MIN\tTOKENS/MIN\tAT A TIME\tBUDGET\tMODELS\tADMIN")
		for _, row := range rows {
			admin := "-"
			if row.Admin {
				admin = "yes"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", message.Escape(row.Name),
				orNone(row.RequestsPerMinute), orNone(row.TokensPerMinute), orNone(row.Concurrent),
				orDash(row.Budget, "-"), message.Escape(orDash(row.Models, "all")), admin)
		}
		return table.Flush()
	})
}

func orNone(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func orDash(words []string, none string) string {
	if len(words) == 0 {
		return none
	}
	return strings.Join(words, ", ")
}
