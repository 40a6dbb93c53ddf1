package websearch_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/google/go-cmp/cmp"
)

// credentialsQuery is the beginning of every query string: the credentials, percent-encoded.
const credentialsQuery = "key=AIza%2FSecret%2BKey%3D42&cx=0123456789%3Aengine&"

func TestEachDomainIsAskedAsTheRequestSays(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		request websearch.Request
		want    []string // query strings after the credentials
	}{
		"no domains": {
			websearch.Request{Query: "test"},
			[]string{"q=test&num=10&start=1"},
		},
		"values are percent-encoded": {
			websearch.Request{Query: "a b+c&d=é/~_.-%", Num: new(2), Start: new(11)},
			[]string{"q=a%20b%2Bc%26d%3D%C3%A9%2F~_.-%25&num=2&start=11"},
		},
		"one allowed domain": {
			websearch.Request{Query: "test", Num: new(7), AllowedDomains: []string{"a.com"}},
			[]string{"q=test&num=7&start=1&siteSearch=a.com&siteSearchFilter=i"},
		},
		"one blocked domain": {
			websearch.Request{Query: "test", BlockedDomains: []string{"a b.com"}},
			[]string{"q=test&num=10&start=1&siteSearch=a%20b.com&siteSearchFilter=e"},
		},
		"several blocked domains": {
			websearch.Request{Query: "test", BlockedDomains: []string{"a.com", "b.com"}},
			[]string{"q=test&num=10&start=1"},
		},
		"one allowed and one blocked": {
			websearch.Request{Query: "test", AllowedDomains: []string{"a.com"},
				BlockedDomains: []string{"b.com"}},
			[]string{"q=test&num=10&start=1&siteSearch=a.com&siteSearchFilter=i"},
		},
		"10 results of 3 domains, the same start": {
			websearch.Request{Query: "test", Start: new(21),
				AllowedDomains: []string{"a.com", "b.com", "c.com"}},
			[]string{
				"q=test&num=4&start=21&siteSearch=a.com&siteSearchFilter=i",
				"q=test&num=3&start=21&siteSearch=b.com&siteSearchFilter=i",
				"q=test&num=3&start=21&siteSearch=c.com&siteSearchFilter=i",
			},
		},
		"10 results of 2 domains": {
			websearch.Request{Query: "test", Num: new(10),
				AllowedDomains: []string{"a.com", "b.com"}},
			[]string{
				"q=test&num=5&start=1&siteSearch=a.com&siteSearchFilter=i",
				"q=test&num=5&start=1&siteSearch=b.com&siteSearchFilter=i",
			},
		},
		"1 result of 3 domains": {
			websearch.Request{Query: "test", Num: new(1),
				AllowedDomains: []string{"a.com", "b.com", "c.com"}},
			[]string{"q=test&num=1&start=1&siteSearch=a.com&siteSearchFilter=i"},
		},
		"a blank domain counts and is not asked": {
			websearch.Request{Query: "test", Num: new(9), AllowedDomains: []string{"", "a.com"}},
			[]string{"q=test&num=4&start=1&siteSearch=a.com&siteSearchFilter=i"},
		},
		"one allowed and the same blocked": {
			websearch.Request{Query: "test", AllowedDomains: []string{"a.com"},
				BlockedDomains: []string{"https://A.com/x"}},
			nil,
		},
		"several allowed and one of them blocked": {
			websearch.Request{Query: "test", AllowedDomains: []string{"a.com", "B.com", "c.com"},
				BlockedDomains: []string{"b.com"}},
			[]string{
				"q=test&num=5&start=1&siteSearch=a.com&siteSearchFilter=i",
				"q=test&num=5&start=1&siteSearch=c.com&siteSearchFilter=i",
			},
		},
		"only blank domains": {
			websearch.Request{Query: "test", AllowedDomains: []string{" \t"}},
			nil,
		},
		"a blank blocked domain": {
			websearch.Request{Query: "test", BlockedDomains: []string{""}},
			[]string{"q=test&num=10&start=1"},
		},
		"more domains than results": {
			websearch.Request{Query: "test", Num: new(2),
				AllowedDomains: strings.Fields(strings.Repeat("a.com ", 1000))},
			[]string{
				"q=test&num=1&start=1&siteSearch=a.com&siteSearchFilter=i",
				"q=test&num=1&start=1&siteSearch=a.com&siteSearchFilter=i",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": customsearchtest.JSON(200, page())})
			response, err := newClient(t, google).Search(t.Context(), test.request)
			if err != nil || len(response.Results) != 0 {
				t.Errorf("got %v, %v", response, err)
			}
			var want []string
			for _, query := range test.want {
				want = append(want, credentialsQuery+query)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, google.Queries()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTheSharesAddUp tests all numbers of results with up to 12 domains.
func TestTheSharesAddUp(t *testing.T) {
	t.Parallel()
	for num := 1; num <= 10; num++ {
		for domains := 2; domains <= 12; domains++ {
			request := websearch.Request{Query: "test", Num: &num}
			for i := range domains {
				request.AllowedDomains = append(request.AllowedDomains, string(rune('a'+i))+".com")
			}
			shares := sharesOf(t, request)
			sum := 0
			for i, share := range shares {
				sum += share
				if i > 0 && share > shares[i-1] || shares[0]-share > 1 {
					t.Errorf("%d of %d: %d", num, domains, shares)
				}
			}
			if sum != num || len(shares) != min(num, domains) {
				t.Errorf("%d of %d: %d", num, domains, shares)
			}
		}
	}
}

// sharesOf returns the values of num in a search's calls, in the order of the domains.
func sharesOf(t *testing.T, request websearch.Request) []int {
	t.Helper()
	var mutex sync.Mutex
	byDomain := map[string]int{}
	client, err := websearch.New(websearch.NewCredentials(apiKey, engineID),
		websearch.WithHTTPClient(&http.Client{
			Transport: transport(func(r *http.Request) (*http.Response, error) {
				mutex.Lock()
				defer mutex.Unlock()
				num := 0
				for _, digit := range r.FormValue("num") {
					num = 10*num + int(digit-'0')
				}
				byDomain[r.FormValue("siteSearch")] = num
				return reply(200, page()), nil
			}),
		}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Search(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	var shares []int
	for _, domain := range request.AllowedDomains {
		if share, asked := byDomain[domain]; asked {
			shares = append(shares, share)
		}
	}
	return shares
}

func TestResultsOfDomainsTakeTurns(t *testing.T) {
	t.Parallel()
	ok := func(links ...string) http.HandlerFunc { return customsearchtest.JSON(200, page(links...)) }
	for name, test := range map[string]struct {
		replies customsearchtest.Replies
		request websearch.Request
		want    []string
	}{
		"one of each in a round": {
			customsearchtest.Replies{"1.com": ok("a1", "a2"), "2.com": ok("b1", "b2")},
			websearch.Request{}, []string{"a1", "b1", "a2", "b2"},
		},
		"lists of different lengths": {
			customsearchtest.Replies{"1.com": ok("a1"), "2.com": ok("b1", "b2", "b3")},
			websearch.Request{}, []string{"a1", "b1", "b2", "b3"},
		},
		"no more than asked for": {
			customsearchtest.Replies{"1.com": ok("a1", "a2"), "2.com": ok("b1", "b2")},
			websearch.Request{Num: new(3)}, []string{"a1", "b1", "a2"},
		},
		"a duplicate uses up its turn": {
			customsearchtest.Replies{"1.com": ok("same", "a2", "a3"), "2.com": ok("same", "b2")},
			websearch.Request{}, []string{"same", "a2", "b2", "a3"},
		},
		"a duplicate is skipped before the number is reached": {
			customsearchtest.Replies{"1.com": ok("same", "a2"), "2.com": ok("same", "b2")},
			websearch.Request{Num: new(2)}, []string{"same", "a2"},
		},
		"URLs are compared exactly": {
			customsearchtest.Replies{"1.com": ok("http://x.com/"),
				"2.com": ok("http://x.com", "http://X.com/")},
			websearch.Request{}, []string{"http://x.com/", "http://x.com", "http://X.com/"},
		},
		"nothing found anywhere": {
			customsearchtest.Replies{"1.com": ok(), "2.com": ok()},
			websearch.Request{}, []string{},
		},
		"a failed call leaves the others": {
			customsearchtest.Replies{"1.com": ok("a1"), "2.com": customsearchtest.JSON(500, `{}`)},
			websearch.Request{}, []string{"a1"},
		},
		"the first call failed": {
			customsearchtest.Replies{"1.com": customsearchtest.Silent, "2.com": ok("b1")},
			websearch.Request{}, []string{"b1"},
		},
		"a body that is not JSON leaves the others": {
			customsearchtest.Replies{"1.com": customsearchtest.JSON(200, "not valid json"),
				"2.com": ok("b1")},
			websearch.Request{}, []string{"b1"},
		},
		"no items next to items": {
			customsearchtest.Replies{"1.com": customsearchtest.JSON(200, `{"no_items": true}`),
				"2.com": ok("b1")},
			websearch.Request{}, []string{"b1"},
		},
		"items that are no list next to items": {
			customsearchtest.Replies{"1.com": customsearchtest.JSON(200, `{"items": "not array"}`),
				"2.com": ok("b1")},
			websearch.Request{}, []string{"b1"},
		},
		"one failed, the other found nothing": {
			customsearchtest.Replies{"1.com": customsearchtest.JSON(500, `{}`), "2.com": ok()},
			websearch.Request{}, []string{},
		},
		"blocked pages leave their turn to the next one": {
			customsearchtest.Replies{"1.com": ok("https://x.1.com/", "https://y.1.com/"),
				"2.com": ok("https://2.com/")},
			websearch.Request{BlockedDomains: []string{"x.1.com"}},
			[]string{"https://y.1.com/", "https://2.com/"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.request.Query = "test"
			test.request.AllowedDomains = []string{"1.com", "2.com"}
			response, err := newClient(t, customsearchtest.New(t, test.replies)).Search(t.Context(),
				test.request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, urls(response)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestASingleCallIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want []websearch.Result
	}{
		"all members":          {page("u"), []websearch.Result{{Title: "Page u", URL: "u", Snippet: "about u"}}},
		"no snippet":           {`{"items": [{"title": "t", "link": "u"}]}`, []websearch.Result{{Title: "t", URL: "u"}}},
		"a number for snippet": {`{"items": [{"title": "t", "link": "u", "snippet": 789}]}`, []websearch.Result{{Title: "t", URL: "u"}}},
		"no title":             {`{"items": [{"link": "u", "snippet": "s"}]}`, nil},
		"a number for title":   {`{"items": [{"title": 123, "link": "u"}]}`, nil},
		"no link":              {`{"items": [{"title": "t"}]}`, nil},
		"a number for link":    {`{"items": [{"title": "t", "link": 456}]}`, nil},
		"items of other types": {`{"items": [null, 1, "x", [], {}, {"title": "t", "link": "u"}]}`, []websearch.Result{{Title: "t", URL: "u"}}},
		"no items":             {`{"searchInformation": {"totalResults": "0"}}`, nil},
		"items is no list":     {`{"items": "not array"}`, nil},
		"a member twice":       {`{"items": [], "items": [{"title": "t", "title": "second", "link": "u"}]}`, []websearch.Result{{Title: "second", URL: "u"}}},
		"invalid UTF-8":        {"{\"items\": [{\"title\": \"t\xff\", \"link\": \"u\"}]}", []websearch.Result{{Title: "t\uFFFD", URL: "u"}}},
		"a byte order mark":    {"\uFEFF" + page("u"), []websearch.Result{{Title: "Page u", URL: "u", Snippet: "about u"}}},
		"no error":             {`{"error": null, "items": [{"title": "t", "link": "u"}]}`, []websearch.Result{{Title: "t", URL: "u"}}},
		"duplicates stay, up to the number": {
			`{"items": [{"title": "t", "link": "u"}, {"title": "t", "link": "u"}, {"title": "t", "link": "v"}]}`,
			[]websearch.Result{{Title: "t", URL: "u"}, {Title: "t", URL: "u"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": customsearchtest.JSON(200, test.body)})
			response, err := newClient(t, google).Search(t.Context(),
				websearch.Request{Query: "test", Num: new(2)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, response.Results); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBlockedDomainsAreLeftOutInEveryMode(t *testing.T) {
	t.Parallel()
	const blocked = "https://Spam.com:8443/page"
	for name, request := range map[string]websearch.Request{
		"one blocked":                  {BlockedDomains: []string{"spam.com"}},
		"several blocked":              {BlockedDomains: []string{"other.com", "SPAM.COM"}},
		"one allowed":                  {AllowedDomains: []string{"a.com"}, BlockedDomains: []string{"spam.com"}},
		"one allowed, several blocked": {AllowedDomains: []string{"a.com"}, BlockedDomains: []string{"spam.com", "other.com"}},
		"several allowed":              {AllowedDomains: []string{"a.com", "b.com"}, BlockedDomains: []string{"spam.com"}},
		"next to elements of no use":   {BlockedDomains: []string{"", "spam.com", " "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request.Query = "test"
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": customsearchtest.JSON(200,
					page(blocked, "https://www.spam.com/", "relative"))})
			response, err := newClient(t, google).Search(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"https://www.spam.com/", "relative"},
				urls(response)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestADomainBlocksItsOwnHostOnly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		domain, link string
		blocked      bool
	}{
		{"example.com", "https://example.com/page", true},
		{"example.com", "HTTP://EXAMPLE.COM", true},
		{"Example.Com", "https://example.com?q=1", true},
		{"example.com", "https://example.com:443/", true},
		{"example.com", "https://example.com./", true},
		{"example.com", "https://user:pass@example.com/", true},
		{"example.com", "//example.com/", true},
		{"example.com", "example.com/page", true},
		{"example.com", `https://example.com\@other.com/`, true},
		{"example.com", "https://example.com/%zz", true},
		{" example.com ", "https://example.com/", true},
		{"https://example.com/page", "https://example.com/other", true},
		{"[::1]", "http://[::1]:80/", true},
		{"example.com", "https://www.example.com/", false},
		{"example.com", "https://blog.example.com/", false},
		{"example.com", "https://notexample.com/", false},
		{"example.com", "https://example.com.fake/", false},
		{"example.com", "https://other.com/example.com", false},
		{"example.com", "https://other.com/?u=https://example.com/", false},
		{"example.com", "other.com/?u=https://example.com/", false},
		{"example.com", "https://other.com/#@example.com", false},
		{"", "", false},
		{"www.example.com", "https://example.com/", false},
	} {
		google := customsearchtest.New(t,
			customsearchtest.Replies{"": customsearchtest.JSON(200, page(test.link))})
		response, err := newClient(t, google).Search(t.Context(), websearch.Request{
			Query: "test", BlockedDomains: []string{"unrelated.org", test.domain},
		})
		if err != nil {
			t.Fatal(err)
		}
		if blocked := len(response.Results) == 0; blocked != test.blocked {
			t.Errorf("%q blocks %q: %v", test.domain, test.link, blocked)
		}
	}
}

func TestDomainsAreAskedAtTheSameTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts []websearch.Option
		want int // calls at the same time
	}{
		"by default": {nil, 10},
		"limited":    {[]websearch.Option{websearch.WithParallelCalls(3)}, 3},
		"one by one": {[]websearch.Option{websearch.WithParallelCalls(1)}, 1},
		"no limit":   {[]websearch.Option{websearch.WithParallelCalls(-1)}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, proceed := make(chan struct{}, 10), make(chan struct{})
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": func(w http.ResponseWriter, r *http.Request) {
					arrived <- struct{}{}
					<-proceed
					customsearchtest.JSON(200, page(r.FormValue("siteSearch")))(w, r)
				}})
			done := make(chan *websearch.Response)
			go func() {
				response, err := newClient(t, google, test.opts...).Search(t.Context(),
					websearch.Request{
						Query: "test", AllowedDomains: strings.Split("abcdefghij", ""),
					})
				if err != nil {
					t.Error(err)
				}
				done <- response
			}()
			for range test.want {
				<-arrived
			}
			select {
			case <-arrived:
				t.Errorf("more than %d calls at the same time", test.want)
			case <-time.After(50 * time.Millisecond):
			}
			close(proceed)
			if got := strings.Join(urls(<-done), ""); got != "abcdefghij" {
				t.Errorf("results in the order %q", got)
			}
		})
	}
}

func TestAClientServesManySearchesAtOnce(t *testing.T) {
	t.Parallel()
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": func(w http.ResponseWriter, r *http.Request) {
			customsearchtest.JSON(200, page(r.FormValue("q")+r.FormValue("siteSearch")))(w, r)
		}})
	client := newClient(t, google)
	var running sync.WaitGroup
	for i := range 20 {
		running.Go(func() {
			query := "query " + string(rune('a'+i))
			response, err := client.Search(t.Context(),
				websearch.Request{Query: query, AllowedDomains: []string{"1", "2"}})
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff([]string{query + "1", query + "2"}, urls(response)); diff != "" {
				t.Error(diff)
			}
		})
	}
	running.Wait()
}
