package websearch

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Name is the name of the function, for models and for programs that run the command.
const Name = "web_search_google"

// Schema returns the description of the function that the command prints for --schema: one JSON
// object with name, description and parameters, indented by two spaces, and a line feed. The caller
// may change the bytes.
func Schema() []byte {
	return append(encode(function, jsontext.WithIndent("  ")), '\n')
}

// Declaration returns the function for the tools of a generateContent request. Its parameters are
// [Schema] as JSON Schema.
func Declaration() geminiapi.FunctionDeclaration {
	return geminiapi.FunctionDeclaration{
		Name:                 new(function.Name),
		Description:          new(function.Description),
		ParametersJSONSchema: encode(function.Parameters),
	}
}

// function is the only definition of the parameters and their bounds.
var function = functionSchema{
	Name: Name,
	Description: "Search the web using Google Custom Search API and use the results to inform responses. " +
		"Provides up-to-date information for current events and recent data. " +
		"Returns search result information formatted as search result blocks, including links as markdown hyperlinks.",
	Parameters: parametersSchema{
		Type: "object",
		Properties: propertySchemas{
			Query: textSchema{
				Type: "string", Description: "The search query to use", MinLength: 2,
			},
			Num: integerSchema{
				Type: "integer", Description: "Number of results to return (1-10)",
				Minimum: 1, Maximum: 10, Default: 10,
			},
			Start: integerSchema{
				Type:        "integer",
				Description: "Result index offset for pagination (1-based, max 91)",
				Minimum:     1, Maximum: 91, Default: 1,
			},
			AllowedDomains: listSchema{
				Type: "array", Items: itemSchema{Type: "string"},
				Description: "Only include search results from these domains",
			},
			BlockedDomains: listSchema{
				Type: "array", Items: itemSchema{Type: "string"},
				Description: "Never include search results from these domains",
			},
		},
		Required: []string{"query"},
	},
}

// The members of these types are in output order.
type (
	functionSchema struct {
		Name        string           `json:"name"`
		Description string           `json:"description"`
		Parameters  parametersSchema `json:"parameters"`
	}
	parametersSchema struct {
		Type       string          `json:"type"`
		Properties propertySchemas `json:"properties"`
		Required   []string        `json:"required"`
	}
	propertySchemas struct {
		Query          textSchema    `json:"query"`
		Num            integerSchema `json:"num"`
		Start          integerSchema `json:"start"`
		AllowedDomains listSchema    `json:"allowed_domains"`
		BlockedDomains listSchema    `json:"blocked_domains"`
	}
	textSchema struct {
		Type        string `json:"type"`
		Description string `json:"description"`
		MinLength   int    `json:"minLength"`
	}
	integerSchema struct {
		Type        string `json:"type"`
		Description string `json:"description"`
		Minimum     int    `json:"minimum"`
		Maximum     int    `json:"maximum"`
		Default     int    `json:"default"`
	}
	listSchema struct {
		Type        string     `json:"type"`
		Items       itemSchema `json:"items"`
		Description string     `json:"description"`
	}
	itemSchema struct {
		Type string `json:"type"`
	}
)

// or returns the requested value, or the default if none is requested.
func (s integerSchema) or(value *int) int {
	if value == nil {
		return s.Default
	}
	return *value
}

// encode writes one of this package's own types. It cannot fail: they have no cycles, maps or
// methods, and invalid UTF-8 becomes the replacement character.
func encode(value any, opts ...json.Options) jsontext.Value {
	out, _ := json.Marshal(value, append(opts, jsontext.AllowInvalidUTF8(true))...)
	return out
}
