package websearch_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/google/go-cmp/cmp"
)

// wantSchema is the exact description, with a line feed at the end.
const wantSchema = `{
  "name": "web_search_google",
  "description": "Search the web using Google Custom Search API and use the results to inform responses. Provides up-to-date information for current events and recent data. Returns search result information formatted as search result blocks, including links as markdown hyperlinks.",
  "parameters": {
    "type": "object",
    "properties": {
      "query": {
        "type": "string",
        "description": "The search query to use",
        "minLength": 2
      },
      "num": {
        "type": "integer",
        "description": "Number of results to return (1-10)",
        "minimum": 1,
        "maximum": 10,
        "default": 10
      },
      "start": {
        "type": "integer",
        "description": "Result index offset for pagination (1-based, max 91)",
        "minimum": 1,
        "maximum": 91,
        "default": 1
      },
      "allowed_domains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Only include search results from these domains"
      },
      "blocked_domains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Never include search results from these domains"
      }
    },
    "required": [
      "query"
    ]
  }
}
`

func TestTheSchemaIsTheSameToTheByte(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(wantSchema, string(websearch.Schema())); diff != "" {
		t.Error(diff)
	}
	clear(websearch.Schema())
	if string(websearch.Schema()) != wantSchema {
		t.Error("the schema changes with the bytes that were handed out")
	}
}

func TestTheDeclarationSaysWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	var schema struct {
		Name, Description string
		Parameters        json.RawMessage
	}
	if err := json.Unmarshal(websearch.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	var parameters bytes.Buffer
	if err := json.Compact(&parameters, schema.Parameters); err != nil {
		t.Fatal(err)
	}
	declaration := websearch.Declaration()
	got := []string{*declaration.Name, *declaration.Description,
		string(declaration.ParametersJSONSchema)}
	if diff := cmp.Diff([]string{schema.Name, schema.Description, parameters.String()},
		got); diff != "" {
		t.Error(diff)
	}
	if schema.Name != websearch.Name {
		t.Errorf("the schema names %q, the package %q", schema.Name, websearch.Name)
	}
}
