package limit

// Limits are the limits of a project in any minute. 0 is no limit.
type Limits struct {
	Requests, TokensIn, TokensOut int64
}

// IsZero reports whether nothing is limited.
func (l Limits) IsZero() bool { return l == Limits{} }

func (l Limits) amounts() amounts {
	return amounts{max(l.Requests, 0), max(l.TokensIn, 0), max(l.TokensOut, 0)}
}

// Use is the amount of each limit that a call uses.
type Use struct {
	Requests, TokensIn, TokensOut int64
}

func (u Use) amounts() amounts { return amounts{u.Requests, u.TokensIn, u.TokensOut} }

// kinds is the number of limits.
const kinds = 3

// amounts are numbers of requests, input tokens and output tokens.
type amounts [kinds]int64

// upTo clamps each amount to 0 and the limit of its kind. It is 0 without a limit.
func (a amounts) upTo(limits amounts) amounts {
	for k, limit := range limits {
		a[k] = min(max(a[k], 0), limit)
	}
	return a
}

// where returns the amounts of kinds with a limit, and 0 for the others.
func (a amounts) where(limits amounts) amounts {
	for k, limit := range limits {
		if limit == 0 {
			a[k] = 0
		}
	}
	return a
}

// plus returns the sum of each kind.
func (a amounts) plus(b amounts) amounts {
	for k := range a {
		a[k] += b[k]
	}
	return a
}

// minus returns the difference of each kind.
func (a amounts) minus(b amounts) amounts {
	for k := range a {
		a[k] -= b[k]
	}
	return a
}

// fits reports whether no amount is above the limit of its kind.
func (a amounts) fits(limits amounts) bool {
	for k, limit := range limits {
		if limit > 0 && a[k] > limit {
			return false
		}
	}
	return true
}
