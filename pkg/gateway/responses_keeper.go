package gateway

import (
	"context"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gateway/internal/history"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/responsestore"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// WithResponseStore keeps the responses of the Responses API that clients ask to be kept, by default all, and conversations:
// it serves previous_response_id, retrieving, deleting, responses in the background. The caller closes the store, behind the
// gateway. By default nothing is kept, and requests for what needs it are refused.
func WithResponseStore(store responsestore.Store) Option {
	return func(s *settings) { s.responseStore = store }
}

// history returns what is kept for the client: by its key, where the gateway asks for keys.
func (c *call) history() *history.History {
	credential := ""
	if c.keys != nil || c.callersKey {
		credential = c.callerKey()
	}
	return &history.History{Store: c.responseStore, Owner: responsestore.OwnerOf(credential), Limit: c.maxBodySize}
}

// keeper keeps a response when it is complete.
type keeper struct {
	ctx context.Context
	*history.History
	// failed is told why a response is not kept.
	failed       func(error)
	conversation string
	input        []openaiapi.ResponseItem
}

// errTwoHistories refuses to continue two things at once.
var errTwoHistories = errors.New("previous_response_id and conversation exclude each other")

// continueHistory puts what the request continues in front of its input, items in the place of references to them, and
// has the response kept. Without a store the conversion of the request says what is not served.
func (t *responseTurn) continueHistory(c *call) *problem.Problem {
	if c.responseStore == nil {
		return nil
	}
	kept, ctx := c.history(), c.request.Context()
	previous, conversation := optional.Value(t.in.PreviousResponseID), conversationOf(t.in)
	if conversation == "" && !t.in.Conversation.IsZero() {
		return problem.Invalid("", "/conversation", "/conversation: must be the id of a conversation, or an object with it")
	}
	if previous != "" && conversation != "" {
		return problem.Invalid("mutually_exclusive_parameters", "/previous_response_id", errTwoHistories.Error())
	}
	own, err := kept.Resolve(ctx, ownItems(t.in.Input))
	if err != nil {
		return c.missing(err)
	}
	var before []openaiapi.ResponseItem
	switch {
	case previous != "":
		t.beforeAt = "/previous_response_id/input"
		before, err = kept.Before(ctx, previous)
		if errors.Is(err, history.ErrUnfinished) && c.runs.Find(kept.Owner, previous) == nil {
			return problem.Invalid("", "/previous_response_id", "/previous_response_id: the gateway ended before the response was complete")
		}
	case conversation != "":
		t.beforeAt = "/conversation/items"
		before, err = kept.Conversation(ctx, conversation)
	}
	if err != nil {
		return c.missing(err)
	}
	if err := c.room.Hold(ctx, kept.Read()); err != nil {
		return overloaded("the bodies of other requests take all memory that there is for them (--max-bytes-in-flight)")
	}
	t.before = len(before)
	t.in.Input = wiretype.ValueOf(append(before, own...))
	if t.in.Store == nil || *t.in.Store {
		t.keeper = &keeper{
			ctx: context.WithoutCancel(ctx), History: kept, failed: c.storeFailed, conversation: conversation, input: history.Identify(own),
		}
	}
	t.inBackground = optional.Value(t.in.Background)
	if t.inBackground && t.keeper == nil {
		return problem.Invalid("", "/background", "/background: what is made in the background is kept; leave store out, or set it to true")
	}
	return nil
}

// conversationOf returns the id of the conversation that a request belongs to, "" for none.
func conversationOf(in *openaiapi.CreateResponseRequest) string {
	if id, isID := in.Conversation.AsString(); isID {
		return id
	}
	named, _ := in.Conversation.AsValue()
	return named.ID
}

// keep keeps a response that is complete. One that cannot be kept says so, as every response says whether it is.
func (k *keeper) keep(response *openaiapi.Response) {
	if k == nil {
		return
	}
	if err := k.put(response, nil); err != nil {
		k.failed(err)
		response.Store = new(false)
	}
}

// put writes a response with its lists, and adds to the conversation. Events are those of its stream.
func (k *keeper) put(response *openaiapi.Response, events [][]byte) error {
	body, err := responses.EncodeResponse(response)
	if err != nil {
		return err
	}
	output, err := history.Entries(responsestore.Output, response.Output)
	if err != nil {
		return err
	}
	write := responsestore.Write{
		Document: &responsestore.Document{ID: response.ID, Previous: optional.Value(response.PreviousResponseID), JSON: body},
		Entries:  output,
	}
	for _, event := range events {
		write.Entries = append(write.Entries, responsestore.Entry{List: responsestore.Events, JSON: event})
	}
	writes := []responsestore.Write{write}
	if events == nil { // in the background the input was kept at the beginning
		input, err := history.Entries(responsestore.Input, k.input)
		if err != nil {
			return err
		}
		writes[0].Entries = append(writes[0].Entries, input...)
	}
	if k.conversation != "" && response.Status != openaiapi.ResponseStatusFailed { // which is asked again
		items, err := history.Entries(responsestore.Items, slices.Concat(k.input, response.Output))
		if err != nil {
			return err
		}
		writes = append(writes, responsestore.Write{ID: k.conversation, Entries: items})
	}
	return k.Store.Put(k.ctx, k.Owner, writes...)
}
