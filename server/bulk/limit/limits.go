package limit

// Limits are what a project may ask in any minute. 0 is no limit.
type Limits struct {
	Requests, TokensIn, TokensOut int64
}

// IsZero reports whether nothing is limited.
func (l Limits) IsZero() bool { return l == Limits{} }

func (l Limits) amounts() amounts {
	return amounts{max(l.Requests, 0), max(l.TokensIn, 0), max(l.TokensOut, 0)}
}

// Use is what calls take of the limits.
type Use struct {
	Requests, TokensIn, TokensOut int64
}

func (u Use) amounts() amounts { return amounts{u.Requests, u.TokensIn, u.TokensOut} }

// kinds is how many limits there are.
const kinds = 3

// amounts are numbers of requests, tokens in and tokens out.
type amounts [kinds]int64

// upTo returns each amount, at most the limit of its kind and at least 0; 0 where there is no
// limit.
func (a amounts) upTo(limits amounts) amounts {
	for k, limit := range limits {
		a[k] = min(max(a[k], 0), limit)
	}
	return a
}

// where returns the amounts that have a limit, 0 for others.
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
