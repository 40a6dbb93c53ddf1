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

// format is the name of a form of payload, as --from, --to and --as take it.
type format string

// The formats.
const (
	geminiRequest  format = "gemini-request"
	geminiResponse format = "gemini-response"
	geminiStream   format = "gemini-stream"
	openaiRequest  format = "openai-request"
	openaiResponse format = "openai-response"
	openaiStream   format = "openai-stream"

	responsesRequest  format = "responses-request"
	responsesResponse format = "responses-response"
	responsesStream   format = "responses-stream"
	messagesRequest   format = "messages-request"
	messagesResponse  format = "messages-response"
	messagesStream    format = "messages-stream"

	normalized       format = "normalized"
	normalizedStream format = "normalized-stream"
	aisdkStream      format = "aisdk-stream"
	agentNDJSON      format = "agent-ndjson"
)

// formats lists the formats, in the order in which help shows them.
var formats = []formatRow{
	{geminiRequest, "body of a generateContent request, Gemini API or Vertex AI", ".json"},
	{geminiResponse, "body of a generateContent answer, or of an error", ".json"},
	{geminiStream, "body of a streamGenerateContent answer: events, array or lines", ".sse"},
	{openaiRequest, "body of a chat_completions request", ".json"},
	{openaiResponse, "a chat completion", ".json"},
	{openaiStream, "chat completion chunks as server-sent events", ".sse"},
	{responsesRequest, "body of a request to OpenAI's Responses API", ".json"},
	{responsesResponse, "a response of that API", ".json"},
	{responsesStream, "events of a streamed response", ".sse"},
	{messagesRequest, "body of a request to Anthropic's Messages API, also to count tokens", ".json"},
	{messagesResponse, "a message of that API", ".json"},
	{messagesStream, "events of a streamed message", ".sse"},
	{normalized, "gemwire's own model of a response, provider-neutral", ".json"},
	{normalizedStream, "the same for a stream, one event per line", ".ndjson"},
	{aisdkStream, "AI SDK LanguageModelV3 stream parts, one per line", ".ndjson"},
	{agentNDJSON, "events of an agent, one per line", ".ndjson"},
}

type formatRow struct {
	name  format
	about string
	// extension is that of files: ".json" is one document, the others are written piece by piece.
	extension string
}

// parseFormat returns the format that a flag names.
func parseFormat(flag, value string) (format, error) {
	var names []string
	for _, f := range formats {
		if string(f.name) == value {
			return f.name, nil
		}
		names = append(names, string(f.name))
	}
	all := strings.Join(names, ", ")
	if value == "" {
		return "", fmt.Errorf("--%s is missing; the formats are %s", flag, all)
	}
	return "", fmt.Errorf("--%s: unknown format %q; the formats are %s%s", flag, value, all, message.DidYouMean(value, names))
}

// extension returns that of files of a format.
func (f format) extension() string {
	i := slices.IndexFunc(formats, func(row formatRow) bool { return row.name == f })
	return formats[i].extension
}

// newFormats makes the command that lists the formats.
func newFormats() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats, and what each is converted to",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			asJSON, err := listing.ParseOutput(output)
			if err != nil {
				return err
			}
			if asJSON {
				return printed(cmd, listing.WriteJSON(cmd.OutOrStdout(), describeFormats()))
			}
			return printed(cmd, writeFormats(cmd.OutOrStdout()))
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

func describeFormats() []formatDescription {
	var out []formatDescription
	for _, f := range formats {
		isValidated := slices.ContainsFunc(checks, func(c check) bool { return c.format == f.name })
		out = append(out, formatDescription{f.name, f.about, f.extension, targets(f.name), isValidated})
	}
	return out
}

func writeFormats(out io.Writer) error {
	var b strings.Builder
	for _, f := range describeFormats() {
		fmt.Fprintf(&b, "%-18s  %s (%s)\n", f.Name, f.About, f.Extension)
		if len(f.ConvertedTo) > 0 {
			fmt.Fprintf(&b, "%-18s  -> %s\n", "", message.List(f.ConvertedTo, "and"))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// completeFormats lets shells complete a flag of cmd by formats, each of them once.
func completeFormats(cmd *cobra.Command, flag string, choices []format) {
	var names []string
	for _, choice := range choices {
		if !slices.Contains(names, string(choice)) {
			names = append(names, string(choice))
		}
	}
	// The only error is a flag that does not exist, and help's test would miss it.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
