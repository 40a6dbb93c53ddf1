package fakegemini

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/go-json-experiment/json/jsontext"
)

// cachedOrder is the order of the members of a cached content in recorded answers.
var cachedOrder = []string{"name", "model", "createTime", "updateTime", "expireTime", "displayName",
	"usageMetadata"}

// CreateCachedContent stores contents that have enough tokens.
func (a *api) CreateCachedContent(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	body, why := bodyOf[geminiapi.CachedContent](request)
	var tokens int
	if why == nil {
		tokens, why = a.checkCache(request, body)
	}
	var expires time.Time
	if why == nil {
		expires, why = expiryOf(body, time.Now().Add(time.Hour))
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	now := time.Now()
	cached := &geminiapi.CachedContent{
		Name: new(request.Resource + "/" + a.newCacheID(request)), Model: body.Model,
		DisplayName: body.DisplayName,
		CreateTime:  timestamp(now, microseconds), UpdateTime: timestamp(now, microseconds),
		UsageMetadata: &geminiapi.CachedContentUsageMetadata{TotalTokenCount: &tokens},
	}
	if request.Backend == models.GeminiAPI && cached.DisplayName == nil {
		cached.DisplayName = new("") // as recorded
	}
	a.putCache(w, request, cached, expires)
}

// newCacheID returns an id in the form of the service: a number for Vertex AI.
func (a *api) newCacheID(request *received.Request) string {
	if request.Backend != models.VertexAI {
		return a.caches.NewID(40)
	}
	number := 0
	for _, letter := range a.caches.NewID(12) {
		number = number*36 + strings.IndexRune("0123456789abcdefghijklmnopqrstuvwxyz", letter)
	}
	return strconv.Itoa(number)
}

// putCache stores a cache and answers with it.
func (a *api) putCache(w http.ResponseWriter, request *received.Request,
	cached *geminiapi.CachedContent, expires time.Time) {
	precision := nanoseconds
	if request.Backend == models.VertexAI {
		precision = microseconds
	}
	cached.ExpireTime = timestamp(expires, precision)
	a.caches.Put(*cached.Name, cached, expires)
	writeResource(w, payloadOf(cached, cachedOrder))
}

// checkCache returns the number of tokens of a cache, or why the server refuses the cache.
func (a *api) checkCache(request *received.Request, body *geminiapi.CachedContent) (tokens int,
	why *refusal.Refusal) {
	const message = "CreateCachedContentRequest"
	model := jsonx.Deref(body.Model)
	route := received.Route{Backend: request.Backend, Version: request.Version, Resource: model,
		Model: lastSegment(model), Operation: "createCachedContent"}
	switch {
	case len(body.Unknown) > 0:
		return 0, refusal.UnknownMembers(body.Unknown)
	case model == "":
		return 0, refusal.UnspecifiedMember(message, "model")
	case !strings.Contains(model, "models/"):
		return 0, refusal.ModelOfOtherForm(message, "model")
	case !a.catalog.Has(route.Model, request.Backend, route.Operation):
		return 0, refusal.UnknownModel(route)
	}
	count := answer.Count(answer.Question{Model: route.Model, Backend: request.Backend,
		Request: &geminiapi.GenerateContentRequest{
			Contents: body.Contents, SystemInstruction: body.SystemInstruction, Tools: body.Tools,
			ToolConfig: body.ToolConfig,
		}})
	tokens = *count.TotalTokens
	if least := leastCached(route.Model); tokens < least && !a.settings.unchecked {
		return 0, refusal.CacheTooSmall(tokens, least)
	}
	return tokens, nil
}

func lastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// leastCached is the minimum number of tokens of a cache, from Google's page on caching of December
// 2025: 4096 for the Pro models, 1024 for the others.
func leastCached(model string) int {
	if strings.Contains(model, "-pro") {
		return 4096
	}
	return 1024
}

// expiryOf returns when a cache expires, from its time to live or its expiry time.
func expiryOf(body *geminiapi.CachedContent, byDefault time.Time) (time.Time, *refusal.Refusal) {
	switch {
	case body.TTL != nil && body.ExpireTime != nil:
		return time.Time{}, refusal.InvalidArgument()
	case body.TTL != nil:
		digits, isDuration := strings.CutSuffix(*body.TTL, "s")
		seconds, err := strconv.ParseFloat(digits, 64)
		if err != nil || !isDuration || seconds <= 0 || seconds > maxTTL.Seconds() {
			return time.Time{}, refusal.InvalidArgument()
		}
		return time.Now().Add(time.Duration(seconds * float64(time.Second))), nil
	case body.ExpireTime != nil:
		expires, err := time.Parse(time.RFC3339Nano, *body.ExpireTime)
		if err != nil || !expires.After(time.Now()) {
			return time.Time{}, refusal.InvalidArgument()
		}
		return expires, nil
	default:
		return byDefault, nil
	}
}

// maxTTL is the longest time to live that fits a [time.Duration].
const maxTTL = 100 * 365 * 24 * time.Hour

// The page sizes of a list of caches.
const (
	defaultCachePage = 50
	maxCachePage     = 1000
)

// ListCachedContents lists the caches of the project.
func (a *api) ListCachedContents(w http.ResponseWriter, r *http.Request,
	params geminiapi.ListCachedContentsParams) {
	page := pageOf(params.PageSize, params.PageToken, defaultCachePage, maxCachePage)
	page.Prefix = received.From(r).Resource + "/"
	writeFound(w, r, "cachedContents", foundOf(a.caches.List(page)),
		func(cached *geminiapi.CachedContent) jsontext.Value {
			return payloadOf(cached, cachedOrder)
		})
}

// GetCachedContent describes a cache.
func (a *api) GetCachedContent(w http.ResponseWriter, r *http.Request,
	_ geminiapi.CachedContentID) {
	cached, ok := a.caches.Get(received.From(r).Resource)
	if !ok {
		refuse(w, r, noSuchCache(received.From(r)))
		return
	}
	writeResource(w, payloadOf(cached, cachedOrder))
}

func noSuchCache(request *received.Request) *refusal.Refusal {
	if request.Backend == models.VertexAI {
		return refusal.NotFound()
	}
	return refusal.NoSuchCache()
}

// UpdateCachedContent changes the expiry of a cache.
func (a *api) UpdateCachedContent(w http.ResponseWriter, r *http.Request,
	_ geminiapi.CachedContentID, params geminiapi.UpdateCachedContentParams) {
	request := received.From(r)
	old, ok := a.caches.Get(request.Resource)
	if !ok {
		refuse(w, r, noSuchCache(request))
		return
	}
	body, why := bodyOf[geminiapi.CachedContent](request)
	if why == nil {
		why = checkMask(body, jsonx.Deref(params.UpdateMask))
	}
	var expires time.Time
	if why == nil {
		expires, why = expiryOf(body, time.Now())
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	own := *old
	own.UpdateTime = timestamp(time.Now(), microseconds)
	a.putCache(w, request, &own, expires)
}

// checkMask refuses to change anything but the expiry.
func checkMask(body *geminiapi.CachedContent, mask string) *refusal.Refusal {
	isOther := func(name string) bool {
		return !slices.Contains([]string{"", "ttl", "expireTime", "expire_time"}, name)
	}
	switch {
	case len(body.Unknown) > 0:
		return refusal.UnknownMembers(body.Unknown)
	case body.TTL == nil && body.ExpireTime == nil,
		slices.ContainsFunc(strings.Split(mask, ","), isOther):
		return refusal.InvalidArgument()
	default:
		return nil
	}
}

// DeleteCachedContent deletes a cache.
func (a *api) DeleteCachedContent(w http.ResponseWriter, r *http.Request,
	_ geminiapi.CachedContentID) {
	if !a.caches.Delete(received.From(r).Resource) {
		refuse(w, r, noSuchCache(received.From(r)))
		return
	}
	writeEmpty(w)
}

// cachedTokens returns the number of tokens in the cache that a request names, or 0.
func (a *api) cachedTokens(request *received.Request) int {
	if cached, ok := a.cacheOf(request); ok {
		return *cached.UsageMetadata.TotalTokenCount
	}
	return 0
}

// cacheOf returns the cache that a request names.
func (a *api) cacheOf(request *received.Request) (*geminiapi.CachedContent, bool) {
	if request.Content == nil || request.Content.CachedContent == nil {
		return nil, false
	}
	return a.caches.Get(*request.Content.CachedContent)
}

// checkCacheUse returns why a request cannot use the cache that it names.
func (a *api) checkCacheUse(request *received.Request) *refusal.Refusal {
	if request.Content.CachedContent == nil {
		return nil
	}
	cached, ok := a.cacheOf(request)
	switch {
	case !ok:
		return noSuchCache(request)
	case lastSegment(*cached.Model) != lastSegment(request.Model):
		return refusal.CacheOfOtherModel("models/"+request.Model, *cached.Model)
	default:
		return nil
	}
}
