package interaction

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// timeLayout is the layout of times in interactions.
const timeLayout = time.RFC3339

// keeper stores an interaction with its own input.
type keeper struct {
	ctx context.Context
	*history.History
	// clean removes the secrets of the request from data that is stored.
	clean    func([]byte) []byte
	input    []interactionsapi.Step
	previous *string
}

// put stores an interaction, and the events of its stream.
func (k *keeper) put(in *interactionsapi.Interaction, events [][]byte, isRunning bool) error {
	stored := *in
	stored.Input = interactions.InputOf(k.input...)
	body, err := interactions.EncodeResponse(&stored)
	if err != nil {
		return err
	}
	write := responsestore.Write{Document: &responsestore.Document{ID: jsonx.Deref(in.ID),
		Previous: jsonx.Deref(k.previous), IsRunning: isRunning, JSON: k.clean(body)}}
	for _, event := range events {
		write.Entries = append(write.Entries,
			responsestore.Entry{List: responsestore.Events, JSON: k.clean(event)})
	}
	return k.Store.Put(k.ctx, k.Owner, write)
}
