package cli

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/spf13/cobra"
)

const modelsHelp = `List what each family of models takes in a request that others refuse: how thinking is
asked for, whether thought signatures must come back, whether a schema is JSON Schema.
With a MODEL it is what conversions take that model for, which need not be in the list: a
version behind a family's name makes no difference, and a name that is not known has the
traits of the newest models.`

func newModels() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:                   "models [--output FORM] [MODEL...]",
		Short:                 "List what each model takes in a request",
		Long:                  modelsHelp,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, names []string) error {
			asJSON, err := parseOutput(output)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				names = models.Families()
			}
			rows := describeModels(names)
			if asJSON {
				return printed(cmd, writeJSON(cmd.OutOrStdout(), rows))
			}
			return printed(cmd, writeModels(cmd.OutOrStdout(), rows))
		},
	}
	addOutputFlag(cmd, &output)
	return cmd
}

// modelDescription is a model as `gemwire models --output json` shows it.
type modelDescription struct {
	Name                  string                    `json:"name"`
	ThinkingLevels        []geminiapi.ThinkingLevel `json:"thinking_levels"`
	DefaultThinkingLevel  geminiapi.ThinkingLevel   `json:"default_thinking_level,omitzero"`
	ThinkingBudget        *budgetDescription        `json:"thinking_budget"`
	RequiresSignatures    bool                      `json:"requires_signatures"`
	JSONSchema            bool                      `json:"json_schema"`
	FunctionResponseParts bool                      `json:"function_response_parts"`
}

type budgetDescription struct {
	Min      int  `json:"min"`
	Max      int  `json:"max"`
	CanBeOff bool `json:"can_be_off"`
}

func describeModels(names []string) []modelDescription {
	var out []modelDescription
	for _, name := range names {
		traits := models.TraitsOf(name)
		row := modelDescription{
			Name:                  name,
			ThinkingLevels:        traits.Thinking.Levels,
			DefaultThinkingLevel:  traits.Thinking.DefaultLevel,
			RequiresSignatures:    traits.RequiresSignatures,
			JSONSchema:            traits.JSONSchema,
			FunctionResponseParts: traits.FunctionResponseParts,
		}
		if budget := traits.Thinking.Budget; budget != nil {
			row.ThinkingBudget = &budgetDescription{budget.Min, budget.Max, budget.CanBeOff}
		}
		out = append(out, row)
	}
	return out
}

// writeModels writes a table. The default among the levels is marked.
func writeModels(out io.Writer, rows []modelDescription) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODEL\tTHINKING LEVELS (* BY DEFAULT)\tTHINKING BUDGET\tSIGNATURES\tJSON SCHEMA\tMEDIA IN RESULTS")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", row.Name, row.levels(), row.ThinkingBudget,
			yesOrNo(row.RequiresSignatures, "required"), yesOrNo(row.JSONSchema, "yes"), yesOrNo(row.FunctionResponseParts, "yes"))
	}
	return table.Flush()
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
	return list(names, "or")
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
