package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/chats"
	"github.com/gemwire/gemwire/server/cli/message"
)

// chatCommandHelp lists the commands of a conversation. A test compares it with chatCommands.
const chatCommandHelp = `  /file FILE    send a file or an image with the next turn
  /model M      continue with another model
  /clear        forget the conversation
  /save FILE    write the conversation into a file
  /usage        print the tokens used so far
  /help         list the commands
  /exit         leave`

// errLeave ends a conversation.
var errLeave = errors.New("leave")

// chatCommand runs a command. Its argument is the text after its name.
type chatCommand struct {
	name        string
	hasArgument bool
	run         func(v *conversation, ctx context.Context, argument string) error
}

var chatCommands = []chatCommand{
	{"/file", true, (*conversation).attach},
	{"/model", true, (*conversation).changeModel},
	{"/clear", false, func(v *conversation, ctx context.Context,
		_ string) error {
		return v.begin(ctx, chats.History{})
	}},
	{"/save", true, func(v *conversation, ctx context.Context, path string) error {
		return writeHistory(ctx, path, v.chat.History())
	}},
	{"/usage", false, (*conversation).printUsage},
	{"/help", false, func(v *conversation, _ context.Context, _ string) error {
		_, err := fmt.Fprintln(v.call.stderr, chatCommandHelp)
		return err
	}},
	{"/exit", false, func(*conversation, context.Context, string) error { return errLeave }},
}

// command handles a line that begins with a slash.
func (v *conversation) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	var names []string
	for _, known := range chatCommands {
		names = append(names, known.name)
		if known.name != name {
			continue
		}
		if known.hasArgument != (argument != "") {
			return fmt.Errorf("wrong arguments for %s; see /help", name)
		}
		return known.run(v, ctx, argument)
	}
	return fmt.Errorf("unknown command %s%s; /help lists the commands", name,
		message.DidYouMean(name, names))
}

func (v *conversation) attach(ctx context.Context, path string) error {
	parts, err := (&attachments{call: v.call}).files(ctx, []string{path})
	v.pending = append(v.pending, parts...)
	return err
}

func (v *conversation) changeModel(ctx context.Context, model string) error {
	before := v.model
	v.model, v.call.model = model, model
	err := v.begin(ctx, v.chat.History())
	if err != nil {
		v.model, v.call.model = before, before
	}
	return err
}

func (v *conversation) printUsage(context.Context, string) error {
	usage := v.chat.History().Usage
	if usage == nil {
		v.call.note("nothing yet")
		return nil
	}
	v.call.note(fmt.Sprintf("%s in, %d out, %d thinking",
		message.Count(jsonx.Deref(usage.PromptTokenCount), "token"),
		jsonx.Deref(usage.CandidatesTokenCount), jsonx.Deref(usage.ThoughtsTokenCount)))
	return nil
}
