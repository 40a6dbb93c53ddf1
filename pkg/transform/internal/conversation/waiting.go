package conversation

// Reference is by what a result names its call.
type Reference struct {
	name       string
	isFunction bool
}

// ToID returns a reference by the id that the form has for the call.
func ToID(id string) Reference { return Reference{name: id} }

// ToFunction returns a reference by the name of the function, as results have that know no id.
func ToFunction(name string) Reference { return Reference{name: name, isFunction: true} }

// isTo reports whether the reference is to a call.
func (r Reference) isTo(call *Call) bool {
	if r.isFunction {
		return call.Name == r.name
	}
	return call.ID == r.name
}

// waitingCalls finds the calls of a turn that wait for results. Nearly all turns have few, which
// are looked through one after the other; those of many have an index, so that a hostile turn takes
// no more time for each of them.
type waitingCalls struct {
	// first is the first call that may still wait. All before it do not.
	first int
	// indexed is how many calls the lists of references have.
	indexed int
	// of the positions of calls; those in front that are answered are cut off
	lists map[Reference][]int
}

// fewCalls is how many calls are found faster without an index.
const fewCalls = 32

// find returns the first call that a reference is to and that has no result yet, nil if there is
// none. Known is whether another call is meant, and waiting whether any call waits.
func (w *waitingCalls) find(calls []Call, r Reference) (found *Call, known, waiting bool) {
	for w.first < len(calls) && (calls[w.first].answered || calls[w.first].Served) {
		w.first++
	}
	waiting = w.first < len(calls)
	if len(calls) > fewCalls {
		found, known = w.lookUp(calls, r)
		return found, known, waiting
	}
	for i := range calls {
		if call := &calls[i]; r.isTo(call) {
			if known = true; !call.answered {
				return call, true, waiting
			}
		}
	}
	return nil, known, waiting
}

// lookUp finds a call by the index.
func (w *waitingCalls) lookUp(calls []Call, r Reference) (found *Call, known bool) {
	if w.lists == nil {
		w.lists = make(map[Reference][]int, 2*len(calls))
	}
	for ; w.indexed < len(calls); w.indexed++ {
		for _, to := range [...]Reference{ToID(calls[w.indexed].ID),
			ToFunction(calls[w.indexed].Name)} {
			w.lists[to] = append(w.lists[to], w.indexed)
		}
	}
	list, known := w.lists[r]
	for len(list) > 0 && calls[list[0]].answered {
		list = list[1:]
	}
	if known {
		w.lists[r] = list
	}
	if len(list) == 0 {
		return nil, known
	}
	return &calls[list[0]], true
}
