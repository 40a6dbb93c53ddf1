// Package websearch is Google's Custom Search JSON API as a tool of a language model: a function
// that Gemini can call, and what the command web-search-google-tool runs.
//
//	client, err := websearch.New(websearch.FindCredentials(os.LookupEnv))
//	if err != nil { ... }
//	found, err := client.Search(ctx, websearch.Request{Query: "release notes of go", Num: new(5)})
//
// [Declaration] describes the function to a model, [Client.Handle] answers the model's call.
//
// # Requests
//
// A [Request] has a query of at least 2 characters, the number of results (1 to 10, by default 10),
// the index of the first one (1 to 91, by default 1), and domains to search in or to leave out.
// [Schema] says the same as JSON. A request outside these bounds is refused with
// [CodeInvalidInput], without a call to Google. [ParseRequest] reads one leniently: a member of
// another type than the schema's is taken for absent, except the query.
//
// # Domains
//
// One allowed domain is left to Google (siteSearch). Of several, each is asked in a call of its
// own, all at the same time. Num is split among them: each gets the whole part of the quotient, and
// the first ones get one more until nothing remains; a domain with a share of nothing is not asked.
// All calls have the same Start. The results are merged in turn, one of each domain in a round; a
// URL that was there before is skipped and its domain waits for the next round; no more than Num
// are returned. An allowed domain that is blank counts for the split and is never asked: what was
// meant to narrow a search does not widen it. One that is blocked too is none of the allowed ones,
// and costs no call.
//
// One blocked domain, when none is allowed, is left to Google too. In every case a result whose
// host is a blocked domain is left out. Host and domain must be equal but for the case of letters:
// example.com blocks neither www.example.com nor example.com.evil.net.
//
// # Failures
//
// A search over several domains succeeds when one of its calls does. Otherwise the error of the
// first call is returned. All errors of a search are an *[Error] with a [Code].
//
// [Answer] is the JSON object that the command prints:
//
//	{"success":true,"results":[{"title":"...","url":"...","snippet":"..."}],"count":1}
//	{"success":false,"error":"...","error_code":"API_ERROR"}
//
// # Secrets
//
// Custom Search takes its key in the URL of the request. It therefore goes out over https only,
// plain http being for this machine itself; redirects are not followed; and errors, answers and
// results have both credentials blanked out, whatever a server or a proxy put into them and however
// it spelled them: in other letter case, in percent-encoding, HTML, JSON, hexadecimals or base64,
// also in several of these. [Credentials] and [Client] print without what they hold.
//
// A [Client] is safe for concurrent use.
package websearch
