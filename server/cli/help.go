package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// rootHelp is the start of `gemwire --help`. The commands follow, and then [tables.rootReference].
const rootHelp = `gemwire calls Gemini, lets programs for OpenAI or Anthropic use it, runs jobs of many
requests, and converts and checks payloads. Without a key the built-in fake server answers.

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
	return `Convert payloads. Each FILE holds one payload, whole or as a stream. Without a FILE, or for
a FILE called -, the command reads standard input. A byte order mark is accepted. The format
of most payloads is detected from their content; otherwise --from names it.

The output goes to standard output, one JSON document per line, in the order of the
files, or with --pretty on many lines. With --out it goes to one file per input in DIR,
which is created if it is missing. The file has the name of the input. The extension of the
format (.json, .sse or .ndjson) replaces .json, .jsonl, .ndjson, .sse or .txt, or else is
added to the name. A file appears when it is complete, never in part, and an input is never
overwritten. If an input fails, nothing is written for it, the other inputs are still
converted, and the exit code is 1.

A stream is written while it is read: the output for a chunk is written before the next
chunk is read. So standard output can hold the beginning of a stream that fails, and then
the error in that format: an openai-stream has no [DONE], a responses-stream ends with
response.failed, and a messages-stream with an event error.

A gemini-stream may be server-sent events, a JSON array, or JSON objects one after the
other; its first bytes decide. It is complete when a chunk says why the model stopped, or
why the prompt was refused. Converting one to a response merges its chunks.

The events of an agent-ndjson become one stream. It ends with the first request that the
client has to answer, snapshot_request or execute_request: with the tool call and a finish
for tool-calls. Later events belong to the stream after the answer. They are not converted,
and are reported as lost.

Converting a format to itself decodes it, in all the spellings that the API accepts,
and writes its canonical form: a gemini-stream as server-sent events, with an error in
it as an event like the others.

If anything is lost, a line on standard error says how much, unless --quiet is set. With
--strict a loss is a failure.

--report writes a JSON array of what the conversion did: objects with the members
"pointer" (the location in the input, a JSON pointer), "kind" (added, approximated or
lost) and "detail" (in words). With several inputs they also have "file". An empty report
is []. Locations in a stream begin with the index of the chunk or line:
/3/candidates. A text of several chunks has the location of its first piece, and an entry for
each piece if it is lost. Locations without an index belong to added values that are in no
chunk. Locations in a normalised input are those of the Gemini response that it was made from.
The report is also written if --strict refuses the conversion or an input fails.
--report - writes to standard output, which is possible only with --out. /dev/stderr writes
to standard error.

A prompt that the safety filters refused is not a failure. It becomes a chat completion with
a refusal, a response that failed with invalid_prompt, a message that ends with refusal, or
a normalised response without candidates.

--model sets the model in the output. A gemini-request and an openai-request are converted
for that model. --id is for answers of OpenAI, Anthropic and Gemini, --created and
--no-extensions for answers of OpenAI, --include-usage for an openai-stream, and --vertex for
a gemini-request. Other outputs ignore these flags.

Conversions:
` + strings.TrimSuffix(t.listConversions(), "\n")
}

// validateHelp is the text of `gemwire validate --help`.
func (t *tables) validateHelp() string {
	var b strings.Builder
	b.WriteString(`Check payloads and print what is wrong with them on standard output, as
"file: /json/pointer: message", one line each. The pointer is omitted if the message is
about the whole payload. The message begins with "offset N" if the byte is known. Without a
FILE the command reads standard input, which is called -.

A message that begins with "warning" is about something that the API description does not
know: a new member or enum value, or a misspelt one. --strict makes warnings errors.

With --format json it is one list of objects with the members "file", "pointer",
"severity" (error or warning), "rule", "offset", "line", "column" (omitted if they are not
known) and "message", or [] if there are no findings. With --format github each line is an
annotation that a GitHub workflow shows at the line of the file.

The exit code is 1 if there was an error, and 0 if there are only warnings.

Formats:
`)
	for _, c := range t.checks {
		fmt.Fprintf(&b, "  %-18s %s\n", c.format, c.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
