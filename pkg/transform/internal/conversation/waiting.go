package conversation

// Reference is the name or id by which a result refers to its call.
type Reference struct {
	name       string
	isFunction bool
}

// ToID returns a reference by the form's id of the call.
func ToID(id string) Reference { return Reference{name: id} }

// ToFunction returns a reference by function name, for results without an id.
func ToFunction(name string) Reference { return Reference{name: name, isFunction: true} }

// isTo reports whether the reference refers to a call.
func (r Reference) isTo(call *Call) bool {
	if r.isFunction {
		return call.Name == r.name
	}
	return call.ID == r.name
}

// waitingCalls finds the calls of a turn that wait for results. Most turns have few calls, and a
// linear search finds them. Turns with many calls have an index, which bounds the time for a
// hostile turn.
type waitingCalls struct {
	// first is the first call that may still wait. No call before it waits.
	first int
	// indexed is the number of calls in lists.
	indexed int
	// positions of calls; answered ones are removed from the front
	lists map[Reference][]int
}

// fewCalls is the number of calls up to which a search without an index is faster.
const fewCalls = 32

// find returns the first call without a result that a reference refers to, or nil. known reports
// whether the reference refers to any call, and waiting whether any call waits.
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

// lookUp finds a call with the index.
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
