package inspector

import (
	"errors"
	"net/http"
	"slices"
)

// errTooManyPins refuses a pin that would leave too little room for new exchanges.
var errTooManyPins = errors.New("pinned requests already take half of the room; unpin one first")

// pin pins an exchange or unpins it. A pinned exchange is dropped only if there is no other.
func (s *store) pin(number int, pinned bool) (found bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := s.index(number)
	if !found {
		return false, nil
	}
	r := s.records[at]
	if pinned && !r.pinned && !s.hasRoomForPin(r) {
		return true, errTooManyPins
	}
	if r.pinned == pinned {
		return true, nil
	}
	s.revision++
	r.pinned = pinned
	if s.pins[number] = true; !pinned {
		delete(s.pins, number)
	}
	s.touch(r)
	if s.saved != nil && r.end != nil && !r.dropped {
		s.saved(r)
	}
	return true, nil
}

// hasRoomForPin reports whether the pinned exchanges and another have at most half of the store,
// with their media.
func (s *store) hasRoomForPin(another *record) bool {
	media := map[digest]bool{} // those that are counted
	count, bytes := 1, another.size+another.mediaSize(media)
	for number := range s.pins {
		if at, ok := s.index(number); ok {
			count++
			bytes += s.records[at].size + s.records[at].mediaSize(media)
		}
	}
	return count <= max(1, s.maxExchanges/2) && bytes <= s.maxBytes/2
}

// unpinExcess unpins the oldest exchanges that do not fit into half of the store, which may have
// become smaller. Otherwise there would be no room for new ones.
func (s *store) unpinExcess() {
	s.mu.Lock()
	defer s.mu.Unlock()
	media := map[digest]bool{}
	count, bytes := 0, 0
	for _, r := range slices.Backward(s.records) {
		if !r.pinned {
			continue
		}
		count++
		bytes += r.size + r.mediaSize(media)
		if count > max(1, s.maxExchanges/2) || bytes > s.maxBytes/2 {
			r.pinned = false
			delete(s.pins, r.number)
			if s.saved != nil {
				s.saved(r)
			}
		}
	}
}

// mediaSize returns the size of the media of an exchange that are not counted yet, and marks them
// as counted.
func (r *record) mediaSize(counted map[digest]bool) (size int) {
	for b := range r.allBodies() {
		for _, ref := range b.media {
			if !counted[ref.sum] {
				counted[ref.sum] = true
				size += len(ref.data) + mediaOverhead
			}
		}
	}
	return size
}

// pinExchange pins an exchange or unpins it.
func (i *Inspector) pinExchange(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Pinned bool `json:"pinned"`
	}
	number, ok := i.numberOf(w, r)
	if !ok || !readJSON(w, r, &want) {
		return
	}
	switch found, err := i.store.pin(number, want.Pinned); {
	case !found:
		i.refuseMissing(w, number)
	case err != nil:
		refuse(w, http.StatusConflict, err.Error())
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
