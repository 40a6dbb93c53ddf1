// Command gateway is an example program of the README: it embeds a gateway and sends a request to
// it.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
)

func main() {
	// Without an upstream the built-in fake server answers. With a key Gemini answers:
	//
	//	gateway.WithUpstream(gateway.Upstream{
	//		Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("my-project", key)},
	//	})
	handler, err := gateway.New(gateway.WithAliases(map[string]string{"gpt-4o": "gemini-3.6-flash"}))
	if err != nil {
		log.Fatal(err)
	}
	defer handler.Close()
	server := httptest.NewServer(handler) // or http.ListenAndServe("127.0.0.1:8080", handler)
	defer server.Close()

	body := `{"model": "gpt-4o", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}`
	reply, err := http.Post(server.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		log.Fatal(err)
	}
	completion, err := openai.DecodeResponse(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*completion.Choices[0].Message.Content)
	fmt.Println(completion.Model, "is", reply.Header.Get("x-gemwire-model"))
}
