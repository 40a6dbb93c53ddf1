package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// format is the name of a form of payload, as --from, --to and --as take it.
type format string

// The formats.
const (
	geminiRequest    format = "gemini-request"
	geminiResponse   format = "gemini-response"
	geminiStream     format = "gemini-stream"
	openaiRequest    format = "openai-request"
	openaiResponse   format = "openai-response"
	openaiStream     format = "openai-stream"
	normalized       format = "normalized"
	normalizedStream format = "normalized-stream"
	aisdkStream      format = "aisdk-stream"
	agentNDJSON      format = "agent-ndjson"
)

// formats lists the formats, in the order in which help shows them.
var formats = []struct {
	name  format
	about string
}{
	{geminiRequest, "body of a generateContent request, Gemini API or Vertex AI"},
	{geminiResponse, "body of a generateContent answer, or of an error"},
	{geminiStream, "body of a streamGenerateContent answer: events, array or lines"},
	{openaiRequest, "body of a chat_completions request"},
	{openaiResponse, "a chat completion"},
	{openaiStream, "chat completion chunks as server-sent events"},
	{normalized, "gemwire's own model of a response, provider-neutral"},
	{normalizedStream, "the same for a stream, one event per line"},
	{aisdkStream, "AI SDK LanguageModelV3 stream parts, one per line"},
	{agentNDJSON, "events of an agent, one per line"},
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
	return "", fmt.Errorf("--%s: unknown format %q; the formats are %s", flag, value, all)
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
