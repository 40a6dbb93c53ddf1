// Command web-search-google-tool searches the web for a language model, through Google's Custom
// Search JSON API. It is meant to be run by a program, once for each search:
//
//	web-search-google-tool --schema                  describe the function and its parameters, as JSON
//	web-search-google-tool <request.json >answer.json
//
// The request is an object such as {"query": "go iterators", "num": 5}; the answer is one line,
// {"success":true,"results":[...],"count":5} or {"success":false,"error":"...","error_code":"..."}.
// It goes to standard output; nothing is ever written to standard error. Without credentials, the
// answer has a member _event, for the program and not for the model, that says what a user has to
// configure.
//
// The exit code is 0 when there is an answer, also when it is a failure; 1 when the input is no
// request (empty, not JSON, without a query that is a string) or standard output cannot be written.
//
// Environment:
//
//	GOOGLE_SEARCH_API_KEY    the API key
//	GOOGLE_SEARCH_ENGINE_ID  the ID of the search engine
//	GOOGLE_SEARCH_BASE_URL   the server to ask instead of https://customsearch.googleapis.com; https, or
//	                         http on a loopback address
//	HTTPS_PROXY, NO_PROXY    as usual
//
// A credential that is not in the environment is taken from ~/.config/ikigai/credentials.json,
// which has the form {"web_search": {"google": {"api_key": "...", "engine_id": "..."}}}.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/gemwire/gemwire/pkg/websearch"
)

func main() {
	// package net/http logs what servers do, and with GODEBUG whole requests
	log.SetOutput(io.Discard)
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.LookupEnv))
}

// run is the command without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer,
	lookupEnv func(string) (string, bool)) int {
	if len(args) == 1 && args[0] == "--schema" {
		return write(stdout, websearch.Schema(), 0)
	}
	response, err := search(ctx, stdin, lookupEnv)
	code := 0
	if errors.Is(err, websearch.ErrMalformed) {
		code = 1
	}
	return write(stdout, append(websearch.Answer(response, err), '\n'), code)
}

func search(ctx context.Context, stdin io.Reader,
	lookupEnv func(string) (string, bool)) (*websearch.Response, error) {
	request, err := websearch.ReadRequest(stdin)
	if err != nil {
		return nil, err
	}
	baseURL, _ := lookupEnv(websearch.EnvBaseURL)
	client, err := websearch.New(
		websearch.FindCredentials(lookupEnv),
		websearch.WithBaseURL(baseURL),
		websearch.WithHTTPClient(&http.Client{Transport: oneCallEach()}),
	)
	if err != nil {
		return nil, err
	}
	return client.Search(ctx, request)
}

// oneCallEach returns a transport that makes a connection for each call. On a connection that was
// in use before, package net/http repeats a call that fails, which Google would count twice.
func oneCallEach() *http.Transport {
	return &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		ForceAttemptHTTP2: true,
		DisableKeepAlives: true,
	}
}

// write returns code, or 1 when the output cannot be written.
func write(stdout io.Writer, output []byte, code int) int {
	if _, err := stdout.Write(output); err != nil {
		return 1
	}
	return code
}
