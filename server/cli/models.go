package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/remote"
	"github.com/gemwire/gemwire/server/internal/modelname"
	"github.com/spf13/cobra"
)

const modelsHelp = `List what each model accepts in a request, where models differ: how to ask for thinking,
whether thought signatures must come back, whether a schema is JSON Schema, and the token
limits, if they are known. The list leaves out models that were shut down. With a MODEL it
shows the model that the Gemini API answers that name with today. The name may have a
version at its end. An unknown name has the traits of the newest models.

Standard error names the models of the Gemini API that another model answers for, that are
deprecated, or that retire within 30 days.

With --output json each model also has its budgets or levels for the thinking amounts none,
low, medium and high. It also has what only the Gemini API, and not Vertex AI, is known to
refuse for it.

With --remote the command lists the models of the server instead, as the server describes
them. The other flags select the server; see gemwire generate --help.`

func newModels() *cobra.Command {
	var output string
	var isRemote bool
	var remotes remote.Models
	cmd := &cobra.Command{
		Use:                   "models [flags] [MODEL...]",
		Short:                 "List what each model accepts in a request",
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
				return errors.New("flags that select a server need --remote")
			}
			if err := checkNames(names); err != nil {
				return err
			}
			if len(names) == 0 {
				names = servedModels()
			}
			rows := describeModels(names)
			if asJSON {
				return printed(cmd, listing.WriteJSON(cmd.OutOrStdout(), rows))
			}
			if err := writeModels(cmd.OutOrStdout(), rows); err != nil {
				return printed(cmd, err)
			}
			return printed(cmd, writeNotes(cmd.ErrOrStderr(), rows))
		},
	}
	listing.AddOutputFlag(cmd, &output)
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&isRemote, "remote", false, "ask the server for its models")
	remotes.AddFlags(cmd.Flags())
	return cmd
}

// checkNames returns an error for a word that is not a model name, such as a command. An unknown
// name is accepted if it has a hyphen, as nearly all model names do.
func checkNames(names []string) error {
	for _, name := range names {
		if !strings.Contains(name, "-") && !slices.Contains(models.IDs(), name) {
			return fmt.Errorf("%q is not the name of a model; 'gemwire models' lists the names%s",
				name, similarModel(name))
		}
	}
	return nil
}

// similarModel returns the end of a message that suggests a model of the Gemini API, or "".
func similarModel(name string) string {
	now := clock.Now()
	return modelname.Advice(name, models.GeminiAPI, now, modelname.Suggested(models.GeminiAPI, now))
}

// unknownModel returns a note for a name that is not the name of a model. It returns "" for a name
// that may belong to a model that is newer than the table, or to a tuned one.
func unknownModel(name string, model *models.Model) string {
	if model.IsServed() || slices.Contains(models.IDs(), model.Asked) {
		return ""
	}
	meant := similarModel(name)
	switch {
	case meant != "":
		return name + " is not a known model" + meant
	case models.IsGoogles(name):
		return ""
	default:
		return name + " is not a known model; 'gemwire models' lists the names"
	}
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
	Notes                 []string                  `json:"notes,omitzero"`
}

type budgetDescription struct {
	Min      int  `json:"min"`
	Max      int  `json:"max"`
	CanBeOff bool `json:"can_be_off"`
}

// amountsDescription has the thinkingConfig for each thinking amount.
type amountsDescription struct {
	None   *geminiapi.ThinkingConfig `json:"none"`
	Low    *geminiapi.ThinkingConfig `json:"low"`
	Medium *geminiapi.ThinkingConfig `json:"medium"`
	High   *geminiapi.ThinkingConfig `json:"high"`
}

// servedModels returns the names that the Gemini API answers today.
func servedModels() []string {
	var out []string
	for _, model := range models.All(models.GeminiAPI, clock.Now()) {
		if model.IsServed() {
			out = append(out, model.Asked)
		}
	}
	return out
}

// noticeTime is how long before its retirement date a model is reported.
const noticeTime = 30 * 24 * time.Hour

func describeModels(names []string) []modelDescription {
	var out []modelDescription
	for _, name := range names {
		model := models.At(name, models.GeminiAPI, clock.Now())
		traits, limits := model.Traits, model.Limits
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
		row.Notes = model.Warnings("", noticeTime)
		if note := unknownModel(name, &model); note != "" {
			row.Notes = append(row.Notes, note)
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

// refusedByGeminiAPI lists what the Gemini API is known to refuse for a model, but Vertex AI does
// not.
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
		{"functions with tools of the server, unless their calls are shown",
			traits.RequiresShownServerCalls},
	} {
		if row.at == models.GeminiAPI {
			out = append(out, row.name)
		}
	}
	return out
}

// writeModels writes a table. It marks the default level.
func writeModels(out io.Writer, rows []modelDescription) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODEL\tTHINKING LEVELS (* BY DEFAULT)\tTHINKING BUDGET\tSIGNATURES\tJSON SCHEMA\tMEDIA IN RESULTS\tTOKENS IN\tTOKENS OUT")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Name, row.levels(),
			row.ThinkingBudget,
			yesOrNo(row.RequiresSignatures, "required"), yesOrNo(row.JSONSchema, "yes"),
			yesOrNo(row.FunctionResponseParts, "yes"),
			numberOrNone(row.MaxInputTokens), numberOrNone(row.MaxOutputTokens))
	}
	return table.Flush()
}

// writeNotes writes which models of the Gemini API are answered by another model, are deprecated or
// retire soon.
func writeNotes(out io.Writer, rows []modelDescription) error {
	for _, row := range rows {
		for _, note := range row.Notes {
			if _, err := fmt.Fprintf(out, "gemwire: %s\n", message.Escape(note)); err != nil {
				return err
			}
		}
	}
	return nil
}

// numberOrNone returns a number, or "-" for 0.
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
