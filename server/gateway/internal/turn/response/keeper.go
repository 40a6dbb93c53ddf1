package response

import (
	"context"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Keeper stores a response when it is complete.
type Keeper struct {
	ctx context.Context
	*history.History
	// failed is called with the reason why a response is not stored.
	failed func(error)
	// clean removes the secrets of the request from data that is stored.
	clean        func([]byte) []byte
	conversation string
	input        []openaiapi.ResponseItem
	// isWhole reports that input has the items before the request too.
	isWhole bool
}

// errTwoHistories refuses a request that continues both a response and a conversation.
var errTwoHistories = errors.New("previous_response_id and conversation exclude each other")

// continueHistory puts the items that the request continues before its input, replaces references
// by their items, and arranges that the response is stored. With neither a store nor a lane it does
// nothing, and the conversion of the request reports what is not supported.
func (x *Turn) continueHistory(ctx context.Context) error {
	kept, lane := x.way.History, x.way.Lane
	if kept == nil && lane == nil {
		return x.openOwn()
	}
	previous, conversation := jsonx.Deref(x.in.PreviousResponseID), conversationOf(x.in)
	if conversation == "" && !x.in.Conversation.IsZero() {
		return problem.Invalid("", "/conversation",
			"/conversation: must be the id of a conversation, or an object with it")
	}
	if previous != "" && conversation != "" {
		return problem.Invalid("mutually_exclusive_parameters", "/previous_response_id",
			errTwoHistories.Error())
	}
	own := ownItems(x.in.Input)
	if kept != nil {
		var err error
		if own, err = kept.Resolve(ctx, own); err != nil {
			return err
		}
	}
	before, err := x.earlier(ctx, previous, conversation)
	if err != nil {
		return err
	}
	all := append(before, own...)
	opened, err := x.open(all, len(before))
	if err != nil {
		return err
	}
	if previous != "" {
		if err := checkCalls(opened, own); err != nil {
			return err
		}
	}
	x.in.Input = wiretype.ValueOf(opened)
	if lane != nil {
		x.items = all
	}
	return x.arrange(ctx, conversation, own)
}

// openOwn opens the compaction items of a request that continues nothing.
func (x *Turn) openOwn() error {
	own, isList := x.in.Input.AsValue()
	if !isList && len(x.in.ContextManagement) == 0 && !x.way.Compacts {
		return nil
	}
	if !isList {
		own = ownItems(x.in.Input)
	}
	opened, err := x.open(own, 0)
	if err == nil && x.shortening.items != nil {
		x.in.Input = wiretype.ValueOf(opened)
	}
	return err
}

// earlier returns the items that a request continues, and reserves memory for them.
func (x *Turn) earlier(ctx context.Context, previous,
	conversation string) (items []openaiapi.ResponseItem, err error) {
	kept, size := x.way.History, int64(0)
	switch {
	case previous != "":
		x.beforeAt = "/previous_response_id/input"
		items, size, err = x.way.Lane.find(previous)
		x.continuesLane = items != nil
		switch {
		case err != nil || x.continuesLane:
			x.Stores = true // the conversion must not ask for a store
		case kept == nil:
			return nil, &history.MissingError{Kind: history.KindResponse, ID: previous, Index: -1}
		default:
			items, err = kept.Before(ctx, previous)
		}
		if errors.Is(err, history.ErrUnfinished) && !x.way.IsUnderWay(previous) {
			return nil, problem.Invalid("", "/previous_response_id",
				"/previous_response_id: the gateway stopped before the response was complete")
		}
	case conversation != "" && kept != nil:
		x.beforeAt = "/conversation/items"
		items, err = kept.Conversation(ctx, conversation)
	}
	if err != nil {
		return nil, err
	}
	if kept != nil {
		size += kept.Read()
	}
	return items, x.way.Hold(size)
}

// arrange arranges that the response is stored, unless the request disables that.
func (x *Turn) arrange(ctx context.Context, conversation string,
	own []openaiapi.ResponseItem) error {
	kept := x.way.History
	if kept != nil && (x.in.Store == nil || *x.in.Store) {
		x.keeper = &Keeper{
			ctx: context.WithoutCancel(ctx), History: kept, failed: x.way.NotKept,
			clean:        x.way.Clean,
			conversation: conversation, input: history.Identify(own),
		}
		if x.continuesLane { // what it continues is not in the store
			x.keeper.isWhole = true
			x.keeper.input = history.Identify(x.items)
		}
	}
	x.inBackground = kept != nil && jsonx.Deref(x.in.Background)
	if x.inBackground && x.keeper == nil {
		return problem.Invalid("", "/background",
			"/background: a background response must be stored; omit store, or set it to true")
	}
	return nil
}

// InBackground reports whether the response is made in the background.
func (x *Turn) InBackground() bool { return x.inBackground }

// Detach makes the answer a stream whose events are stored for clients that connect later.
func (x *Turn) Detach() { x.IsStream = true }

// conversationOf returns the id of the request's conversation, or "" for none.
func conversationOf(in *openaiapi.CreateResponseRequest) string {
	if id, isID := in.Conversation.AsString(); isID {
		return id
	}
	named, _ := in.Conversation.AsValue()
	return named.ID
}

// keep stores a complete response, and reports whether it is stored. Every response says whether it
// is stored, so a failure changes the response.
func (k *Keeper) keep(response *openaiapi.Response) bool {
	if k == nil {
		return false
	}
	if err := k.Put(response, nil); err != nil {
		k.failed(err)
		response.Store = new(false)
		return false
	}
	return true
}

// Put stores a response with its lists, and adds its items to the conversation. Events are the
// events of its stream.
func (k *Keeper) Put(response *openaiapi.Response, events [][]byte) error {
	body, err := responses.EncodeResponse(response)
	if err != nil {
		return err
	}
	output, err := history.Entries(responsestore.Output, response.Output)
	if err != nil {
		return err
	}
	write := responsestore.Write{
		Document: &responsestore.Document{ID: response.ID,
			Previous: jsonx.Deref(response.PreviousResponseID), JSON: body},
		Entries: output,
	}
	if k.isWhole || standsForAll(response.Output) {
		write.Document.Previous = ""
	}
	for _, event := range events {
		write.Entries = append(write.Entries,
			responsestore.Entry{List: responsestore.Events, JSON: event})
	}
	writes := []responsestore.Write{write}
	if events == nil { // in the background the input was kept at the beginning
		input, err := history.Entries(responsestore.Input, k.input)
		if err != nil {
			return err
		}
		writes[0].Entries = append(writes[0].Entries, input...)
	}
	isStopped := response.Status == openaiapi.ResponseStatusFailed ||
		response.Status == openaiapi.ResponseStatusCancelled
	if k.conversation != "" && !isStopped { // which is asked again
		items, err := history.Entries(responsestore.Items, slices.Concat(k.input, response.Output))
		if err != nil {
			return err
		}
		writes = append(writes, responsestore.Write{ID: k.conversation, Entries: items})
	}
	return k.put(writes...)
}

// standsForAll reports whether an output has a compaction item, which stands for everything before
// it.
func standsForAll(output []openaiapi.ResponseItem) bool {
	return slices.ContainsFunc(output, func(item openaiapi.ResponseItem) bool {
		return item.Type == openaiapi.ResponseItemTypeCompaction
	})
}

// Begin stores a response that is about to be made, with its input.
func (k *Keeper) Begin(queued *openaiapi.Response) error {
	body, err := responses.EncodeResponse(queued)
	if err != nil {
		return err
	}
	input, err := history.Entries(responsestore.Input, k.input)
	if err != nil {
		return err
	}
	document := &responsestore.Document{ID: queued.ID,
		Previous: jsonx.Deref(queued.PreviousResponseID), IsRunning: true, JSON: body}
	return k.put(responsestore.Write{Document: document, Entries: input})
}

// put writes to the store without the secrets of the request, which a server may have quoted.
func (k *Keeper) put(writes ...responsestore.Write) error {
	for i := range writes {
		if document := writes[i].Document; document != nil {
			document.JSON = k.clean(document.JSON)
		}
		for j := range writes[i].Entries {
			entry := &writes[i].Entries[j]
			entry.JSON = k.clean(entry.JSON)
		}
	}
	return k.Store.Put(k.ctx, k.Owner, writes...)
}

// Forget deletes a response that was begun but will not be made.
func (k *Keeper) Forget(id string) error { return k.Store.Delete(k.ctx, k.Owner, id) }
