package gateway

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/codexcatalog"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// appendModels appends a list of models in OpenAI's form, with codex's catalogue if the client asks
// for it.
func (c *call) appendModels(dst []byte, names []string) ([]byte, error) {
	list := &openaiapi.ListModelsResponse{Object: openaiapi.ObjectTypeList,
		Data: []openaiapi.Model{}}
	for _, name := range names {
		list.Data = append(list.Data, describeModel(name))
	}
	if !c.request.URL.Query().Has(codexcatalog.Query) {
		return openai.AppendModels(dst, list)
	}
	encoded, err := openai.AppendModels(nil, list)
	if err != nil {
		return dst, err
	}
	var entries []codexcatalog.Entry
	for i, name := range names {
		asked, p := c.route(name)
		if p != nil {
			continue
		}
		model := c.modelAt(asked[0])
		if c.listed[asked[0]].EmbedsOnly && !model.IsKnown() {
			continue
		}
		limits := c.listed[asked[0]].Limits.Or(model.Limits)
		if entry, ok := codexcatalog.Describe(name, model, limits, i+1); ok {
			entries = append(entries, entry)
		}
	}
	return codexcatalog.Append(dst, encoded, entries)
}

// tabledNames returns the models that the table knows at the upstream's service, except the given
// names. It returns none if the upstream's models are not Google's.
func (c *call) tabledNames(except []string) []string {
	if c.upstream.Service == OpenAI {
		return nil
	}
	service, now := c.modelService(), c.modelTime()
	return slices.DeleteFunc(modelname.Offered(service, now), func(name string) bool {
		calls := c.modelAt(name).Calls
		return slices.Contains(except, name) || calls&(models.CallGenerate|models.CallEmbed) == 0
	})
}

// listedModels returns the models that the upstream lists. Callers with their own keys see the
// models of those keys.
func (c *call) listedModels(within time.Duration) ([]modellist.Listed, error) {
	ctx, cancel := context.WithTimeout(c.request.Context(), within)
	defer cancel()
	own, p := c.ownAccount()
	if p != nil {
		return nil, p
	}
	if own != nil {
		listed, err := c.askForModels(ctx, &upstream.Call{Only: own, Attempts: c.maxAttempts(),
			OnAttempt: c.onAttempt(), RequestID: c.id})
		if err != nil && ctx.Err() != nil {
			err = errors.Join(modellist.ErrLate, err)
		}
		return listed, err
	}
	var seen attempts
	s, ask := c.setup, upstream.Call{Attempts: c.maxAttempts(), OnAttempt: seen.add,
		RequestID: c.id}
	listed, err := c.modelList.Models(ctx, c.now,
		func(ctx context.Context) ([]modellist.Listed, error) { return s.askForModels(ctx, &ask) })
	if onAttempt := c.onAttempt(); onAttempt != nil {
		for _, attempt := range seen.take() {
			onAttempt(attempt)
		}
	}
	return listed, err
}

// attempts are the attempts of a call that may outlive the request that started it. Attempts after
// take are dropped.
type attempts struct {
	mu      sync.Mutex
	list    []exchange.Attempt
	isTaken bool
}

func (a *attempts) add(attempt exchange.Attempt) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.isTaken {
		a.list = append(a.list, attempt)
	}
}

func (a *attempts) take() []exchange.Attempt {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.isTaken = true
	return a.list
}

// allModels is the largest page size of the Gemini API. One page of that size holds all its models.
const allModels = 1000

// askForModels asks the upstream for its models. The caller sets the account and the limits of the
// call.
func (s *setup) askForModels(ctx context.Context, call *upstream.Call) ([]modellist.Listed, error) {
	var listed []modellist.Listed
	ctx = inbound.Answer(ctx)
	call.Models, call.Method = []string{""}, "models"
	call.Try = func(try *upstream.Try) error {
		listed = nil
		for model, err := range try.Account.Client.Models.List(ctx,
			gemini.WithPageSize(allModels)) {
			if err != nil {
				return err
			}
			name := strings.TrimPrefix(jsonx.Deref(model.Name), "models/")
			if name == "" || !isModelName(name) { // which no client can ask for
				continue
			}
			if modellist.IsServed(model) || s.isBridged(name) {
				listed = append(listed, modellist.Listed{
					Name: name, EmbedsOnly: modellist.EmbedsOnly(model),
					Limits: models.Limits{Input: max(jsonx.Deref(model.InputTokenLimit), 0),
						Output: max(jsonx.Deref(model.OutputTokenLimit), 0)},
				})
			}
		}
		return nil
	}
	err := s.pool.Run(ctx, call)
	return listed, err
}
