package limit

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// Tolerance is how long after its slot a call may begin, including the difference of the workers'
// clocks.
const Tolerance = 200 * time.Millisecond

const (
	// grain is the time resolution of the register.
	grain = 100 * time.Millisecond
	// window is how long a slot counts after its grain: a minute, and the tolerance of its call. It
	// is one nanosecond shorter. So a slot that waited for another to expire is at the end of a
	// grain, and expires itself without a delay.
	window = time.Minute + Tolerance - 1
	// pace is the time over which a limit is spread.
	pace = time.Minute
	// credit is how much of the pace can be made up after calls had to wait for something else.
	credit = time.Second / 2
)

// register is a project's state that the workers share. Times are in nanoseconds of Unix time.
type register struct {
	// last is the latest slot. No earlier slot is given, so the use of the minute before a slot is
	// known.
	last int64
	// due are the theoretical arrival times: when the next unit of each kind is due.
	due [kinds]int64
	// resume is until when the server has asked for no calls. quotaUntil is until when the daily
	// quota is used up.
	resume, quotaUntil int64
	// claim reserves room for a call that is too large for what other calls leave.
	claim claim
	// spent is the use of the slots of the last minute and the next second, sorted by time.
	spent []spending
	// total is the sum of spent.
	total amounts
}

// spending is the use of the slots in one grain.
type spending struct {
	grain   int64 // its number
	amounts amounts
}

// lapses returns when a grain is no longer in the minute before a slot.
func lapses(number int64) int64 { return (number+1)*int64(grain) + int64(window) }

// slot returns the earliest time at which a call may begin.
func (r *register) slot(need, limits amounts, now int64) int64 {
	return r.slotLeaving(amounts{}, need, limits, now)
}

// slotLeaving returns the earliest time for a call that leaves the amounts of another call free.
func (r *register) slotLeaving(other, need, limits amounts, now int64) int64 {
	at := max(now, r.last, r.resume)
	for k, limit := range limits {
		if limit > 0 && need[k] > 0 {
			// A call begins early by all of its units but one. A large call need not wait for them.
			at = max(at, r.due[k]+spread(other[k], limit)-spread(need[k]-1, limit))
		}
	}
	left := r.total.plus(other).plus(need)
	for _, s := range r.spent {
		if end := lapses(s.grain); end > at {
			if left.fits(limits) {
				return at
			}
			at = end
		}
		left = left.minus(s.amounts)
	}
	return at
}

// take assigns a slot.
func (r *register) take(need, limits amounts, at int64) {
	r.last = at
	for k, limit := range limits {
		if limit > 0 {
			r.due[k] = max(r.due[k], at-int64(credit)) + spread(need[k], limit)
		}
	}
	r.forget(at)
	r.spend(at, need)
}

// spread returns the time over which the pace of a limit spreads units, rounded up.
func spread(units, limit int64) int64 {
	high, low := bits.Mul64(uint64(units), uint64(pace))
	low, carry := bits.Add64(low, uint64(limit)-1, 0)
	quotient, _ := bits.Div64(high+carry, low, uint64(limit)) // units are at most the limit
	return int64(quotient)
}

// forget removes grains that are in the minute of no later slot.
func (r *register) forget(at int64) {
	n := 0
	for n < len(r.spent) && lapses(r.spent[n].grain) <= at {
		r.total = r.total.minus(r.spent[n].amounts)
		n++
	}
	r.spent = slices.Delete(r.spent, 0, n)
}

// spend records use at a time.
func (r *register) spend(at int64, used amounts) {
	s := r.at(at)
	s.amounts = s.amounts.plus(used)
	r.total = r.total.plus(used)
}

// at returns the entry of the grain at a time, for changes.
func (r *register) at(at int64) *spending {
	number := at / int64(grain)
	i, found := r.find(number)
	if !found {
		r.spent = slices.Insert(r.spent, i, spending{grain: number})
	}
	return &r.spent[i]
}

// find returns the index of a grain in spent, or where it belongs.
func (r *register) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(r.spent, number,
		func(s spending, number int64) int { return cmp.Compare(s.grain, number) })
}

// correct records the difference between a call's use and its slot. The unused part is free, and
// the excess counts from now on.
func (r *register) correct(c correction, limits amounts, now int64) {
	var more amounts
	for k, limit := range limits {
		change := c.change[k]
		if limit == 0 || change == 0 {
			continue
		}
		if change > 0 {
			more[k] = change
			r.due[k] += spread(min(change, limit), limit)
			continue
		}
		r.due[k] -= spread(min(-change, limit), limit)
		r.free(c.slot, k, -change)
	}
	if more != (amounts{}) {
		r.spend(max(now, r.last), more)
	}
}

// free takes back the use of a slot, if the register still has it.
func (r *register) free(slot int64, kind int, units int64) {
	i, found := r.find(slot / int64(grain))
	if !found {
		return
	}
	units = min(units, r.spent[i].amounts[kind])
	r.spent[i].amounts[kind] -= units
	r.total[kind] -= units
}

// claim is room that other workers leave for a call. Otherwise a call that is larger than others,
// or whose worker is slower, might never get a slot.
type claim struct {
	worker uint64
	// until is when the claim expires unless it is renewed, because its worker is gone then.
	until int64
	need  amounts
}

// isAgainst reports whether a worker has to leave room for another worker's call.
func (c *claim) isAgainst(worker uint64,
	now int64) bool {
	return c.worker != worker && c.until > now
}

// correction is the difference between a slot's estimate and the actual use.
type correction struct {
	slot   int64
	change amounts
}
