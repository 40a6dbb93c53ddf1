package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
)

// conversions are the pairs of formats that convert takes. A pair is added here and nowhere else:
// help, completion and messages read this table.
var conversions = []conversion{
	{geminiResponse, geminiResponse, whole(geminiResponseToItself)},
	{geminiResponse, normalized, whole(geminiResponseToNormalized)},
	{geminiResponse, openaiResponse, whole(geminiResponseToOpenAI)},
	{geminiStream, geminiStream, geminiStreamToItself},
	{geminiStream, geminiResponse, merged(encodeMerged)},
	{geminiStream, normalized, merged(responseToNormalized)},
	{geminiStream, normalizedStream, geminiStreamToNormalizedStream},
	{geminiStream, openaiResponse, merged(responseToOpenAI)},
	{geminiStream, openaiStream, geminiStreamToOpenAI},
	{geminiStream, aisdkStream, geminiStreamToAISDK},
	{geminiRequest, geminiRequest, whole(geminiRequestToItself)},
	{openaiResponse, openaiResponse, whole(openaiResponseToItself)},
	{openaiStream, openaiStream, openaiStreamToItself},
	{openaiRequest, openaiRequest, whole(openaiRequestToItself)},
	{openaiRequest, geminiRequest, whole(openaiRequestToGemini)},
	{normalized, normalized, whole(normalizedToItself)},
	{normalized, openaiResponse, whole(normalizedToOpenAI)},
	{normalizedStream, normalizedStream, normalizedStreamToItself},
	{normalizedStream, normalized, normalizedStreamToNormalized},
	{agentNDJSON, aisdkStream, agentToAISDK},
	{aisdkStream, aisdkStream, aisdkToItself},
}

// conversion is one pair of formats with the function that converts.
type conversion struct {
	from, to format
	run      converter
}

// converter reads one input of one format and writes it in another, with a newline at the end.
//
// A converter of streams writes before the input ends, and leaves what it wrote when it fails; one of
// whole documents writes all or nothing. The report is returned beside an error too, as far as it
// got. Losses are an error when settings say so.
type converter func(in io.Reader, out io.Writer, s settings) (transform.Report, error)

// settings are the user's choices about a conversion. A converter takes those that mean something
// for its output.
type settings struct {
	// model is the model's name in the output, "" for the one of the input.
	model string
	// id is the completion's id, "" for one made of the input's.
	id string
	// created is the completion's time, nil for the one of the input.
	created *time.Time
	// withoutExtensions leaves out the members that only gemwire and Google know.
	withoutExtensions bool
	// vertex makes a request for Vertex AI.
	vertex bool
	// includeUsage ends a stream of chunks with the usage.
	includeUsage bool
	// strict makes a loss an error.
	strict bool
}

// findConversion returns the pair's row, or an error that lists the pairs that there are.
func findConversion(from, to format) (conversion, error) {
	for _, c := range conversions {
		if c.from == from && c.to == to {
			return c, nil
		}
	}
	return conversion{}, fmt.Errorf("there is no conversion from %s to %s; there are:\n%s",
		from, to, strings.TrimSuffix(listConversions(), "\n"))
}

// listConversions lists the pairs, one per line.
func listConversions() string {
	var b strings.Builder
	for _, c := range conversions {
		fmt.Fprintf(&b, "  %-17s  ->  %s\n", c.from, c.to)
	}
	return b.String()
}
