package indexed

// Positions gives indexes to the elements of one list that have none: candidates may come without one,
// which means 0, and there may be several of them. The zero value is for a list of which nothing was
// seen yet.
type Positions struct {
	first int
	size  int
	taken map[int]bool // made for the second element: nearly all lists are of one
	next  int          // no index below it is free
}

// Of returns the index of the next element: its own, 0 if that is negative, and for an element without
// one the lowest that none before it has.
func (p *Positions) Of(index *int) int {
	p.size++
	at := 0
	if index != nil {
		at = max(*index, 0)
	}
	if p.size == 1 {
		p.first = at
		return at
	}
	if p.taken == nil {
		p.taken = map[int]bool{p.first: true}
	}
	if index == nil {
		at = p.free()
	}
	p.taken[at] = true
	return at
}

func (p *Positions) free() int {
	for p.taken[p.next] {
		p.next++
	}
	return p.next
}
