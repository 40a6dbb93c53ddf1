package remote

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/chats"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

const chatHelp = `Talk with a model: each line is a turn, and its answer is printed while it arrives. A line
that ends in \ continues in the next one. On a terminal lines can be edited, and arrow keys
bring back earlier ones. Ctrl-C cancels an answer or empties the line, and Ctrl-D leaves.
From a pipe each line is a turn too, and the command ends at the first turn that fails.

With --history the conversation continues the one in FILE, if the file exists, and is written
back to it after each turn. The file holds JSON with the turns in its member "contents". A
request for generateContent is such a file too.

Lines that begin with / are commands:

` + chatCommandHelp + `

` + connectionHelp

const chatExamples = `  gemwire chat
  gemwire chat --system "Answer in rhymes." --history rhymes.json`

// conversation is a call of chat.
type conversation struct {
	connection
	question
	historyPath string

	call *call
	chat *chats.Chat
	// pending are the file parts for the next turn.
	pending []geminiapi.Part
}

func newChat() *cobra.Command {
	var v conversation
	v.server = &v.connection
	cmd := &cobra.Command{
		Use:                   "chat [flags]",
		Short:                 "Talk with a model",
		Long:                  chatHelp,
		Example:               chatExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := v.check(); err != nil {
				return err
			}
			v.call = newCall(cmd)
			v.call.model = v.model
			return v.call.connected(cmd.Context(), &v.connection, v.run)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	v.question.addModelFlag(cmd, models.Default)
	v.question.addManner(cmd)
	flags.StringVar(&v.historyPath, "history", "",
		"continue the conversation in this `FILE`, and save it there")
	v.connection.addFlags(flags)
	return cmd
}

// run reads lines and answers them until the end of standard input.
func (v *conversation) run(ctx context.Context) error {
	history, err := readHistory(ctx, v.historyPath)
	if err != nil {
		return err
	}
	if err := v.begin(ctx, history); err != nil {
		return err
	}
	lines := newLineReader(v.call)
	if lines.isTerminal {
		v.call.note("talking with " + v.model + "; /help lists commands, Ctrl-D leaves")
	}
	for {
		line, err := lines.read()
		if err == io.EOF || errors.Is(err, errLeave) {
			return nil
		}
		if err != nil {
			return &fileError{"-", err}
		}
		err = v.answer(ctx, line)
		if errors.Is(err, errLeave) {
			return nil
		}
		if err = v.call.fail(ctx, err); err != nil && (ctx.Err() != nil || !lines.isTerminal) {
			return err
		}
	}
}

// begin starts a conversation, or continues one with another model.
func (v *conversation) begin(ctx context.Context, history chats.History) error {
	request, err := v.frame(ctx)
	if err != nil {
		return err
	}
	v.chat = chats.New(v.call.client, request, chats.WithHistory(history))
	return nil
}

// answer handles a line: a command, or a turn of the conversation.
func (v *conversation) answer(ctx context.Context, line string) error {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return nil
	case strings.HasPrefix(line, "/"):
		return v.command(ctx, line)
	}
	if err := v.send(ctx, line); err != nil {
		return err
	}
	v.pending = nil
	return writeHistory(ctx, v.historyPath, v.chat.History())
}

// send sends a turn and shows the answer. An interrupt cancels only the answer. The turn then does
// not count.
func (v *conversation) send(ctx context.Context, line string) error {
	answering, cancel := context.WithCancel(ctx)
	defer cancel()
	defer process.CatchInterrupts(ctx, cancel)()
	turn := gemini.UserParts(append(v.pending[:len(v.pending):len(v.pending)],
		gemini.TextPart(line))...)
	_, err := newAnswerWriter(ctx, v.call, "").write(v.chat.Stream(answering, turn))
	if answering.Err() != nil && ctx.Err() == nil {
		v.call.note("cancelled; the turn does not count")
		return nil
	}
	if nothing, ok := errors.AsType[*chats.NoContentError](err); ok {
		_, err = normalize.FromResponse(nothing.Response)
		return errors.Join(err, errNothingSaid)
	}
	return err
}

var errNothingSaid = errors.New("the answer is empty; the turn does not count")

// readHistory reads a conversation. A missing file is an empty conversation.
func readHistory(ctx context.Context, path string) (chats.History, error) {
	var history chats.History
	if path == "" {
		return history, nil
	}
	data, err := readFile(ctx, path)
	if errors.Is(err, os.ErrNotExist) {
		return history, nil
	}
	if err != nil {
		return history, err
	}
	if err := json.Unmarshal(data, &history); err != nil {
		err = codec.NewMalformedError(codec.Payload{Wire: "chat", Name: "history"}, data, err)
		return history, &fileError{path, err}
	}
	return history, nil
}

// writeHistory writes a conversation to a file and replaces its previous content.
func writeHistory(ctx context.Context, path string, history chats.History) error {
	if path == "" {
		return nil
	}
	data, err := json.Marshal(history)
	if err != nil {
		return err
	}
	if err := writeFile(ctx, path, append(data, '\n')); err != nil {
		return &fileError{path, process.WithoutPath(err)}
	}
	return nil
}
