package main

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
)

// sequence holds the events of a stream to their order.
type sequence[E any] interface {
	Push(event *E) []validation.Violation
	Close() []validation.Violation
}

func checkMessageEvents(body []byte, isWhole bool) []error {
	return checkNamedEvents(body, isWhole, "StreamEvent", descriptiontest.CheckAnthropic,
		&anthropic.Sequence{}, anthropic.DecodeEvent)
}

func checkResponseEvents(body []byte, isWhole bool) []error {
	return checkNamedEvents(body, isWhole, "ResponseEvent", descriptiontest.CheckOpenAI,
		&responses.Sequence{}, responses.DecodeEvent)
}

// doneEvent ends a stream of interactions. It is no JSON.
const doneEvent = "event: done\ndata: [DONE]\n\n"

func checkInteractionEvents(body []byte, isWhole bool) []error {
	body, isDone := bytes.CutSuffix(body, []byte(doneEvent))
	faults := checkNamedEvents(body, isWhole, "StreamEvent", descriptiontest.CheckInteractions,
		&interactions.Sequence{}, interactions.DecodeEvent)
	if isWhole && !isDone {
		faults = append(faults, errors.New("the stream does not end with [DONE]"))
	}
	return faults
}

// checkNamedEvents holds each event of a stream to the description, its name to its type, and all
// to their order.
func checkNamedEvents[E any](body []byte, isWhole bool, schema string,
	check func(string, []byte) error, order sequence[E], decode func([]byte) (*E, error)) []error {
	var faults []error
	note := func(err error) { faults = append(faults, err) }
	for block, isLast := range blocksOf(body) {
		if isLast {
			if isWhole {
				note(fmt.Errorf("the stream ends within an event: %q", block))
			}
			break
		}
		event, err := descriptiontest.NamedEvent(block)
		if err != nil {
			note(err)
			continue
		}
		if err := check(schema, []byte(event.Data)); err != nil {
			note(fmt.Errorf("%s: %w", event.Name, err))
		}
		decoded, err := decode([]byte(event.Data))
		if err != nil {
			note(err)
			continue
		}
		if wrong := order.Push(decoded); len(wrong) > 0 {
			note(fmt.Errorf("%w: %s: %v", errOrder, event.Name, wrong))
		}
	}
	if wrong := order.Close(); isWhole && len(wrong) > 0 {
		note(fmt.Errorf("%w: %v", errOrder, wrong))
	}
	return faults
}

// blocksOf iterates over the events of a stream as they are written, without comments. Text after
// the last blank line is the last event, and marked.
func blocksOf(body []byte) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for len(body) > 0 {
			block, rest, isEnded := bytes.Cut(body, []byte("\n\n"))
			isComment := bytes.HasPrefix(block, []byte(":")) && !bytes.Contains(block, []byte("\n"))
			if !(isComment && isEnded) && !yield(string(block), !isEnded) {
				return
			}
			body = rest
		}
	}
}

// The events of these APIs.
var (
	_ sequence[anthropicapi.StreamEvent]    = (*anthropic.Sequence)(nil)
	_ sequence[openaiapi.ResponseEvent]     = (*responses.Sequence)(nil)
	_ sequence[interactionsapi.StreamEvent] = (*interactions.Sequence)(nil)
)
