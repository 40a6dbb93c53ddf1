package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
)

// format is the name of a payload format, as in --from, --to and --as.
type format string

// The formats.
const (
	geminiRequest  format = "gemini-request"
	geminiResponse format = "gemini-response"
	geminiStream   format = "gemini-stream"

	normalized       format = "normalized"
	normalizedStream format = "normalized-stream"
	aisdkStream      format = "aisdk-stream"
	agentNDJSON      format = "agent-ndjson"
)

// addFormats adds the formats, in the order in which help shows them.
func (t *tables) addFormats() {
	t.formats = []formatRow{
		{geminiRequest, "body of a generateContent request, Gemini API or Vertex AI", ".json"},
		{geminiResponse, "body of a generateContent answer, or of an error", ".json"},
		{geminiStream, "body of a streamGenerateContent answer: events, array or lines", ".sse"},
	}
	for _, f := range t.forms {
		for _, d := range f.Documents() {
			extension := ".json"
			if d.Copy != nil {
				extension = ".sse"
			}
			t.formats = append(t.formats, formatRow{format(d.Name), d.About, extension})
		}
	}
	t.formats = append(t.formats, []formatRow{
		{normalized, "gemwire's own model of a response, provider-neutral", ".json"},
		{normalizedStream, "the same for a stream, one event per line", ".ndjson"},
		{aisdkStream, "AI SDK LanguageModelV3 stream parts, one per line", ".ndjson"},
		{agentNDJSON, "events of an agent, one per line", ".ndjson"},
	}...)
}

type formatRow struct {
	name  format
	about string
	// extension is the file extension. It is ".json" for one document. The other formats are
	// written piece by piece.
	extension string
}

// parseFormat returns the format that a flag names.
func (t *tables) parseFormat(flag, value string) (format, error) {
	var names []string
	for _, f := range t.formats {
		if string(f.name) == value {
			return f.name, nil
		}
		names = append(names, string(f.name))
	}
	all := strings.Join(names, ", ")
	if value == "" {
		return "", fmt.Errorf("--%s is missing; the formats are %s", flag, all)
	}
	return "", fmt.Errorf("--%s: unknown format %q; the formats are %s%s", flag, value, all,
		message.DidYouMean(value, names))
}

// extension returns the file extension of a format.
func (t *tables) extension(f format) string {
	i := slices.IndexFunc(t.formats, func(row formatRow) bool { return row.name == f })
	return t.formats[i].extension
}

// newFormats returns the command that lists the formats.
func (t *tables) newFormats() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats and their conversions",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			asJSON, err := listing.ParseOutput(output)
			if err != nil {
				return err
			}
			if asJSON {
				return printed(cmd, listing.WriteJSON(cmd.OutOrStdout(), t.describeFormats()))
			}
			return printed(cmd, t.writeFormats(cmd.OutOrStdout()))
		},
	}
	listing.AddOutputFlag(cmd, &output)
	return cmd
}

// formatDescription is a format as `gemwire formats --output json` shows it.
type formatDescription struct {
	Name        format   `json:"name"`
	About       string   `json:"about"`
	Extension   string   `json:"extension"`
	ConvertedTo []format `json:"converted_to"`
	IsValidated bool     `json:"is_validated"`
}

func (t *tables) describeFormats() []formatDescription {
	var out []formatDescription
	for _, f := range t.formats {
		isValidated := slices.ContainsFunc(t.checks,
			func(c check) bool { return c.format == f.name })
		out = append(out,
			formatDescription{f.name, f.about, f.extension, t.targets(f.name), isValidated})
	}
	return out
}

func (t *tables) writeFormats(out io.Writer) error {
	var b strings.Builder
	for _, f := range t.describeFormats() {
		fmt.Fprintf(&b, "%-18s  %s (%s)\n", f.Name, f.About, f.Extension)
		if len(f.ConvertedTo) > 0 {
			fmt.Fprintf(&b, "%-18s  -> %s\n", "", message.List(f.ConvertedTo, "and"))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// completeFormats adds shell completion of formats to a flag of cmd.
func completeFormats(cmd *cobra.Command, flag string, choices []format) {
	var names []string
	for _, choice := range choices {
		if !slices.Contains(names, string(choice)) {
			names = append(names, string(choice))
		}
	}
	// The only possible error is a flag that does not exist. The test of the help texts would find
	// that.
	_ = cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
