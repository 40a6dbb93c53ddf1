package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/message"
)

// conversions are the pairs of formats that convert takes. A pair is added here and nowhere else:
// help, completion and messages read this table.
var conversions = []conversion{
	{geminiResponse, geminiResponse, canonical(answers(geminiResponse, forgive), gemini.EncodeResponse)},
	{geminiResponse, normalized, whole(decodeGeminiResponse, toNormalized, normalize.Encode)},
	{geminiResponse, openaiResponse, whole(decodeGeminiResponse, toCompletion, openai.EncodeResponse)},
	{geminiResponse, responsesResponse, whole(decodeGeminiResponse, toResponse, responses.EncodeResponse)},
	{geminiResponse, messagesResponse, whole(decodeGeminiResponse, toMessage, anthropic.EncodeResponse)},
	{geminiStream, geminiStream, canonicalGeminiStream},
	{geminiStream, geminiResponse, merged(unchanged, gemini.EncodeResponse)},
	{geminiStream, normalized, merged(toNormalized, normalize.Encode)},
	{geminiStream, normalizedStream, streamed(newEventConverter, newLineWriter(encodeEvent))},
	{geminiStream, openaiResponse, merged(toCompletion, openai.EncodeResponse)},
	{geminiStream, openaiStream, streamed(newCompletionConverter, newCompletionWriter)},
	{geminiStream, responsesResponse, merged(toResponse, responses.EncodeResponse)},
	{geminiStream, responsesStream, streamed(newResponseConverter, newResponseWriter)},
	{geminiStream, messagesResponse, merged(toMessage, anthropic.EncodeResponse)},
	{geminiStream, messagesStream, streamed(newMessageConverter, newMessageWriter)},
	{geminiStream, aisdkStream, streamed(newPartConverter, newPartWriter)},
	{geminiRequest, geminiRequest, canonical(exactly(gemini.DecodeRequest), gemini.EncodeRequest)},
	{geminiRequest, openaiRequest, whole(exactly(gemini.DecodeRequest), fromGeminiRequest, openai.EncodeRequest)},
	{openaiResponse, openaiResponse, canonical(answers(openaiResponse, exactly(openai.DecodeResponse)), openai.EncodeResponse)},
	{openaiResponse, geminiResponse, whole(answers(openaiResponse, openai.DecodeForeignResponse), fromCompletion, gemini.EncodeResponse)},
	{openaiStream, openaiStream, canonicalCompletionStream},
	{openaiStream, geminiStream, completionStreamToGemini},
	{openaiRequest, openaiRequest, canonical(exactly(openai.DecodeRequest), openai.EncodeRequest)},
	{openaiRequest, geminiRequest, whole(exactly(openai.DecodeRequest), toGeminiRequest, gemini.EncodeRequest)},
	{responsesRequest, responsesRequest, canonical(exactly(responses.DecodeRequest), responses.EncodeRequest)},
	{responsesRequest, geminiRequest, whole(exactly(responses.DecodeRequest), responsesToGeminiRequest, gemini.EncodeRequest)},
	{responsesResponse, responsesResponse, canonical(answers(responsesResponse, exactly(responses.DecodeResponse)), responses.EncodeResponse)},
	{responsesStream, responsesStream, canonicalEvents(readResponseEvents, writeResponseEvents)},
	{messagesRequest, messagesRequest, canonical(exactly(anthropic.DecodeRequest), anthropic.EncodeRequest)},
	{messagesRequest, geminiRequest, whole(exactly(anthropic.DecodeRequest), messagesToGeminiRequest, gemini.EncodeRequest)},
	{messagesResponse, messagesResponse, canonical(answers(messagesResponse, exactly(anthropic.DecodeResponse)), anthropic.EncodeResponse)},
	{messagesStream, messagesStream, canonicalEvents(readMessageEvents, writeMessageEvents)},
	{normalized, normalized, canonical(exactly(normalize.Decode), normalize.Encode)},
	{normalized, openaiResponse, whole(exactly(normalize.Decode), normalizedToCompletion, openai.EncodeResponse)},
	{normalized, responsesResponse, whole(exactly(normalize.Decode), normalizedToResponse, responses.EncodeResponse)},
	{normalized, messagesResponse, whole(exactly(normalize.Decode), normalizedToMessage, anthropic.EncodeResponse)},
	{normalizedStream, normalizedStream, canonicalLines(normalize.ReadEvents, normalize.EncodeEvent)},
	{normalizedStream, normalized, accumulated},
	{agentNDJSON, aisdkStream, agentToParts},
	{aisdkStream, aisdkStream, canonicalLines(aisdk.ReadStream, encodePart)},
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
type converter func(in io.Reader, out io.Writer, s settings) (report.Report, error)

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
	// pretty breaks a document into lines.
	pretty bool
	// lossesOnly says that of the report only the losses are asked for: that of a stream has an entry for nearly
	// every chunk.
	lossesOnly bool
}

// refuseLosses returns err or, in strict mode, the losses of a conversion that did not fail otherwise.
func (s settings) refuseLosses(entries report.Report, err error) error {
	if _, lost := errors.AsType[*report.LossError](err); s.strict && (err == nil || lost) {
		return entries.Strict()
	}
	return err
}

// findConversion returns the pair's row, or an error that says what there is in its place.
func findConversion(from, to format) (conversion, error) {
	for _, c := range conversions {
		if c.from == from && c.to == to {
			return c, nil
		}
	}
	made := "nothing is converted to " + string(to)
	if of := sources(to); len(of) > 0 {
		made = string(to) + " is made of " + message.List(of, "or")
	}
	if from == "" {
		return conversion{}, errors.New(made)
	}
	return conversion{}, fmt.Errorf("there is no conversion from %s to %s: %s is converted to %s, and %s",
		from, to, from, message.List(targets(from), "and"), made)
}

// sources returns the formats that are converted to one.
func sources(to format) []format {
	var out []format
	for _, c := range conversions {
		if c.to == to {
			out = append(out, c.from)
		}
	}
	return out
}

// targets returns the formats that one is converted to.
func targets(from format) []format {
	var out []format
	for _, c := range conversions {
		if c.from == from {
			out = append(out, c.to)
		}
	}
	return out
}

// listConversions lists the pairs, one per line.
func listConversions() string {
	var b strings.Builder
	for _, c := range conversions {
		fmt.Fprintf(&b, "  %-18s  ->  %s\n", c.from, c.to)
	}
	return b.String()
}
