// Package catalog lists the models of the fake server at a time: Google's models from package
// models, and those that a test or a script adds. It describes them like models.list.
package catalog

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Catalog is the models of one server. It is safe for concurrent use.
type Catalog struct {
	now   func() time.Time
	added []string
	ids   map[string]bool // all ids in the table, at any time
}

// New returns a catalog of Google's models at the time of now, and of the models with the added
// ids.
func New(now func() time.Time, added []string) *Catalog {
	c := &Catalog{now: now, added: added, ids: map[string]bool{}}
	for _, known := range models.All(models.BothBackends, now()) {
		c.ids[known.Asked] = true
	}
	return c
}

// Has reports whether a service now has a model with a method; "" is any method. Resources with
// custom ids, such as tunedModels/mine, answer every request to generate content.
func (c *Catalog) Has(id string, service models.Backends, method string) bool {
	if !c.exists(id, service) {
		return false
	}
	return method == "" ||
		slices.Contains(c.Describe(id).SupportedGenerationMethods, listedAs(method))
}

// HasInteractions reports whether a model is called by the Interactions API now. Each model that
// generates content is.
func (c *Catalog) HasInteractions(id string, service models.Backends) bool {
	known := models.At(id, service, c.now())
	return known.Calls.Has(models.CallInteractions) && c.exists(id, service) ||
		c.Has(id, service, "generateContent")
}

// exists reports whether a service has a model now. Ids are case-sensitive, as at the real
// services.
func (c *Catalog) exists(id string, service models.Backends) bool {
	collection, _, _ := strings.Cut(id, "/")
	isOwn := slices.Contains(ownCollections, collection) && collection != id ||
		slices.Contains(c.added, id)
	isOld := service == models.VertexAI && slices.Contains(vertexEmbeddings, id)
	if isOwn || isOld {
		return true
	}
	known, now := models.At(id, service, c.now()), c.now()
	isListed := c.ids[id] || c.ids[version.ReplaceAllString(id, "")]
	return isListed && known.IsServed() && !known.Lifecycle.Released.After(now)
}

// ownCollections are the collections whose owners choose the ids. It is never modified.
var ownCollections = []string{"tunedModels", "endpoints", "dynamic"}

// version is an optional suffix of a model id: gemini-3.6-flash-001, and at Vertex AI
// gemini-3.6-flash@001.
var version = regexp.MustCompile(`-00[1-9]$|@(00[1-9]|default)$`)

// vertexEmbeddings are models of Vertex AI that make embeddings with predict. The table of package
// models does not have them. It is never modified.
var vertexEmbeddings = []string{"text-embedding-005", "text-multilingual-embedding-002"}

// listedAs returns the name of a method in model lists, which have one name for all methods of a
// kind.
func listedAs(method string) string {
	switch method {
	case "streamGenerateContent":
		return "generateContent"
	case "batchEmbedContents", "predict":
		return "embedContent"
	default:
		return method
	}
}

// IsOfModels reports whether a method belongs to models, not to another resource such as a file.
func IsOfModels(method string) bool {
	return slices.Contains(answering.methods, listedAs(method)) ||
		slices.Contains(embedding.methods, listedAs(method))
}

// kind holds the properties that models share.
type kind struct {
	inputLimit, outputLimit int // used if package models has no limits
	methods                 []string
	samples                 bool // accepts sampling parameters such as temperature
	maxTemperature          float64
}

// The kinds, with the limits of recorded model lists. They are never modified.
var (
	answering = kind{1048576, 65536,
		[]string{"generateContent", "countTokens", "createCachedContent",
			"batchGenerateContent"}, true, 2}
	drawing = kind{32768, 32768,
		[]string{"generateContent", "countTokens", "batchGenerateContent"}, true, 1}
	speaking  = kind{8192, 16384, []string{"countTokens", "generateContent"}, true, 2}
	embedding = kind{2048, 1,
		[]string{"embedContent", "countTextTokens", "countTokens",
			"asyncBatchEmbedContent"}, false, 0}
	uncalled = kind{inputLimit: 131072, outputLimit: 8192} // the fake answers none of its methods
)

// row holds the properties of one model in a list, beyond its kind.
type row struct{ displayName, version string }

// rows are from recorded lists. It is never modified. The display name of any other model is made
// from its id.
var rows = map[string]row{
	"gemini-3-pro-preview":    {"Gemini 3 Pro Preview", "3-pro-preview-11-2025"},
	"gemini-3-flash-preview":  {"Gemini 3 Flash Preview", "3-flash-preview-12-2025"},
	"gemini-3-pro-image":      {"Nano Banana Pro", "3.0"},
	"nano-banana-pro-preview": {"Nano Banana Pro", "3.0"},
	"gemini-2.5-flash-image":  {"Nano Banana", "2.0"},
	"gemini-2.5-flash-preview-tts": {"Gemini 2.5 Flash Preview TTS",
		"gemini-2.5-flash-exp-tts-2025-05-19"},
	"gemini-2.5-pro-preview-tts": {"Gemini 2.5 Pro Preview TTS",
		"gemini-2.5-pro-preview-tts-2025-05-19"},
	"gemini-pro-latest":        {"Gemini Pro Latest", "Gemini Pro Latest"},
	"gemini-flash-latest":      {"Gemini Flash Latest", "Gemini Flash Latest"},
	"gemini-flash-lite-latest": {"Gemini Flash-Lite Latest", "Gemini Flash-Lite Latest"},
}

// List returns the current models of the Gemini API, and the added models.
func (c *Catalog) List() []geminiapi.Model {
	var out []geminiapi.Model
	for _, known := range models.All(models.GeminiAPI, c.now()) {
		if c.exists(known.Asked, models.GeminiAPI) {
			out = append(out, *c.Describe(known.Asked))
		}
	}
	for _, id := range c.added {
		out = append(out, *c.Describe(id))
	}
	return out
}

// Describe returns the description of an existing model.
func (c *Catalog) Describe(id string) *geminiapi.Model {
	known := models.At(id, models.GeminiAPI, c.now())
	of := kindOf(id, &known)
	limits := known.Limits.Or(models.Limits{Input: of.inputLimit, Output: of.outputLimit})
	described, ok := rows[id]
	if !ok {
		described = row{displayName(id), "001"}
	}
	m := geminiapi.Model{
		Name: new("models/" + id), Version: &described.version, DisplayName: &described.displayName,
		Description:     &described.displayName,
		InputTokenLimit: &limits.Input, OutputTokenLimit: &limits.Output,
		SupportedGenerationMethods: methodsOf(of, &known),
	}
	if of.samples {
		m.Temperature, m.TopP, m.TopK, m.MaxTemperature = new(1.0), new(0.95), new(64),
			&of.maxTemperature
	}
	thinking := known.Traits.Thinking
	if of.samples && (len(thinking.Levels) > 0 || thinking.Budget != nil) {
		m.Thinking = new(true)
	}
	return &m
}

// displayName makes a display name from an id: "Gemini 3.6 Flash" from gemini-3.6-flash.
func displayName(id string) string {
	words := strings.Split(id, "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}

// kindOf returns the kind of a model. A model that is not in the table generates content, unless
// its name says that it makes embeddings.
func kindOf(id string, known *models.Model) kind {
	isKnown := known.IsKnown()
	switch calls := known.Calls; {
	case isKnown && calls.Has(models.CallEmbed), !isKnown && strings.Contains(id, "embedding"):
		return embedding
	case slices.Contains(vertexEmbeddings, id):
		return embedding
	case isKnown && !calls.Has(models.CallGenerate):
		return uncalled
	case strings.Contains(known.Name, "image"), strings.Contains(known.Name, "banana"):
		return drawing
	case strings.Contains(known.Name, "-tts"):
		return speaking
	default:
		return answering
	}
}

// listedCalls are methods in model lists that the fake does not answer. It is never modified.
var listedCalls = []struct {
	calls  models.Calls
	method string
}{
	{models.CallLive, "bidiGenerateContent"},
	{models.CallPredict, "predictLongRunning"},
	{models.CallAnswer, "generateAnswer"},
}

// methodsOf returns the methods of a model in model lists.
func methodsOf(of kind, known *models.Model) []string {
	methods := slices.Clone(of.methods)
	if known.Traits.RefusesCachedContent.Has(models.GeminiAPI) {
		methods = slices.DeleteFunc(methods,
			func(m string) bool { return m == "createCachedContent" })
	}
	for _, listed := range listedCalls {
		if known.Calls.Has(listed.calls) {
			methods = append(methods, listed.method)
		}
	}
	return methods
}
