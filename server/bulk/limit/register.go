package limit

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// Tolerance is how much later than its slot a call may begin, with what the clocks of workers
// differ by.
const Tolerance = 200 * time.Millisecond

const (
	// grain is how exactly the register knows when something was used.
	grain = 100 * time.Millisecond
	// window is how long a slot counts behind its grain: a minute, and what its call may be late.
	// By the missing nanosecond a slot that waited for another to lapse is at the end of a grain,
	// and lapses itself without delay.
	window = time.Minute + Tolerance - 1
	// pace is the time over which a limit is spread.
	pace = time.Minute
	// credit is how much of the pace is made up for, where calls had to wait for something else.
	credit = time.Second / 2
)

// register is what workers share of a project. Times are in nanoseconds of Unix time.
type register struct {
	// last is the latest slot. No slot is given before it, so that what the minute before a slot
	// holds is known.
	last int64
	// due are the theoretical arrival times: when the next unit of each kind is due.
	due [kinds]int64
	// resume is until when the server wants to be left alone, and quotaUntil until when the quota
	// of a day is used up.
	resume, quotaUntil int64
	// claim keeps room for a call that is too large for what others leave.
	claim claim
	// spent is what slots were given for, of the last minute and of the next second. It is sorted.
	spent []spending
	// total is the sum of spent.
	total amounts
}

// spending is what the slots of one grain take.
type spending struct {
	grain   int64 // its number
	amounts amounts
}

// lapses returns when a grain is out of the minute before any slot from then on.
func lapses(number int64) int64 { return (number+1)*int64(grain) + int64(window) }

// slot returns the first time from now on at which a call may begin.
func (r *register) slot(need, limits amounts, now int64) int64 {
	return r.slotBehind(amounts{}, need, limits, now)
}

// slotBehind is slot for a call that leaves room for another one.
func (r *register) slotBehind(other, need, limits amounts, now int64) int64 {
	at := max(now, r.last, r.resume)
	for k, limit := range limits {
		if limit > 0 && need[k] > 0 { // the first unit is due, as the rest would be behind it
			at = max(at, r.due[k]+spread(other[k], limit)-spread(need[k]-1, limit))
		}
	}
	left := r.total.plus(other).plus(need)
	for _, s := range r.spent {
		if end := lapses(s.grain); end > at {
			if left.fits(limits) {
				break
			}
			at = end
		}
		left = left.minus(s.amounts)
	}
	return at
}

// take gives a slot away.
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

// spread returns how long units are spread over by the pace of a limit, rounded up.
func spread(units, limit int64) int64 {
	high, low := bits.Mul64(uint64(units), uint64(pace))
	low, carry := bits.Add64(low, uint64(limit)-1, 0)
	quotient, _ := bits.Div64(high+carry, low, uint64(limit)) // units are at most the limit
	return int64(quotient)
}

// forget drops what no slot from a time on has in its minute.
func (r *register) forget(at int64) {
	n := 0
	for n < len(r.spent) && lapses(r.spent[n].grain) <= at {
		r.total = r.total.minus(r.spent[n].amounts)
		n++
	}
	r.spent = slices.Delete(r.spent, 0, n)
}

// spend notes what is used at a time.
func (r *register) spend(at int64, used amounts) {
	s := r.at(at)
	s.amounts = s.amounts.plus(used)
	r.total = r.total.plus(used)
}

// at returns what is spent in the grain of a time, to be changed.
func (r *register) at(at int64) *spending {
	number := at / int64(grain)
	i, found := r.find(number)
	if !found {
		r.spent = slices.Insert(r.spent, i, spending{grain: number})
	}
	return &r.spent[i]
}

// find returns where the grain of a number is in spent, or belongs.
func (r *register) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(r.spent, number,
		func(s spending, number int64) int { return cmp.Compare(s.grain, number) })
}

// correct notes what a call used beside what its slot was given for: what it did not use is free,
// and what it used on top counts from now on.
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

// free takes back what a slot was given for, if the register still knows of it.
func (r *register) free(slot int64, kind int, units int64) {
	i, found := r.find(slot / int64(grain))
	if !found {
		return
	}
	units = min(units, r.spent[i].amounts[kind])
	r.spent[i].amounts[kind] -= units
	r.total[kind] -= units
}

// claim is the room that other workers leave for a call. Without one a call that is larger than
// others, or that of a worker that is slower to ask, might never find any.
type claim struct {
	worker uint64
	// until is when the claim is void if it is not made again, as its worker is gone then.
	until int64
	need  amounts
}

// isAgainst reports whether a worker has to leave room for the call of another.
func (c *claim) isAgainst(worker uint64,
	now int64) bool {
	return c.worker != worker && c.until > now
}

// correction is the difference between what a slot was given for and what was used.
type correction struct {
	slot   int64
	change amounts
}
