package limit

import (
	"math"
	"testing"
	"time"
)

const second = int64(time.Second)

// The register is tested inside the package. From outside, a test of its guarantee for a minute
// would take a minute.

func TestASlotIsAtOnceWhileTheMinuteHasRoom(t *testing.T) {
	t.Parallel()
	limits := amounts{60, 600, 0}
	now := 1000 * second
	for name, tt := range map[string]struct {
		before func(r *register)
		need   amounts
		want   int64
	}{
		"nothing was used":                    {func(*register) {}, amounts{1, 10, 5}, now},
		"no slot before the last one":         {func(r *register) { r.last = now + 3*second }, amounts{1, 10, 0}, now + 3*second},
		"not before the server wants it":      {func(r *register) { r.resume = now + 4*second }, amounts{1, 10, 0}, now + 4*second},
		"one request each second":             {func(r *register) { r.take(amounts{1, 0, 0}, limits, now) }, amounts{1, 0, 0}, now + second/2},
		"half a second is made up for":        {func(r *register) { r.take(amounts{1, 0, 0}, limits, now-second) }, amounts{1, 0, 0}, now},
		"tokens pace too":                     {func(r *register) { r.take(amounts{1, 300, 0}, limits, now) }, amounts{1, 10, 0}, now + 30*second - second/2 - 9*second/10},
		"many units are due a little earlier": {func(r *register) { r.take(amounts{0, 10, 0}, limits, now) }, amounts{0, 100, 0}, now},
		"what has no limit is no reason":      {func(r *register) { r.take(amounts{0, 0, 1 << 40}, limits, now) }, amounts{1, 0, 1 << 40}, now},
		"what needs nothing has no due":       {func(r *register) { r.take(amounts{60, 0, 0}, limits, now) }, amounts{0, 10, 0}, now},
	} {
		r := &register{}
		tt.before(r)
		got := r.slot(tt.need, limits, now)
		if got != tt.want {
			t.Errorf("%s: in %v, want %v", name, time.Duration(got-now), time.Duration(tt.want-now))
		}
	}
}

func TestASlotWaitsUntilWhatTheMinuteHoldsLapses(t *testing.T) {
	t.Parallel()
	limits := amounts{2, 0, 0}
	now := 1000 * second
	r := &register{}
	r.spend(now, amounts{1, 0, 0})
	r.spend(now+10*second, amounts{1, 0, 0})
	if at := r.slot(amounts{1, 0, 0}, limits, now+10*second); at != lapses(now/int64(grain)) {
		t.Errorf("one of two: in %v", time.Duration(at-now))
	}
	if at := r.slot(amounts{2, 0, 0}, limits,
		now+10*second); at != lapses((now+10*second)/int64(grain)) {
		t.Errorf("two of two: in %v", time.Duration(at-now))
	}
	if at := r.slotLeaving(amounts{1, 0, 0}, amounts{1, 0, 0}, limits,
		now+10*second); at != lapses((now+10*second)/int64(grain)) {
		t.Errorf("with another one in flight: in %v", time.Duration(at-now))
	}
	if lapses(5) != 6*int64(grain)+int64(window) {
		t.Errorf("a grain lapses at %d", lapses(5))
	}
}

func TestExpiredEntriesAreForgotten(t *testing.T) {
	t.Parallel()
	now := 1000 * second
	r := &register{}
	r.spend(now, amounts{1, 2, 3})
	r.spend(now+second, amounts{10, 20, 30})
	r.spend(now+second, amounts{1, 1, 1})
	if len(r.spent) != 2 || r.total != (amounts{12, 23, 34}) {
		t.Fatalf("%+v", r)
	}
	r.forget(lapses(now/int64(grain)) - 1)
	if len(r.spent) != 2 {
		t.Errorf("forgotten before its time: %+v", r)
	}
	r.forget(lapses(now / int64(grain)))
	if len(r.spent) != 1 || r.total != (amounts{11, 21, 31}) {
		t.Errorf("%+v", r)
	}
}

func TestCorrectionsFreeWhatWasNotUsedAndCountWhatWasUsedOnTop(t *testing.T) {
	t.Parallel()
	limits := amounts{60, 600, 0}
	now := 1000 * second
	r := &register{}
	r.take(amounts{1, 100, 5}, limits, now)
	due := r.due
	r.correct(correction{slot: now, change: amounts{0, -40, -5}}, limits, now+second)
	if r.total != (amounts{1, 60, 5}) || r.due[1] != due[1]-4*second || r.due[0] != due[0] ||
		r.due[2] != 0 {
		t.Errorf("less: %+v, before %v", r, due)
	}
	r.correct(correction{slot: now, change: amounts{0, 30, 7}}, limits, now+second)
	if r.total != (amounts{1, 90, 5}) || r.due[1] != due[1]-second || len(r.spent) != 2 {
		t.Errorf("more: %+v", r)
	}
	r.correct(correction{slot: now, change: amounts{0, -900, 0}}, limits, now+second)
	if r.total != (amounts{1, 30, 5}) || r.spent[0].amounts[1] != 0 ||
		r.due[1] != due[1]-second-60*second {
		t.Errorf("less than nothing: %+v", r)
	}
	before := r.total
	r.correct(correction{slot: now - 500*second, change: amounts{-1, 0, 0}}, limits, now)
	if r.total != before {
		t.Errorf("of a slot that is forgotten: %+v", r)
	}
	r.correct(correction{slot: now, change: amounts{}}, limits, now+9*second)
	if len(r.spent) != 2 {
		t.Errorf("no change: %+v", r)
	}
}

func TestUnitsAreSpreadOverTheMinute(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ units, limit, want int64 }{
		{0, 60, 0}, {1, 60, second}, {60, 60, 60 * second}, {1, 7, (60*second + 6) / 7},
		{math.MaxInt64, math.MaxInt64, 60 * second}, {1, math.MaxInt64, 1},
	} {
		if got := spread(tt.units, tt.limit); got != tt.want {
			t.Errorf("%d of %d: %d, want %d", tt.units, tt.limit, got, tt.want)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	limits := amounts{10, 0, 5}
	if got := (amounts{20, 20, -3}).upTo(limits); got != (amounts{10, 0, 0}) {
		t.Errorf("upTo: %v", got)
	}
	if got := (amounts{1, 2, 3}).where(limits); got != (amounts{1, 0, 3}) {
		t.Errorf("where: %v", got)
	}
	for _, tt := range []struct {
		a    amounts
		want bool
	}{{amounts{10, 99, 5}, true}, {amounts{11, 0, 0}, false}, {amounts{0, 0, 6}, false}, {amounts{},
		true}} {
		if tt.a.fits(limits) != tt.want {
			t.Errorf("%v fits: %v", tt.a, !tt.want)
		}
	}
	if got := (Limits{Requests: -1, TokensIn: 3}).amounts(); got != (amounts{0, 3, 0}) {
		t.Errorf("limits below 0: %v", got)
	}
}

func TestAClaimIsAgainstOtherWorkersWhileItLasts(t *testing.T) {
	t.Parallel()
	c := claim{worker: 1, until: 100}
	if !c.isAgainst(2, 99) || c.isAgainst(2, 100) || c.isAgainst(1, 99) {
		t.Error("wrong")
	}
}

func TestWorkersThatAreSlowerWaitLonger(t *testing.T) {
	t.Parallel()
	for tries := range 2 {
		if got := contention(tries); got != 0 {
			t.Errorf("%d tries: %v", tries, got)
		}
	}
	for _, tries := range []int{2, 3, 6, 100} {
		most := time.Millisecond << min(tries, 6)
		var longest time.Duration
		for range 1000 {
			longest = max(longest, contention(tries))
		}
		if longest >= most || longest < most/2 {
			t.Errorf("%d tries: at most %v, want nearly %v", tries, longest, most)
		}
	}
}

func TestTheNextTryIsBeforeTheSlotAndSoonEnough(t *testing.T) {
	t.Parallel()
	now := 1000 * second
	if got := nextTry(now+2*second, now); got != 2*time.Second-horizon/2 {
		t.Errorf("a slot in 2s: %v", got)
	}
	if got := nextTry(now+60*second, now); got != longestPoll {
		t.Errorf("a slot in a minute: %v", got)
	}
}

// A call that has waited for long as the first of its worker claims room, as soon as the server
// allows calls.
func TestACallClaimsRoomAfterItsPatience(t *testing.T) {
	t.Parallel()
	l := &Limiter{worker: 7}
	now := 1000 * second
	w := &waiting{need: amounts{3, 0, 0}}
	r, d := &register{}, &draft{again: time.Second}
	l.stake(r, d, w, now)
	if w.first != now || d.isChanged || r.claim.worker != 0 {
		t.Fatalf("at first: %+v, %+v", w, r.claim)
	}
	l.stake(r, d, w, now+int64(patience)-1)
	if d.isChanged {
		t.Fatalf("too soon: %+v", r.claim)
	}
	r.resume = now + int64(patience) + 1
	l.stake(r, d, w, now+int64(patience))
	if d.isChanged {
		t.Fatalf("while the server wants to be left alone: %+v", r.claim)
	}
	r.resume = now + int64(patience)
	l.stake(r, d, w, now+int64(patience))
	want := claim{worker: 7, until: now + int64(patience) + int64(time.Second+horizon),
		need: w.need}
	if !d.isChanged || r.claim.worker != want.worker || r.claim.until != want.until ||
		r.claim.need != want.need || w.first != now {
		t.Errorf("%+v, want %+v", r.claim, want)
	}
}

// A worker leaves the room that another worker has claimed. Its own claim ends when it gets its
// slot.
func TestAClaimIsLeftItsRoom(t *testing.T) {
	t.Parallel()
	now := 1000 * second
	l := &Limiter{worker: 7, limits: amounts{2, 0, 0}}
	w := &waiting{need: amounts{1, 0, 0}, slot: make(chan int64, 1)}
	l.queue = []*waiting{w}
	r, d := &register{claim: claim{worker: 8, until: now + 1, need: amounts{2, 0, 0}}}, &draft{}
	r.spend(now, amounts{1, 0, 0})
	l.serve(r, d, now)
	if len(d.served) != 0 || d.again < horizon/10 || d.isChanged {
		t.Errorf("against the claim: %+v", d)
	}
	r.claim.until = now
	l.serve(r, d, now)
	if len(d.served) != 1 || d.slots[0] != now || !d.isChanged || r.claim.worker != 8 {
		t.Errorf("after the claim: %+v, %+v", d, r.claim)
	}
	own, d := &register{claim: claim{worker: 7, until: now + 9, need: amounts{1, 0, 0}}}, &draft{}
	l.serve(own, d, now)
	if len(d.served) != 1 || own.claim != (claim{}) {
		t.Errorf("its own claim: %+v, %+v", d, own.claim)
	}
	far, d := &register{last: now + int64(horizon)}, &draft{}
	l.serve(far, d, now)
	if len(d.served) != 1 {
		t.Errorf("at the horizon: %+v", d)
	}
	far, d = &register{last: now + int64(horizon) + 1}, &draft{}
	l.serve(far, d, now)
	if len(d.served) != 0 || d.again != nextTry(far.last, now) || w.first != now {
		t.Errorf("beyond the horizon: %+v", d)
	}
}

// A call may give up while its slot is requested from the ledger. Then the slot is free again, and
// the next call does not get it.
func TestASlotOfACallThatLeftIsGivenBack(t *testing.T) {
	t.Parallel()
	left, other := &waiting{need: amounts{1, 20, 0}}, &waiting{slot: make(chan int64, 1)}
	for name, queue := range map[string][]*waiting{"alone": nil, "before another": {other}} {
		l := &Limiter{now: time.Now, queue: queue}
		l.commit(&draft{served: []*waiting{left}, slots: []int64{7}})
		want := correction{slot: 7, change: amounts{-1, -20, 0}}
		if len(other.slot) > 0 || len(l.queue) != len(queue) || len(l.corrections) != 1 ||
			l.corrections[0] != want {
			t.Errorf("%s: %d slots are given, %d wait, corrections %v", name, len(other.slot),
				len(l.queue), l.corrections)
		}
	}
}

func TestARecordThatIsDamagedIsAnError(t *testing.T) {
	t.Parallel()
	good := &register{last: 7,
		spent: []spending{{grain: 5, amounts: amounts{1}}, {grain: 6, amounts: amounts{2}}}}
	record := good.appendRecord(nil)
	if read, err := readRegister(record); err != nil || read.total != (amounts{3}) ||
		len(read.spent) != 2 {
		t.Fatalf("%+v, %v", read, err)
	}
	twice := &register{spent: []spending{{grain: 5}, {grain: 5}}}
	before := &register{spent: []spending{{grain: 5}, {grain: 4}}}
	for name, damaged := range map[string][]byte{
		"another version": append([]byte{recordVersion + 1}, record[1:]...),
		"cut off":         record[:len(record)-1],
		"more after it":   append(record[:len(record):len(record)], 0),
		"a grain twice":   twice.appendRecord(nil),
		"out of order":    before.appendRecord(nil),
		"the version":     {recordVersion},
	} {
		if read, err := readRegister(damaged); err == nil {
			t.Errorf("%s: %+v", name, read)
		}
	}
}
