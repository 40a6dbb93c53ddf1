package gemini

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// Interactions is the service for Google's Interactions API, which serves models and agents, on the
// Gemini API and on Vertex AI. Package pkg/interactions reads its answers.
//
//	interaction, err := client.Interactions.Create(ctx, &interactionsapi.CreateInteractionRequest{
//		Model: new("gemini-3.6-flash"),
//		Input: interactions.InputOf(interactions.UserText("Why is the sky blue?")),
//	})
//	...
//	fmt.Println(interactions.Text(interaction))
//
// Google stores nothing unless the request or [WithStorage] asks for it, although the API stores by
// default. Errors, retries, keys and observers work as in the other methods of a [Client]. The code
// of an error of this API is its [Error.Reason].
type Interactions struct {
	client *Client
}

// collectionInteractions are the interactions of a project.
var collectionInteractions = collection{folder: "interactions", onVertexAI: true}

// versionInteractionsVertexAI is the only version in which Vertex AI has interactions.
const versionInteractionsVertexAI = "v1beta1"

// ErrNotStored is wrapped by the error of a request that needs a stored interaction and does not
// store: with previous_interaction_id, because the next turn of the conversation would be lost, or
// with background, because there would be nothing to read. Use [WithStorage] or the member Store of
// the request.
var ErrNotStored = errors.New("the interaction is not stored; set store, or use WithStorage(StorageOn)")

// Create creates an interaction and returns it as a whole. The model is the member Model of the
// request, or the model of [WithModel], unless the request names an agent. An interaction with
// Background is returned before it has ended; see [Interactions.Wait].
//
// The server may send a long answer in several replies, which the client joins: see
// [WithContinuation] and [interactions.Join].
func (i Interactions) Create(ctx context.Context, req *interactionsapi.CreateInteractionRequest,
	opts ...CallOption) (*interactionsapi.Interaction, error) {
	s, err := i.settings(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	own, err := s.interactionRequest(req, false)
	if err != nil {
		return nil, err
	}
	var replies []*interactionsapi.Interaction
	for sent := jsonx.Deref(own.ContinuationToken); ; {
		reply, err := s.createInteraction(ctx, own)
		if err != nil && len(replies) > 0 {
			err = &InteractionContinuationError{Partial: interactions.Join(replies...),
				Replies: len(replies), Err: err}
		}
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
		token := continuationOf(reply)
		if token == "" || token == sent || len(replies) > s.rounds {
			return interactions.Join(replies...), nil
		}
		sent = token
		own = continuedInteraction(own, jsonx.Deref(reply.ID), token)
	}
}

// InteractionContinuationError reports that the server sent the beginning of an interaction and
// failed to send the rest.
type InteractionContinuationError struct {
	// Partial is the interaction before the failure. Its token can be sent to request the rest.
	Partial *interactionsapi.Interaction
	// Replies is the number of replies in Partial.
	Replies int
	// Err is why the next reply failed.
	Err error
}

// Error returns a line such as "gemini: reply 2 of the interaction: 503 UNAVAILABLE: overloaded".
func (e *InteractionContinuationError) Error() string {
	return fmt.Sprintf("gemini: reply %d of the interaction: %v", e.Replies+1, e.Err)
}

// Unwrap returns Err.
func (e *InteractionContinuationError) Unwrap() error { return e.Err }

// InputIncluded makes [Interactions.Get] return the input of the interaction too.
func InputIncluded() CallOption {
	return callOption(func(s *settings) { s.includesInput = true })
}

// Get returns a stored interaction in its present state.
func (i Interactions) Get(ctx context.Context, id string, opts ...CallOption) (
	*interactionsapi.Interaction, error) {
	s, err := i.settings(opts)
	if err != nil {
		return nil, err
	}
	return s.getInteraction(ctx, id)
}

// Cancel cancels an interaction that runs in the background, and returns it.
func (i Interactions) Cancel(ctx context.Context, id string, opts ...CallOption) (
	*interactionsapi.Interaction, error) {
	s, err := i.settings(opts)
	if err != nil {
		return nil, err
	}
	op, err := s.interaction("cancelInteraction", http.MethodPost, id)
	if err != nil {
		return nil, err
	}
	op.resource += "/cancel"
	return s.callInteraction(ctx, op)
}

// Delete deletes a stored interaction. A running interaction continues.
func (i Interactions) Delete(ctx context.Context, id string, opts ...CallOption) error {
	s, err := i.settings(opts)
	if err != nil {
		return err
	}
	op, err := s.interaction("deleteInteraction", http.MethodDelete, id)
	if err != nil {
		return err
	}
	_, err = callJSON(ctx, s, op, decodeEmpty)
	return err
}

// The first and the longest interval between two polls of a background interaction. Deep research
// takes minutes.
const (
	firstInteractionPoll = time.Second
	lastInteractionPoll  = 30 * time.Second
)

// Wait waits until a background interaction has ended, and returns it: its status is neither
// in_progress nor queued. It polls after one second, and doubles the interval each time, up to 30
// seconds. The context or the timeout of [WithTimeout] limits the wait. Wait does not cancel the
// interaction when the limit is reached. It returns a failed interaction without an error: check
// its status.
func (i Interactions) Wait(ctx context.Context, id string, opts ...CallOption) (
	*interactionsapi.Interaction, error) {
	s, err := i.settings(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	for wait := firstInteractionPoll; ; wait = min(2*wait, lastInteractionPoll) {
		interaction, err := s.getInteraction(ctx, id)
		if err != nil {
			return nil, err
		}
		if !interactions.IsRunning(interaction.Status) {
			return interaction, nil
		}
		if err := s.retry.Sleep(ctx, wait); err != nil {
			return nil, newCallError(CallError{Operation: operationGetInteraction},
				transport.Ended(ctx))
		}
	}
}

const operationGetInteraction = "getInteraction"

// settings returns the settings of a call.
func (i Interactions) settings(opts []CallOption) (*settings, error) {
	s, err := i.client.with(opts)
	if err != nil || !s.endpoint.IsVertexAI() || s.endpoint.Version != nil {
		return s, err
	}
	own := *s
	own.endpoint.Version = new(versionInteractionsVertexAI)
	return &own, nil
}

// interaction returns an operation on a stored interaction.
func (s *settings) interaction(name, method, id string) (*operation, error) {
	if id == "" {
		return nil, fmt.Errorf("gemini: %s: the id is empty", name)
	}
	return collectionInteractions.one(s, name, method, id)
}

func (s *settings) getInteraction(ctx context.Context, id string) (*interactionsapi.Interaction,
	error) {
	op, err := s.interaction(operationGetInteraction, http.MethodGet, id)
	if err != nil {
		return nil, err
	}
	if s.includesInput {
		op.query = append(op.query, pair{"include_input", "true"})
	}
	return s.callInteraction(ctx, op)
}

// callInteraction makes a call whose answer is an interaction.
func (s *settings) callInteraction(ctx context.Context, op *operation) (
	*interactionsapi.Interaction, error) {
	return callJSON(ctx, s, op, func(body []byte) (*interactionsapi.Interaction, error) {
		out, err := interactions.DecodeResponse(body)
		if err == nil {
			op.answer = observedInteraction(out)
		}
		return out, err
	})
}

func (s *settings) createInteraction(ctx context.Context,
	req *interactionsapi.CreateInteractionRequest) (*interactionsapi.Interaction, error) {
	op, err := s.creation(req, "createInteraction")
	if err != nil {
		return nil, err
	}
	return s.callInteraction(ctx, op)
}

// creation returns the operation for a request, with its body.
func (s *settings) creation(req *interactionsapi.CreateInteractionRequest, name string) (*operation,
	error) {
	op, err := collectionInteractions.all(s, name, http.MethodPost)
	if err != nil {
		return nil, err
	}
	op.model = jsonx.Deref(req.Model)
	if req.Agent != nil {
		op.model = string(*req.Agent)
	}
	op.body, err = interactions.EncodeRequest(req)
	return op, err
}

// interactionRequest returns a request with the defaults of the client.
func (s *settings) interactionRequest(req *interactionsapi.CreateInteractionRequest,
	streams bool) (*interactionsapi.CreateInteractionRequest, error) {
	own := jsonx.Deref(req)
	if own.Model == nil && own.Agent == nil {
		if s.model == "" {
			return nil, ErrModelRequired
		}
		own.Model = &s.model
	}
	own.Stream = nil
	if streams {
		own.Stream = new(true)
	}
	if own.Store == nil && s.storage != StorageByProject {
		own.Store = new(s.storage == StorageOn)
	}
	stores := own.Store == nil || *own.Store
	switch {
	case stores:
	case own.PreviousInteractionID != nil && (req.Store == nil):
		return nil, fmt.Errorf("gemini: /previous_interaction_id: %w", ErrNotStored)
	case jsonx.Deref(own.Background):
		return nil, fmt.Errorf("gemini: /background: %w", ErrNotStored)
	}
	return &own, nil
}

// continuationOf returns the token that continues an interaction, or "" if it has ended.
func continuationOf(r *interactionsapi.Interaction) string {
	if r.Status != interactionsapi.InteractionStatusRequiresContinuation {
		return ""
	}
	return jsonx.Deref(r.ContinuationToken)
}

// continuedInteraction returns the request for the rest of an interaction. A stored one continues
// by its id, and any other by its input.
func continuedInteraction(req *interactionsapi.CreateInteractionRequest, id,
	token string) *interactionsapi.CreateInteractionRequest {
	own := *req
	own.ContinuationToken = &token
	if id != "" && (own.Store == nil || *own.Store) {
		own.Input, own.PreviousInteractionID = interactions.Input{}, &id
	}
	return &own
}

// observedInteraction returns what observers see of an interaction.
func observedInteraction(r *interactionsapi.Interaction) *geminiapi.GenerateContentResponse {
	out := &geminiapi.GenerateContentResponse{ResponseID: r.ID, ModelVersion: r.Model}
	if u := r.Usage; u != nil {
		out.UsageMetadata = &geminiapi.UsageMetadata{
			PromptTokenCount: u.TotalInputTokens, CandidatesTokenCount: u.TotalOutputTokens,
			ThoughtsTokenCount: u.TotalThoughtTokens, TotalTokenCount: u.TotalTokens,
			CachedContentTokenCount: u.TotalCachedTokens,
			ToolUsePromptTokenCount: u.TotalToolUseTokens,
		}
	}
	return out
}
