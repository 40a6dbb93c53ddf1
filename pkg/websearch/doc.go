// Package websearch makes Google's Custom Search JSON API a tool for language models. It has a
// function that Gemini can call, and the code of the command web-search-google-tool.
//
//	client, err := websearch.New(websearch.FindCredentials(os.LookupEnv))
//	if err != nil { ... }
//	found, err := client.Search(ctx, websearch.Request{Query: "release notes of go", Num: new(5)})
//
// [Declaration] describes the function to a model. [Client.Handle] answers the model's call.
//
// # Requests
//
// A [Request] has a query of at least 2 characters, the number of results (1 to 10, default 10),
// the index of the first result (1 to 91, default 1), and domains to search in or to exclude.
// [Schema] has the same bounds as JSON Schema. A request outside these bounds fails with
// [CodeInvalidInput], without a call to Google. [ParseRequest] reads a request leniently: a member
// of a wrong type counts as absent, except the query.
//
// # Domains
//
// Google handles one allowed domain itself (siteSearch). With several domains, there is one call
// per domain, all at the same time. Num is divided among them: each domain gets the integer
// quotient, and the first ones get one more until the remainder is used up. A domain whose share is
// 0 is not asked. All calls have the same Start. The results are merged in rounds, one of each
// domain per round. A repeated URL is skipped, and its domain waits for the next round. At most Num
// results are returned. A blank allowed domain gets its share but is never asked, so that a
// restriction never widens a search. A domain that is allowed and blocked counts as blocked and
// costs no call.
//
// If no domain is allowed, Google handles one blocked domain itself. In every case, results whose
// host is a blocked domain are removed. Host and domain must be equal except for letter case:
// example.com blocks neither www.example.com nor example.com.evil.net.
//
// # Failures
//
// A search over several domains succeeds if one of its calls does. Otherwise it returns the error
// of the first call. All errors of a search are an *[Error] with a [Code].
//
// [Answer] is the JSON object that the command prints:
//
//	{"success":true,"results":[{"title":"...","url":"...","snippet":"..."}],"count":1}
//	{"success":false,"error":"...","error_code":"API_ERROR"}
//
// # Secrets
//
// Custom Search takes its key in the URL of the request. Therefore requests use https only, except
// to this machine; redirects are not followed; and both credentials are removed from errors,
// answers and results, wherever a server or a proxy puts them and in every spelling: other letter
// case, percent-encoding, HTML, JSON, hexadecimal or base64, and combinations of these.
// [Credentials] and [Client] print without their contents.
//
// A [Client] is safe for concurrent use.
package websearch
