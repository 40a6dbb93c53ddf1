package websearch

import "slices"

// totalFailure returns the error of the first call if all calls failed, else nil.
func totalFailure(outcomes []outcome) *Error {
	succeeded := func(o outcome) bool { return o.failure == nil }
	if len(outcomes) == 0 || slices.ContainsFunc(outcomes, succeeded) {
		return nil
	}
	return outcomes[0].failure
}

// collect joins the results of all calls, without blocked domains and up to the requested number.
func collect(request Request, outcomes []outcome) []Result {
	blocked := newBlocklist(request.BlockedDomains)
	lists := make([][]Result, len(outcomes))
	for i, outcome := range outcomes {
		lists[i] = slices.DeleteFunc(outcome.results,
			func(r Result) bool { return blocked.contains(r.URL) })
	}
	most := function.Parameters.Properties.Num.or(request.Num)
	switch len(lists) {
	case 0:
		return nil
	case 1:
		return lists[0][:min(len(lists[0]), most)]
	default:
		return takeTurns(lists, most)
	}
}

// takeTurns merges lists: one element of each list per round, up to a number of results. An element
// with a repeated URL uses up its list's turn.
func takeTurns(lists [][]Result, most int) []Result {
	var out []Result
	seen := map[string]bool{}
	for round, more := 0, true; more; round++ {
		more = false
		for _, list := range lists {
			if round >= len(list) {
				continue
			}
			more = true
			result := list[round]
			if seen[result.URL] {
				continue
			}
			if len(out) == most {
				return out
			}
			seen[result.URL] = true
			out = append(out, result)
		}
	}
	return out
}
