// Command websearch lets a model search the web. A request declares the function, the model's
// answer calls it, and the next request has the result. A fake server of Custom Search answers, so
// that no account is needed.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/websearch"
)

// answer is an answer of generateContent to a question about the weather.
const answer = `{"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {
  "id": "call-1", "name": "web_search_google", "args": {"query": "lisbon weather", "num": 1}
}}]}, "finishReason": "STOP"}]}`

// double stands in for Custom Search. It gives the same answer to each request.
func double(w http.ResponseWriter, r *http.Request) {
	fmt.Println("searched for:", r.FormValue("q"))
	io.WriteString(w, `{"items": [{
	  "title": "Lisbon, hour by hour",
	  "link": "https://weather.example/lisbon",
	  "snippet": "Sunny, 24 degrees, light wind from the north."
	}]}`)
}

func main() {
	google := httptest.NewServer(http.HandlerFunc(double))
	defer google.Close()

	// Outside of an example: websearch.New(websearch.FindCredentials(os.LookupEnv))
	search, err := websearch.New(
		websearch.NewCredentials("an API key", "an engine ID"),
		websearch.WithBaseURL(google.URL),
	)
	if err != nil {
		log.Fatal(err)
	}

	// The declaration that the model receives.
	declaration := websearch.Declaration()
	request := geminiapi.GenerateContentRequest{
		Contents: []geminiapi.Content{gemini.UserText("What is the weather in Lisbon?")},
		Tools:    []geminiapi.Tool{gemini.FunctionTool(declaration)},
	}
	fmt.Println("declared:", *declaration.Name)

	// What it answers, and what goes back to it.
	response, err := gemini.DecodeResponse([]byte(answer))
	if err != nil {
		log.Fatal(err)
	}
	turn := response.Candidates[0].Content
	var results []*geminiapi.FunctionResponse
	for _, part := range turn.Parts {
		if part.FunctionCall == nil {
			continue
		}
		result, err := search.Handle(context.Background(), part.FunctionCall)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s answered: %s\n", *result.ID, result.Response)
		results = append(results, result)
	}
	request.Contents = append(request.Contents, *turn, gemini.UserResults(results...))
	fmt.Println("turns of the next request:", len(request.Contents))
}
