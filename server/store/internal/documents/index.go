package documents

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// index has the size, the age and the entry ids of all documents. It is safe for concurrent use.
type index struct {
	bounds responsestore.Bounds

	mu      sync.Mutex
	owners  map[string]*owned
	size    int64
	turn    uint64
	applied uint64        // the sequence of the last followed message
	changed chan struct{} // closed when applied grows
	batch   []change      // of a write that is not complete yet
}

// owned are the documents of an owner.
type owned struct {
	documents map[string]*known
	recent    *list.List // of *known, the one written longest ago in front
	size      int64
}

// known is a document in the index.
type known struct {
	key      key
	sequence uint64 // of its head, or 0 if only pieces are known
	previous string
	size     int64
	written  int64 // in nanoseconds; also when a document was written that continues it
	turn     uint64
	tail     []stamp
	parts    map[string][]stamp
	inRecent *list.Element // nil without a head
}

// change is a new head.
type change struct {
	key      key
	sequence uint64
	info     info
	tail     []stamp
}

func newIndex(bounds responsestore.Bounds) *index {
	return &index{bounds: bounds, owners: map[string]*owned{}, changed: make(chan struct{})}
}

// document returns what is known about a document, and makes it if create is set.
func (x *index) document(k key, create bool) *known {
	o := x.owners[k.owner]
	if o == nil {
		if !create {
			return nil
		}
		o = &owned{documents: map[string]*known{}, recent: list.New()}
		x.owners[k.owner] = o
	}
	d := o.documents[k.document]
	if d == nil && create {
		d = &known{key: k, parts: map[string][]stamp{}}
		o.documents[k.document] = d
	}
	return d
}

// addPart adds a blob with entries.
func (x *index) addPart(k key, name string, stamps []stamp) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(stamps) > 0 {
		x.document(k, true).parts[name] = stamps
	}
}

// apply applies the heads that were written together.
func (x *index) apply(changes []change) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.applyLocked(changes)
}

// applyLocked applies changes that are not known yet. The caller holds the lock.
func (x *index) applyLocked(changes []change) {
	changes = slices.DeleteFunc(changes, func(c change) bool {
		d := x.document(c.key, false)
		return d != nil && d.sequence >= c.sequence
	})
	if len(changes) == 0 {
		return
	}
	x.turn++
	for i := range changes {
		x.replace(&changes[i])
	}
	for i := range changes {
		x.renewChain(&changes[i])
	}
	for i := range changes {
		if d := x.document(changes[i].key, false); d != nil && d.inRecent != nil {
			x.touch(d, changes[i].info.Time)
		}
	}
}

// replace replaces what is known about a document.
func (x *index) replace(c *change) {
	if c.info.IsDeleted {
		x.forget(c.key)
		return
	}
	d := x.document(c.key, true)
	o := x.owners[c.key.owner]
	o.size += c.info.Size - d.size
	x.size += c.info.Size - d.size
	d.sequence, d.size, d.previous, d.tail = c.sequence, c.info.Size, c.info.Previous, c.tail
	for _, name := range c.info.Gone {
		delete(d.parts, name)
	}
	if d.inRecent == nil {
		d.inRecent = o.recent.PushBack(d)
	}
}

// renewChain marks the documents as new that a written one continues, the oldest first.
func (x *index) renewChain(c *change) {
	var chain []*known
	for previous := c.info.Previous; previous != ""; {
		d := x.document(c.key.sibling(previous), false)
		if d == nil || d.inRecent == nil || d.turn == x.turn {
			break
		}
		d.turn = x.turn
		chain = append(chain, d)
		previous = d.previous
	}
	for _, d := range slices.Backward(chain) {
		x.touch(d, c.info.Time)
	}
}

// touch marks a document as the one written last.
func (x *index) touch(d *known, now int64) {
	d.written = max(d.written, now)
	x.owners[d.key.owner].recent.MoveToBack(d.inRecent)
}

// forget removes a document.
func (x *index) forget(k key) {
	o := x.owners[k.owner]
	if o == nil || o.documents[k.document] == nil {
		return
	}
	d := o.documents[k.document]
	if d.inRecent != nil {
		o.recent.Remove(d.inRecent)
	}
	o.size -= d.size
	x.size -= d.size
	delete(o.documents, k.document)
	if len(o.documents) == 0 {
		delete(x.owners, k.owner)
	}
}

// writtenAt returns when a document counts as written, or 0 if it is not known.
func (x *index) writtenAt(k key) int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if d := x.document(k, false); d != nil {
		return d.written
	}
	return 0
}

// sequenceOf returns the sequence of a document's head, or 0 if it is not known.
func (x *index) sequenceOf(k key) uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if d := x.document(k, false); d != nil {
		return d.sequence
	}
	return 0
}

// found is where an entry with an id may be.
type found struct {
	key   key
	part  string // "" for the tail
	added int64
}

// find returns where an entry with an id may be, the one added last in front.
func (x *index) find(owner string, hash uint64) (all []found) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.owners[owner]
	if o == nil {
		return nil
	}
	for _, d := range o.documents {
		for _, s := range d.tail {
			if s.hash == hash {
				all = append(all, found{d.key, "", s.added})
			}
		}
		for name, stamps := range d.parts {
			for _, s := range stamps {
				if s.hash == hash {
					all = append(all, found{d.key, name, s.added})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int { return int(b.added - a.added) })
	return all
}

// hasRoom reports whether a write is within the bound on the size of all documents, once documents
// of its owner have made room. The write's own documents take size bytes and took before.
func (x *index) hasRoom(owner string, before, size int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	var own int64
	if o := x.owners[owner]; o != nil {
		own = o.size
	}
	return x.size-own+size <= x.bounds.TotalBytes
}

// surplus returns the document of an owner to remove next, because it is too old or above the
// bounds. ok is false for none.
func (x *index) surplus(owner string, now time.Time) (k key, sequence uint64, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.owners[owner]
	if o == nil || o.recent.Len() == 0 {
		return key{}, 0, false
	}
	d := o.recent.Front().Value.(*known)
	if o.size > x.bounds.Bytes || o.recent.Len() > x.bounds.Count ||
		x.size > x.bounds.TotalBytes && o.recent.Len() > 1 || x.isOld(d.written, now) {
		return d.key, d.sequence, true
	}
	return key{}, 0, false
}

// isOld reports whether a document is beyond its age.
func (x *index) isOld(written int64, now time.Time) bool {
	return now.UnixNano()-written >= int64(x.bounds.Age)
}

// ownerNames returns all owners.
func (x *index) ownerNames() (names []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range x.owners {
		names = append(names, name)
	}
	return names
}
