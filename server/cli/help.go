package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// rootHelp is the start of `gemwire --help`. The commands follow, and then [tables.rootReference].
const rootHelp = `gemwire asks Gemini, serves Gemini to programs for OpenAI or Anthropic, runs jobs of many
requests, and converts and checks payloads. Without a key, a fake server that is built in
answers.

  gemwire generate "Why is the sky blue?"    ask a model
  gemwire serve --inspect                    run the gateway
  gemwire emulate                            run the fake server for your tests
  gemwire batch run requests.jsonl --out answers.jsonl`

// addRootHelp lists the formats and conversions after the commands of root.
func (t *tables) addRootHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, words []string) {
		help(cmd, words)
		if !cmd.HasParent() {
			fmt.Fprint(cmd.OutOrStdout(), "\n"+t.rootReference())
		}
	})
}

// rootReference is the rest of `gemwire --help`. Its lists come from the tables that the code uses.
func (t *tables) rootReference() string {
	var b strings.Builder
	b.WriteString("Formats of convert and validate:\n")
	for _, f := range t.formats {
		fmt.Fprintf(&b, "  %-18s %s\n", f.name, f.about)
	}
	b.WriteString("\nConversions:\n")
	b.WriteString(t.listConversions())
	b.WriteString(`
Try it on the payloads of the repository:
`)
	b.WriteString(convertExamples + "\n" + validateExample)
	b.WriteString(`

Exit codes:
  0  success
  1  a call, an input, a conversion or a file failed; standard error says why. The
     line for an input is "gemwire: FILE: /json/pointer: offset N: message". A failed
     input has no output, except the beginning of a stream on standard output.
  2  wrong usage
  128 + N  signal N ended the command: 130 is Ctrl-C
`)
	return b.String()
}

// convertExamples and validateExample are commands to copy. They run in the root of the repository,
// and a test runs them.
const (
	convertExamples = `  gemwire convert --from gemini-response --to openai-response examples/payloads/response-text.json
  gemwire convert --from gemini-response --to normalized examples/payloads/response-grounded.json
  gemwire convert --from gemini-stream --to openai-stream examples/payloads/stream-text.sse
  gemwire convert --from gemini-response --to messages-response examples/payloads/response-text.json
  gemwire convert --from gemini-request --to openai-request --model gpt-5.1 examples/payloads/request-tools.json`
	validateExample = `  gemwire validate --as gemini-response --strict examples/payloads/response-*.json`
)

// convertHelp is the text of `gemwire convert --help`.
func (t *tables) convertHelp() string {
	return `Convert payloads. Each FILE holds one payload, whole or as a stream; without a FILE, or
for a FILE called -, standard input is read. A byte order mark is accepted. The content of
most payloads tells their format; for one that does not, --from names it.

The output goes to standard output, one JSON document per line, in the order of the
files, or with --pretty on many lines. With --out it goes to one file per input in DIR,
which is created when it is missing: of the same name, with the extension of the format
(.json, .sse or .ndjson) in place of .json, .jsonl, .ndjson, .sse or .txt, or else behind
the name. A file appears when it is complete, never in part, and an input is never
overwritten. When an input fails, nothing is written for it, the others are converted all
the same, and the exit code is 1.

A stream is written as it is read: what a chunk says is there before the next chunk is
asked for. Standard output can therefore hold the beginning of a stream that fails, and
the error after it, in the terms of that format: an openai-stream then has no [DONE], a
responses-stream ends in response.failed, and a messages-stream in an event error.

A gemini-stream may be server-sent events, a JSON array, or JSON objects one after the
other; its first bytes tell. It is complete when a chunk says why the model stopped, or
why the prompt was refused. Converting one to a response merges its chunks.

The events of an agent-ndjson become one stream. It ends with the first request that the
client has to answer, snapshot_request or execute_request: with the tool call and a finish
for tool-calls. Events behind it belong to the stream after the answer; they are not
converted, and reported as lost.

Converting a format to itself decodes it, in all the spellings that the API accepts,
and writes its canonical form: a gemini-stream as server-sent events, with an error in
it as an event like the others.

When something is lost, a line on standard error says how much, unless --quiet. With
--strict a loss is a failure.

--report writes a JSON array of what the conversion did: objects with the members
"pointer" (the place in the input, a JSON pointer), "kind" (added, approximated or
lost) and "detail" (in words); with several inputs also "file". [] says that nothing
happened. Places in a stream begin with the number of the chunk or line, from 0: /3/candidates.
A text of several chunks has the place of its first piece, and an entry for each when it is
lost. Places without a number are those of added values that stand in no chunk; and places
in a normalised input are those of the Gemini response that it was made from. The report is
written also when --strict refuses or an input fails.
--report - writes to standard output, which is free only with --out; /dev/stderr writes to
standard error.

A prompt that the safety filters refused is no failure: it becomes a chat completion with
a refusal, a response that failed with invalid_prompt, a message that ends in refusal, or
a normalised response without candidates.

--model names the model in the output; a gemini-request and an openai-request are made for
it, in the way that it takes. --id is for answers of OpenAI's, Anthropic's and Gemini's,
--created and --no-extensions for OpenAI's, --include-usage for an openai-stream, --vertex
for a gemini-request; other outputs have no place for them and ignore them.

Conversions:
` + strings.TrimSuffix(t.listConversions(), "\n")
}

// validateHelp is the text of `gemwire validate --help`.
func (t *tables) validateHelp() string {
	var b strings.Builder
	b.WriteString(`Check payloads and print what is wrong with them on standard output, as
"file: /json/pointer: message", one line each. The pointer is left out when the
payload as a whole is meant; the message begins with "offset N" where the byte is known.
Without a FILE standard input is read, and called -.

A message that begins with "warning" is about something that no description knows: a new
member or enum value, or a misspelt one. --strict makes warnings errors.

With --format json it is one list of objects with the members "file", "pointer",
"severity" (error or warning), "rule", "offset", "line", "column" (left out where they are
not known) and "message", [] when all is right. With --format github each line is an
annotation that a GitHub workflow shows at the line of the file.

The exit code is 1 when an error was found, 0 when there are warnings alone.

Formats:
`)
	for _, c := range t.checks {
		fmt.Fprintf(&b, "  %-18s %s\n", c.format, c.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
