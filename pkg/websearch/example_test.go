package websearch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gemwire/gemwire/pkg/websearch"
)

func ExampleClient_Search() {
	// The example uses a fake server. Without WithBaseURL the client calls Google.
	google := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w,
			`{"items": [{"title": "Ferns of Madeira", "link": "https://plants.example/ferns", "snippet": "Over 70 species."}]}`)
	}))
	defer google.Close()

	client, err := websearch.New(websearch.NewCredentials("key", "engine"),
		websearch.WithBaseURL(google.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := client.Search(context.Background(), websearch.Request{
		Query:          "madeira ferns",
		Num:            new(3),
		BlockedDomains: []string{"shop.example"},
	})
	if failure, ok := errors.AsType[*websearch.Error](err); ok {
		fmt.Println(failure.Code, failure.Message)
		return
	}
	for _, result := range found.Results {
		fmt.Println(result.Title, result.URL, result.Snippet)
	}
	// Output:
	// Ferns of Madeira https://plants.example/ferns Over 70 species.
}

func ExampleAnswer() {
	request, err := websearch.ParseRequest([]byte(`{"query": "x"}`))
	if err == nil {
		client, _ := websearch.New(websearch.NewCredentials("key", "engine"))
		_, err = client.Search(context.Background(), request)
	}
	fmt.Println(string(websearch.Answer(nil, err)))
	// Output:
	// {"success":false,"error":"Invalid query: \"x\" is outside the range of 2 or more characters","error_code":"INVALID_INPUT"}
}
