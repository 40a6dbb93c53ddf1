package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/cli/message"
)

// tables are the command's tables of formats. Help, completion and messages read them.
type tables struct {
	forms       transform.Forms
	formats     []formatRow
	conversions []conversion
	checks      []check
	answerKinds []string
}

// newTables returns the tables with the formats of the forms.
func newTables(forms transform.Forms) *tables {
	t := &tables{forms: forms}
	for _, f := range forms {
		t.answerKinds = append(t.answerKinds, f.Response.Kinds...)
	}
	t.addFormats()
	t.addConversions()
	t.addChecks()
	return t
}

// addConversions adds the pairs of formats that convert supports.
func (t *tables) addConversions() {
	t.conversions = append(t.conversions,
		conversion{geminiResponse, geminiResponse,
			canonical(answers(t, "", forgive), gemini.EncodeResponse)},
		conversion{geminiResponse, normalized,
			whole(t.decodeGeminiResponse, toNormalized, normalize.Encode)})
	for _, f := range t.forms {
		t.conversions = append(t.conversions,
			conversion{geminiResponse, format(f.Response.Name),
				whole(t.decodeGeminiResponse, answerIn(f), encode)})
	}
	t.conversions = append(t.conversions,
		conversion{geminiStream, geminiStream, canonicalGeminiStream},
		conversion{geminiStream, geminiResponse, merged(unchanged, gemini.EncodeResponse)},
		conversion{geminiStream, normalized, merged(toNormalized, normalize.Encode)},
		conversion{geminiStream, normalizedStream,
			streamed(separate(newEventConverter, newLineWriter(encodeEvent)))})
	for _, f := range t.forms {
		t.conversions = append(t.conversions,
			conversion{geminiStream, format(f.Response.Name), merged(answerIn(f), encode)},
			conversion{geminiStream, format(f.Stream.Name), streamIn(f)})
	}
	t.conversions = append(t.conversions,
		conversion{geminiStream, aisdkStream, streamed(separate(newPartConverter, newPartWriter))},
		conversion{geminiRequest, geminiRequest,
			canonical(exactly(gemini.DecodeRequest), gemini.EncodeRequest)})
	for _, f := range t.forms {
		if run := requestBack(f); run != nil {
			t.conversions = append(t.conversions,
				conversion{geminiRequest, format(f.Request.Name), run})
		}
	}
	for _, f := range t.forms {
		t.addForm(f)
	}
	t.conversions = append(t.conversions,
		conversion{normalized, normalized, canonical(exactly(normalize.Decode), normalize.Encode)})
	for _, f := range t.forms {
		t.conversions = append(t.conversions,
			conversion{normalized, format(f.Response.Name),
				whole(exactly(normalize.Decode), normalizedIn(f), encode)})
	}
	t.conversions = append(t.conversions,
		conversion{normalizedStream, normalizedStream,
			canonicalLines(normalize.ReadEvents, normalize.EncodeEvent)},
		conversion{normalizedStream, normalized, accumulated},
		conversion{agentNDJSON, aisdkStream, agentToParts},
		conversion{aisdkStream, aisdkStream, canonicalLines(aisdk.ReadStream, encodePart)})
}

// conversion is one pair of formats with its converter.
type conversion struct {
	from, to format
	run      converter
}

// converter reads one input of one format and writes it in another, with a newline at the end.
//
// A converter of streams writes before the input ends, and its output stays if it fails. A
// converter of whole documents writes everything or nothing. With an error it still returns the
// report so far. Losses are an error if the settings say so.
type converter func(in io.Reader, out io.Writer, s settings) (report.Report, error)

// settings are the user's options for a conversion. A converter uses those that apply to its
// output.
type settings struct {
	// model is the model name in the output, or "" for the input's.
	model string
	// id is the completion's id. If it is "", the id is made from the input's id.
	id string
	// created is the completion's time, or nil for the input's.
	created *time.Time
	// withoutExtensions leaves out the members that only gemwire and Google know.
	withoutExtensions bool
	// vertex converts a request for Vertex AI.
	vertex bool
	// includeUsage adds the usage at the end of a stream of chunks.
	includeUsage bool
	// strict makes a loss an error.
	strict bool
	// pretty indents a document.
	pretty bool
	// lossesOnly selects only the losses of the report. The full report of a stream has an entry
	// for nearly every chunk.
	lossesOnly bool
}

// refuseLosses returns err. In strict mode it returns the losses of a conversion that did not fail
// otherwise.
func (s settings) refuseLosses(entries report.Report, err error) error {
	if _, lost := errors.AsType[*report.LossError](err); s.strict && (err == nil || lost) {
		return entries.Strict()
	}
	return err
}

// findConversion returns the pair's row, or an error that lists the available conversions.
func (t *tables) findConversion(from, to format) (conversion, error) {
	for _, c := range t.conversions {
		if c.from == from && c.to == to {
			return c, nil
		}
	}
	made := "no format can be converted to " + string(to)
	if of := t.sources(to); len(of) > 0 {
		made = string(to) + " can be made from " + message.List(of, "or")
	}
	if from == "" {
		return conversion{}, errors.New(made)
	}
	return conversion{},
		fmt.Errorf("no conversion from %s to %s; %s can be converted to %s, and %s",
			from, to, from, message.List(t.targets(from), "and"), made)
}

// sources returns the formats that can be converted to a format.
func (t *tables) sources(to format) []format {
	var out []format
	for _, c := range t.conversions {
		if c.to == to {
			out = append(out, c.from)
		}
	}
	return out
}

// targets returns the formats that a format can be converted to.
func (t *tables) targets(from format) []format {
	var out []format
	for _, c := range t.conversions {
		if c.from == from {
			out = append(out, c.to)
		}
	}
	return out
}

// listConversions lists the pairs, one per line.
func (t *tables) listConversions() string {
	var b strings.Builder
	for _, c := range t.conversions {
		fmt.Fprintf(&b, "  %-18s  ->  %s\n", c.from, c.to)
	}
	return b.String()
}
