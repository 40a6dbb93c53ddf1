package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/cli/listing"
	"github.com/gemwire/gemwire/internal/cli/message"
	"github.com/gemwire/gemwire/internal/cli/remote"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/spf13/cobra"
)

const modelsHelp = `List what each family of models takes in a request that others refuse: how thinking is
asked for, whether thought signatures must come back, whether a schema is JSON Schema, and
how many tokens there may be, as far as that is known.
With a MODEL it is what conversions take that model for, which need not be in the list: a
version behind a family's name makes no difference, and a name that is not known has the
traits of the newest models.

With --output json each model also has the budgets or levels of thinking none, low, medium
and high, and what is known to be refused for it by the Gemini API alone, not by Vertex AI.

With --remote it is the models of the server instead, as the server describes them. The
other flags say where the server is; see gemwire generate --help.`

func newModels() *cobra.Command {
	var output string
	var isRemote bool
	var remotes remote.Models
	cmd := &cobra.Command{
		Use:                   "models [flags] [MODEL...]",
		Short:                 "List what each model takes in a request",
		Long:                  modelsHelp,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, names []string) error {
			asJSON, err := listing.ParseOutput(output)
			if err != nil {
				return err
			}
			if isRemote {
				return remotes.List(cmd, names, asJSON)
			}
			if remotes.IsSet(cmd.Flags()) {
				return errors.New("a server is only asked with --remote")
			}
			if len(names) == 0 {
				names = models.Families()
			}
			rows := describeModels(names)
			if asJSON {
				return printed(cmd, listing.WriteJSON(cmd.OutOrStdout(), rows))
			}
			return printed(cmd, writeModels(cmd.OutOrStdout(), rows))
		},
	}
	listing.AddOutputFlag(cmd, &output)
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&isRemote, "remote", false, "ask the server for its models")
	remotes.AddFlags(cmd.Flags())
	return cmd
}

// modelDescription is a model as `gemwire models --output json` shows it.
type modelDescription struct {
	Name                  string                    `json:"name"`
	ThinkingLevels        []geminiapi.ThinkingLevel `json:"thinking_levels"`
	DefaultThinkingLevel  geminiapi.ThinkingLevel   `json:"default_thinking_level,omitzero"`
	ThinkingBudget        *budgetDescription        `json:"thinking_budget"`
	ThinkingAmounts       *amountsDescription       `json:"thinking_amounts"`
	RequiresSignatures    bool                      `json:"requires_signatures"`
	JSONSchema            bool                      `json:"json_schema"`
	FunctionResponseParts bool                      `json:"function_response_parts"`
	RefusedByGeminiAPI    []string                  `json:"refused_by_gemini_api"`
	MaxInputTokens        int                       `json:"max_input_tokens,omitzero"`
	MaxOutputTokens       int                       `json:"max_output_tokens,omitzero"`
}

type budgetDescription struct {
	Min      int  `json:"min"`
	Max      int  `json:"max"`
	CanBeOff bool `json:"can_be_off"`
}

// amountsDescription has the thinkingConfig for each amount.
type amountsDescription struct {
	None   *geminiapi.ThinkingConfig `json:"none"`
	Low    *geminiapi.ThinkingConfig `json:"low"`
	Medium *geminiapi.ThinkingConfig `json:"medium"`
	High   *geminiapi.ThinkingConfig `json:"high"`
}

func describeModels(names []string) []modelDescription {
	var out []modelDescription
	for _, name := range names {
		traits, limits := models.TraitsOf(name), models.LimitsOf(name)
		row := modelDescription{
			Name:                  name,
			ThinkingLevels:        traits.Thinking.Levels,
			DefaultThinkingLevel:  traits.Thinking.DefaultLevel,
			RequiresSignatures:    traits.RequiresSignatures,
			JSONSchema:            traits.JSONSchema,
			FunctionResponseParts: traits.FunctionResponseParts,
			RefusedByGeminiAPI:    refusedByGeminiAPI(&traits),
			MaxInputTokens:        limits.Input,
			MaxOutputTokens:       limits.Output,
		}
		if budget := traits.Thinking.Budget; budget != nil {
			row.ThinkingBudget = &budgetDescription{budget.Min, budget.Max, budget.CanBeOff}
		}
		if thinking := traits.Thinking; thinking.Budget != nil || thinking.Levels != nil {
			row.ThinkingAmounts = &amountsDescription{
				thinking.Config(models.AmountNone), thinking.Config(models.AmountLow),
				thinking.Config(models.AmountMedium), thinking.Config(models.AmountHigh),
			}
		}
		out = append(out, row)
	}
	return out
}

// refusedByGeminiAPI names what is known to be refused for a model by the Gemini API alone, not by Vertex AI.
func refusedByGeminiAPI(traits *models.Traits) []string {
	var out []string
	for _, row := range []struct {
		name string
		at   models.Backends
	}{
		{"penalties", traits.RefusesPenalties},
		{"logprobs", traits.RefusesLogprobs},
		{"functions with answers in JSON", traits.RefusesJSONWithFunctions},
		{"functions with googleSearch", traits.RefusesSearchWithFunctions},
		{"functions with tools of the server, unless their calls are shown", traits.RequiresShownServerCalls},
	} {
		if row.at == models.GeminiAPI {
			out = append(out, row.name)
		}
	}
	return out
}

// writeModels writes a table. The default among the levels is marked.
func writeModels(out io.Writer, rows []modelDescription) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODEL\tTHINKING LEVELS (* BY DEFAULT)\tTHINKING BUDGET\tSIGNATURES\tJSON SCHEMA\tMEDIA IN RESULTS\tTOKENS IN\tTOKENS OUT")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Name, row.levels(), row.ThinkingBudget,
			yesOrNo(row.RequiresSignatures, "required"), yesOrNo(row.JSONSchema, "yes"), yesOrNo(row.FunctionResponseParts, "yes"),
			numberOrNone(row.MaxInputTokens), numberOrNone(row.MaxOutputTokens))
	}
	return table.Flush()
}

// numberOrNone returns a number, "-" for 0.
func numberOrNone(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func yesOrNo(is bool, yes string) string {
	if is {
		return yes
	}
	return "-"
}

func (m *modelDescription) levels() string {
	var names []string
	for _, level := range m.ThinkingLevels {
		name := string(level)
		if level == m.DefaultThinkingLevel {
			name += "*"
		}
		names = append(names, name)
	}
	if names == nil {
		return "-"
	}
	return message.List(names, "or")
}

// String returns the range in words.
func (b *budgetDescription) String() string {
	if b == nil {
		return "-"
	}
	text := strconv.Itoa(b.Min) + " to " + strconv.Itoa(b.Max)
	if b.CanBeOff {
		text += ", or 0"
	}
	return text
}
