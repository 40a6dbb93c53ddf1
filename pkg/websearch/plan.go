package websearch

import (
	"slices"
	"strconv"
	"strings"
)

// call is one request to Google.
type call struct {
	query      string
	num, start int
	site       string // siteSearch; "" for the whole web
	filter     string // siteSearchFilter
}

// The values of siteSearchFilter.
const (
	onlySite    = "i"
	withoutSite = "e"
)

// planCalls returns the calls for a request, in the order of the allowed domains. It returns none
// if every allowed domain is blank or blocked.
func planCalls(r Request) []call {
	properties := function.Parameters.Properties
	whole := call{query: r.Query, num: properties.Num.or(r.Num),
		start: properties.Start.or(r.Start)}
	if len(r.AllowedDomains) > 0 {
		blocked := newBlocklist(r.BlockedDomains)
		return splitCalls(whole,
			slices.DeleteFunc(slices.Clone(r.AllowedDomains), blocked.contains))
	}
	if len(r.BlockedDomains) == 1 && !blank(r.BlockedDomains[0]) {
		whole.site, whole.filter = r.BlockedDomains[0], withoutSite
	}
	return []call{whole}
}

// splitCalls divides the results of one call among the domains.
func splitCalls(whole call, domains []string) []call {
	if len(domains) == 0 {
		return nil
	}
	var calls []call
	each, rest := whole.num/len(domains), whole.num%len(domains)
	for i, domain := range domains {
		share := whole
		share.num = each
		if i < rest {
			share.num++
		}
		share.site, share.filter = domain, onlySite
		if share.num > 0 && !blank(domain) {
			calls = append(calls, share)
		}
	}
	return calls
}

func blank(domain string) bool { return strings.TrimSpace(domain) == "" }

// rawQuery returns the parameters in a fixed order, each value percent-encoded.
func (c call) rawQuery(credentials Credentials) string {
	parameters := [][2]string{
		{"key", reveal(credentials.apiKey)},
		{"cx", reveal(credentials.engineID)},
		{"q", c.query},
		{"num", strconv.Itoa(c.num)},
		{"start", strconv.Itoa(c.start)},
	}
	if c.site != "" {
		parameters = append(parameters, [2]string{"siteSearch", c.site},
			[2]string{"siteSearchFilter", c.filter})
	}
	pairs := make([]string, len(parameters))
	for i, parameter := range parameters {
		pairs[i] = parameter[0] + "=" + percentEncode(parameter[1])
	}
	return strings.Join(pairs, "&")
}
