package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// addServerTool adds a server tool if Gemini has an equivalent. All other server tools are reported
// and omitted, because agents send lists of all tools that they know.
func (d *declarer) addServerTool(tool *openaiapi.ResponseTool, at *codec.Location) error {
	switch tool.Type {
	case openaiapi.ResponseToolTypeWebSearch, openaiapi.ResponseToolTypeWebSearch20250826,
		openaiapi.ResponseToolTypeWebSearchPreview, openaiapi.ResponseToolTypeWebSearchPreview20250311:
		d.addWebSearch(tool, at)
	case openaiapi.ResponseToolTypeFileSearch:
		d.addFileSearch(tool, at)
	case openaiapi.ResponseToolTypeCodeInterpreter:
		d.addCodeExecution(tool, at)
	case openaiapi.ResponseToolTypeImageGeneration:
		d.addImages(tool, at)
	case openaiapi.ResponseToolTypeMCP:
		return d.addMCPServer(tool, at)
	default:
		d.Report.Add(report.Lost, at.Pointer(), "Gemini has no tools of this type")
	}
	return nil
}

// addWebSearch enables Google Search. A search of stored pages only is never converted to a live
// web search.
func (d *declarer) addWebSearch(tool *openaiapi.ResponseTool, at *codec.Location) {
	if tool.ExternalWebAccess != nil && !*tool.ExternalWebAccess {
		d.Report.Add(report.Lost, at.Pointer(),
			"the tool excludes live web access, and Gemini has no search without it")
		return
	}
	if len(d.searches) == 0 {
		d.tools = append(d.tools, geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{}})
	}
	d.searches = append(d.searches, at.Pointer())
	visitMembersOfResponseTool(tool, func(name string) {
		switch name {
		case "type", "external_web_access":
		case "search_context_size":
			d.Report.Add(report.Lost, at.Pointer()+"/"+name, "Gemini decides how much it reads")
		case "user_location":
			d.Report.Add(report.Lost, at.Pointer()+"/"+name,
				"Gemini accepts only latitude and longitude for a place")
		case "filters":
			d.Report.Add(report.Lost, at.Pointer()+"/"+name, "Gemini searches the whole web")
		default:
			d.Report.Add(report.Lost, at.Pointer()+"/"+name, detailNotHere)
		}
	})
}

// storePrefix is the prefix of names of Gemini's file search stores.
const storePrefix = "fileSearchStores/"

// addFileSearch enables file search in stores of the Gemini API.
func (d *declarer) addFileSearch(tool *openaiapi.ResponseTool, at *codec.Location) {
	search := &geminiapi.FileSearch{TopK: tool.MaxNumResults}
	for _, id := range tool.VectorStoreIds {
		if !strings.HasPrefix(id, storePrefix) || d.VertexAI {
			d.Report.Add(report.Lost, at.Pointer(),
				"only the Gemini API searches files, in stores whose names begin with "+storePrefix)
			return
		}
		search.FileSearchStoreNames = append(search.FileSearchStoreNames, id)
	}
	if search.FileSearchStoreNames == nil {
		d.Report.Add(report.Lost, at.Pointer(), "it names no store")
		return
	}
	if tool.Filters != nil {
		if filter, ok := appendFilter(nil, tool.Filters); ok {
			search.MetadataFilter = new(string(filter))
		} else {
			d.Report.Add(report.Lost, at.Pointer()+"/filters",
				"Gemini's metadata filters cannot express it")
		}
	}
	d.loseToolMembers(tool, at, "vector_store_ids", "max_num_results", "filters")
	d.tools = append(d.tools, geminiapi.Tool{FileSearch: search})
}

// comparisons maps operators to the operators of Gemini's filters (google.aip.dev/160). It is never
// modified.
var comparisons = map[openaiapi.FilterType]string{
	"eq": "=", "ne": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=",
}

// appendFilter appends an attribute filter as a metadata filter. ok is false if Gemini has no
// equivalent filter.
func appendFilter(dst []byte, f *openaiapi.ResponseToolFilter) (out []byte, ok bool) {
	if f.Unknown != nil || len(f.AllowedDomains) > 0 || f.Type == "" {
		return dst, false
	}
	if operator := comparisons[f.Type]; operator != "" {
		value, ok := filterValue(f.Value)
		dst = append(dst, f.Key+" "+operator+" "+value...)
		return dst, ok && f.Key != "" && strings.Trim(f.Key, keyLetters) == "" &&
			len(f.Filters) == 0
	}
	if f.Type != "and" && f.Type != "or" || len(f.Filters) == 0 || f.Key != "" || f.Value != nil {
		return dst, false
	}
	dst = append(dst, '(')
	for i := range f.Filters {
		if i > 0 {
			dst = append(dst, " "+strings.ToUpper(string(f.Type))+" "...)
		}
		if dst, ok = appendFilter(dst, &f.Filters[i]); !ok {
			return dst, false
		}
	}
	return append(dst, ')'), true
}

// keyLetters are the letters of a key that needs no quotes.
const keyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// filterValue returns a text or a number in the notation of filters.
func filterValue(value jsontext.Value) (text string, ok bool) {
	switch value.Kind() {
	case jsontext.KindNumber:
		return string(value), true
	case jsontext.KindString:
		err := json.Unmarshal(value, &text)
		return `"` + text + `"`, err == nil && !strings.ContainsAny(text, `"\`)
	default:
		return "", false
	}
}

// addCodeExecution enables code execution. Gemini has only one kind of container.
func (d *declarer) addCodeExecution(tool *openaiapi.ResponseTool, at *codec.Location) {
	if !tool.Container.IsZero() {
		d.Report.Add(report.Approximated, at.Pointer()+"/container",
			"Gemini has one kind of container for code")
	}
	d.loseToolMembers(tool, at, "container")
	d.tools = append(d.tools, geminiapi.Tool{CodeExecution: &geminiapi.CodeExecution{}})
}

// addImages asks a model that can draw for images in addition to text.
func (d *declarer) addImages(tool *openaiapi.ResponseTool, at *codec.Location) {
	if !strings.Contains(d.modelName(), "image") {
		d.Report.Add(report.Lost, at.Pointer(), "the model makes no images")
		return
	}
	config := d.Config()
	if config.ResponseModalities == nil {
		config.ResponseModalities = []geminiapi.ResponseModality{geminiapi.ResponseModalityText,
			geminiapi.ResponseModalityImage}
	}
	used := ""
	if ratio := aspectRatios[tool.Size]; ratio != "" && config.ImageConfig == nil {
		config.ImageConfig = &geminiapi.ImageConfig{AspectRatio: &ratio}
		d.Report.Add(report.Approximated, at.Pointer()+"/size",
			"only the ratio of width to height is used")
		used = "size"
	}
	d.loseToolMembers(tool, at, used)
}

// aspectRatios maps OpenAI's image sizes to the nearest ratios of Gemini. It is never modified.
var aspectRatios = map[string]string{"1024x1024": "1:1", "1024x1536": "2:3", "1536x1024": "3:2",
	"1024x1792": "9:16", "1792x1024": "16:9"}

// addMCPServer adds an MCP server that Google calls. It returns an error if the client must approve
// each call, which is the default, because Google's calls cannot wait.
func (d *declarer) addMCPServer(tool *openaiapi.ResponseTool, at *codec.Location) error {
	switch {
	case compacted(tool.RequireApproval) != `"never"`:
		return refuse(at.Pointer()+"/require_approval",
			"must be never, because Gemini calls MCP servers without approval")
	case d.VertexAI:
		return refuse(at.Pointer(), "is not supported on Vertex AI, which calls no MCP servers; use the Gemini API")
	case tool.ServerURL == "":
		return refuse(at.Pointer(),
			"must have a server_url; connectors and tunnels are OpenAI's own")
	}
	transport := &geminiapi.StreamableHTTPTransport{URL: &tool.ServerURL, Headers: tool.Headers}
	if tool.Authorization != "" {
		headers := map[string]string{"Authorization": "Bearer " + tool.Authorization}
		for name, value := range tool.Headers {
			if !strings.EqualFold(name, "Authorization") {
				headers[name] = value
			}
		}
		transport.Headers = headers
	}
	d.loseToolMembers(tool, at, "server_label", "server_url", "authorization", "headers",
		"require_approval")
	server := geminiapi.MCPServer{Name: jsonx.NonEmpty(tool.ServerLabel),
		StreamableHTTPTransport: transport}
	d.tools = append(d.tools, geminiapi.Tool{MCPServers: []geminiapi.MCPServer{server}})
	return nil
}

// compacted returns a short value without white space, and a long value unchanged.
func compacted(value jsontext.Value) string {
	if len(value) > 32 || len(value) == 0 {
		return string(value)
	}
	_ = value.Compact() // it has been read as JSON
	return string(value)
}
