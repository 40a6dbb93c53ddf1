package remote

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Models lists the models of a server for another command's flag. Its zero value is ready to use.
type Models struct{ connection connection }

// AddFlags adds the flags that select the server.
func (m *Models) AddFlags(flags *pflag.FlagSet) { m.connection.addFlags(flags) }

// IsSet reports whether one of its flags was set.
func (m *Models) IsSet(flags *pflag.FlagSet) bool {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(connection).addFlags(own)
	isSet := false
	own.VisitAll(func(f *pflag.Flag) { isSet = isSet || flags.Changed(f.Name) })
	return isSet
}

// List prints the named models, or all of them.
func (m *Models) List(cmd *cobra.Command, names []string, asJSON bool) error {
	c := newCall(cmd)
	return c.connected(cmd.Context(), &m.connection, func(ctx context.Context) error {
		found, err := c.models(ctx, names)
		if err != nil {
			return err
		}
		if asJSON {
			return written(0, listing.WriteJSON(c.stdout, found))
		}
		return writeModels(c.stdout, found)
	})
}

func (c *call) models(ctx context.Context, names []string) ([]*geminiapi.Model, error) {
	var found []*geminiapi.Model
	for _, name := range names {
		c.model = name
		model, err := c.client.Models.Get(ctx, name)
		if err != nil {
			return nil, err
		}
		found = append(found, model)
	}
	if len(names) > 0 {
		return found, nil
	}
	for model, err := range c.client.Models.List(ctx) {
		if err != nil {
			return nil, err
		}
		found = append(found, model)
	}
	return found, nil
}

func writeModels(out io.Writer, found []*geminiapi.Model) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODEL\tTOKENS IN\tTOKENS OUT\tTHINKS\tMETHODS\tTITLE")
	for _, m := range found {
		methods := slices.Clone(m.SupportedGenerationMethods)
		slices.Sort(methods)
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s\n",
			strings.TrimPrefix(jsonx.Deref(m.Name), "models/"),
			jsonx.Deref(m.InputTokenLimit), jsonx.Deref(m.OutputTokenLimit), thinks(m),
			strings.Join(methods, ","),
			printable(jsonx.Deref(m.DisplayName)))
	}
	return written(0, table.Flush())
}

func thinks(m *geminiapi.Model) string {
	if jsonx.Deref(m.Thinking) {
		return "yes"
	}
	return "-"
}
