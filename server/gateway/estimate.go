package gateway

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/ratecard"
)

// estimate is what is known about the tokens of a call before it is made.
type estimate struct {
	model       string
	bytesIn     int64
	maxOutput   int // that the request permits, or 0
	candidates  int // answers, or 0 for one
	streams     bool
	hasNoOutput bool
	most        int // output tokens, once they are known
	tier        *geminiapi.ServiceTier
}

// estimateOf returns the estimate for a request.
func estimateOf(model string, streams bool, request *geminiapi.GenerateContentRequest) estimate {
	e := estimate{model: model, streams: streams, tier: request.ServiceTier}
	if config := request.GenerationConfig; config != nil {
		e.maxOutput = jsonx.Deref(config.MaxOutputTokens)
		e.candidates = jsonx.Deref(config.CandidateCount)
	}
	return e
}

// input returns the estimated input tokens.
func (e *estimate) input() int { return int(e.bytesIn/bytesPerToken) + 1 }

// usualOutput is the maximum output of a model whose limit is unknown.
const usualOutput = 65_536

// mostCandidates is more than any model makes, and keeps a client's number from an overflow.
const mostCandidates = 128

// output returns the maximum output tokens.
func (e *estimate) output(c *call) int {
	if e.hasNoOutput {
		return 0
	}
	limit := cmp.Or(c.modelAt(e.model).Limits.OutputOf(e.streams), usualOutput)
	if e.maxOutput > 0 {
		limit = min(limit, e.maxOutput)
	}
	return limit * min(max(e.candidates, 1), mostCandidates)
}

// errOtherCurrency reports that a price is not in the currency of the budget.
var errOtherCurrency = errors.New("its price is in another currency")

// estimatedCost returns the cost of a call with the estimated input and a number of output tokens.
func (c *call) estimatedCost(e estimate, output int, currency string) (money.Nano, error) {
	if c.upstream.Service == Embedded {
		return 0, nil // it is part of the gateway
	}
	usage := normalize.Usage{InputTokens: e.input(), OutputTokens: output}
	usage.TotalTokens = usage.InputTokens + usage.OutputTokens
	by := &answeredBy{tried: e.model}
	if c.pool != nil {
		by.location = c.pool.First().Location
	}
	var amount float64
	var found string
	find := func(call ratecard.Call) (err error) {
		amount, found, err = c.card.Amount(call)
		return err
	}
	err := c.priceBy(by, e.tier, usage, c.start, find)
	if err != nil && output > 0 { // the price depends on the kind of answer
		image := geminiapi.ModalityImage
		usage.Wire = &geminiapi.UsageMetadata{CandidatesTokensDetails: []geminiapi.ModalityTokenCount{
			{Modality: &image, TokenCount: &output}}}
		err = c.priceBy(by, e.tier, usage, c.start, find)
	}
	switch {
	case err != nil:
		return 0, err
	case found != currency:
		return 0, errOtherCurrency
	}
	return money.Of(amount), nil
}

// withoutPackage returns the text of an error about a model.
func withoutPackage(model string, err error) string {
	if _, ok := errors.AsType[*ratecard.UnpricedError](err); ok {
		return errortext.WithoutPackage(err.Error())
	}
	return strconv.Quote(model) + ": " + err.Error()
}

// errUncounted is the reason why a method has no cost.
var errUncounted = errors.New("the answer of the method does not say what it costs")

// reserveNative reserves what a method of a model may cost.
func (c *call) reserveNative(op native.Operation, model string,
	body jsontext.Value) *problem.Problem {
	e := estimate{model: model, streams: op.Verb == native.VerbStream}
	switch op.Verb {
	case "countTokens", "computeTokens":
		return nil
	case verbEmbed, verbEmbedAll:
		e.hasNoOutput = true
	case native.VerbGenerate, native.VerbStream:
		config := jsonx.Member(body, "generationConfig")
		e.maxOutput = numberIn(config, "maxOutputTokens", "max_output_tokens")
		e.candidates = numberIn(config, "candidateCount", "candidate_count")
		if tier := jsonx.Member(body, "serviceTier"); tier != nil {
			if text, err := jsontext.AppendUnquote(nil, tier); err == nil {
				e.tier = new(geminiapi.ServiceTier(text))
			}
		}
	default:
		if p := c.refuseUncounted(model + ":" + op.Verb); p != nil {
			return p
		}
	}
	return c.reserve(e)
}

// numberIn returns a number of an object by one of its names, or 0.
func numberIn(object jsontext.Value, names ...string) int {
	for _, name := range names {
		if n, err := strconv.Atoi(string(jsonx.Member(object, name))); err == nil {
			return n
		}
	}
	return 0
}

// refuseUncounted refuses a method whose answer does not say what it costs, if a budget applies.
func (c *call) refuseUncounted(name string) *problem.Problem {
	limits := c.budgetLimits()
	if len(limits) == 0 || c.permitsUnpriced || c.upstream.Service == Embedded {
		return nil
	}
	return unpriced(name, limits[0], errUncounted)
}

// reserveResource refuses a request for a resource of Google's API if a budget applies, unless the
// request is known to be free. A list of what costs money would miss what Google adds.
func (c *call) reserveResource(op native.Operation) *problem.Problem {
	switch c.request.Method {
	case http.MethodGet, http.MethodHead, http.MethodDelete:
		return nil
	}
	kind, name := op.Resource()
	if isFree(kind, name) {
		return nil
	}
	return c.refuseUncounted(kind)
}

// isFree reports whether a change of a resource costs nothing: a file, a new and empty store of
// files, and the end of a job.
func isFree(kind, name string) bool {
	kind, _, _ = strings.Cut(kind, ":")
	switch kind {
	case "files", "generatedFiles":
		return true
	case "fileSearchStores":
		return name == ""
	case "batches", "operations", "interactions", "batchPredictionJobs", "tuningJobs":
		return strings.HasSuffix(name, ":cancel") || strings.HasSuffix(name, "/cancel")
	default:
		return false
	}
}
