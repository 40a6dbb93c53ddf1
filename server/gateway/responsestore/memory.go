package responsestore

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Memory is a [Store] in memory. Its data ends with the process.
type Memory struct {
	bounds Bounds
	now    func() time.Time

	mu        sync.Mutex
	size      int64
	turn      uint64 // of Put
	documents map[key]*kept
	entries   map[key][]location // the entries with ids, the one written last at the end
	owners    map[Owner]*owned
}

// owned are the documents of an owner.
type owned struct {
	size   int64
	recent *list.List // of *kept, the one written longest ago in front
}

// key is an owner and an id.
type key struct {
	owner Owner
	id    string
}

// kept is a document with its lists.
type kept struct {
	Document
	key      key
	lists    map[List][]Entry // by rising positions
	last     map[List]int     // the positions given last
	size     int64
	written  time.Time
	turn     uint64
	inRecent *list.Element
}

// location is where an entry is.
type location struct {
	document *kept
	list     List
	position int
}

// MemoryOption configures [NewMemory].
type MemoryOption func(*Memory)

// WithClock sets the clock (default time.Now).
func WithClock(now func() time.Time) MemoryOption { return func(m *Memory) { m.now = now } }

// NewMemory returns an empty store.
func NewMemory(bounds Bounds, opts ...MemoryOption) *Memory {
	m := &Memory{
		bounds: bounds.WithDefaults(), now: time.Now, documents: map[key]*kept{},
		entries: map[key][]location{}, owners: map[Owner]*owned{},
	}
	option.Apply(m, opts)
	return m
}

// Put implements [Store].
func (m *Memory) Put(_ context.Context, owner Owner, writes ...Write) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	if err := m.check(owner, writes); err != nil {
		return err
	}
	for i := range writes {
		m.write(owner, &writes[i])
	}
	m.renew(owner, writes)
	if o := m.owners[owner]; o != nil {
		for o.size > m.bounds.Bytes || o.recent.Len() > m.bounds.Count ||
			m.size > m.bounds.TotalBytes {
			m.remove(o.recent.Front().Value.(*kept))
		}
	}
	return nil
}

// check returns an error if the writes are not possible.
func (m *Memory) check(owner Owner, writes []Write) error {
	if err := CheckWrites(writes); err != nil {
		return err
	}
	var total int64
	for i := range writes {
		w := &writes[i]
		before := m.documents[key{owner, w.DocumentID()}]
		if before == nil && w.Document == nil {
			return ErrNotFound
		}
		if before != nil {
			total += before.size
			if w.Document != nil {
				total -= before.Document.Size()
			}
		}
		total += w.Size()
	}
	if total > min(m.bounds.Bytes, m.bounds.TotalBytes) || len(writes) > m.bounds.Count {
		return ErrTooLarge
	}
	var own int64
	if o := m.owners[owner]; o != nil {
		own = o.size
	}
	if m.size-own+total > m.bounds.TotalBytes {
		return ErrFull
	}
	return nil
}

// write performs one write.
func (m *Memory) write(owner Owner, w *Write) {
	k := key{owner, w.DocumentID()}
	d := m.documents[k]
	if d == nil {
		d = &kept{key: k, lists: map[List][]Entry{}, last: map[List]int{}}
		o := m.owners[owner]
		if o == nil {
			o = &owned{recent: list.New()}
			m.owners[owner] = o
		}
		d.inRecent = o.recent.PushBack(d)
		m.documents[k] = d
	}
	if w.Document != nil {
		if d.ID != "" {
			m.grow(d, -d.Document.Size())
		}
		d.Document = *w.Document
		d.JSON = slices.Clone(d.JSON)
		m.grow(d, d.Document.Size())
	}
	for _, e := range w.Entries {
		m.add(d, e)
	}
}

// grow adds bytes to the size of a document.
func (m *Memory) grow(d *kept, bytes int64) {
	d.size += bytes
	m.size += bytes
	m.owners[d.key.owner].size += bytes
}

// add adds an entry to its list.
func (m *Memory) add(d *kept, e Entry) {
	d.last[e.List]++
	e.Position = d.last[e.List]
	e.JSON = slices.Clone(e.JSON)
	d.lists[e.List] = append(d.lists[e.List], e)
	m.grow(d, e.Size())
	if e.ID != "" {
		k := key{d.key.owner, e.ID}
		m.entries[k] = append(m.entries[k], location{d, e.List, e.Position})
	}
}

// withoutDocument returns the locations without the locations of a document.
func withoutDocument(places []location, d *kept) []location {
	return slices.DeleteFunc(places, func(p location) bool { return p.document == d })
}

// renew marks the written documents, and the chains that they continue, as the newest. The oldest
// document of a chain comes first.
func (m *Memory) renew(owner Owner, writes []Write) {
	m.turn++
	for i := range writes {
		d := m.documents[key{owner, writes[i].DocumentID()}]
		var chain []*kept
		for d = m.documents[key{owner, d.Previous}]; d != nil &&
			d.turn != m.turn; d = m.documents[key{owner, d.Previous}] {
			d.turn = m.turn
			chain = append(chain, d)
		}
		for _, d := range slices.Backward(chain) {
			m.touch(d)
		}
	}
	for i := range writes {
		m.touch(m.documents[key{owner, writes[i].DocumentID()}])
	}
}

// touch marks a document as the one written last.
func (m *Memory) touch(d *kept) {
	d.written = m.now()
	m.owners[d.key.owner].recent.MoveToBack(d.inRecent)
}

// expire removes documents that are too old.
func (m *Memory) expire() {
	oldest := m.now().Add(-m.bounds.Age)
	for _, o := range m.owners {
		for front := o.recent.Front(); front != nil; front = o.recent.Front() {
			d := front.Value.(*kept)
			if d.written.After(oldest) {
				break
			}
			m.remove(d)
		}
	}
}

// remove removes a document.
func (m *Memory) remove(d *kept) {
	forgotten := map[string]bool{} // as many entries may have one id
	for _, entries := range d.lists {
		for i := range entries {
			if id := entries[i].ID; !forgotten[id] {
				forgotten[id] = true
				m.forget(d, id)
			}
		}
	}
	delete(m.documents, d.key)
	m.grow(d, -d.size)
	o := m.owners[d.key.owner]
	o.recent.Remove(d.inRecent)
	if o.recent.Len() == 0 {
		delete(m.owners, d.key.owner)
	}
}

// forget removes a document's entries from the index of ids. Entries of other documents with the
// same ids stay in the index.
func (m *Memory) forget(d *kept, id string) {
	k := key{d.key.owner, id}
	if left := withoutDocument(m.entries[k], d); len(left) > 0 {
		m.entries[k] = left
	} else {
		delete(m.entries, k)
	}
}

// forgetEntry removes an entry from the index of ids.
func (m *Memory) forgetEntry(d *kept, e *Entry) {
	k := key{d.key.owner, e.ID}
	places := m.entries[k]
	at := slices.Index(places, location{d, e.List, e.Position})
	if m.entries[k] = slices.Delete(places, at, at+1); len(m.entries[k]) == 0 {
		delete(m.entries, k)
	}
}

// find returns a document, or ErrNotFound.
func (m *Memory) find(owner Owner, id string) (*kept, error) {
	m.expire()
	if d := m.documents[key{owner, id}]; d != nil {
		return d, nil
	}
	return nil, ErrNotFound
}

// Get implements [Store].
func (m *Memory) Get(_ context.Context, owner Owner, id string) (*Document, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.find(owner, id)
	if err != nil {
		return nil, err
	}
	out := d.Document
	return &out, nil
}

// Entries implements [Store].
func (m *Memory) Entries(_ context.Context, owner Owner, id string, list List, page Page) ([]Entry,
	bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.find(owner, id)
	if err != nil {
		return nil, false, err
	}
	var out []Entry
	entries := d.lists[list]
	for i := range entries {
		e := entries[i]
		if page.IsDescending {
			e = entries[len(entries)-1-i]
		}
		if !page.Includes(e.Position) {
			continue
		}
		if page.Limit > 0 && len(out) == page.Limit {
			return out, true, nil
		}
		out = append(out, e)
	}
	return out, false, nil
}

// Find implements [Store].
func (m *Memory) Find(_ context.Context, owner Owner, entryID string) (string, *Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	places := m.entries[key{owner, entryID}]
	if len(places) == 0 {
		return "", nil, ErrNotFound
	}
	at := places[len(places)-1]
	entries := at.document.lists[at.list]
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Position == at.position })
	out := entries[i]
	return at.document.ID, &out, nil
}

// Delete implements [Store].
func (m *Memory) Delete(_ context.Context, owner Owner, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.find(owner, id)
	if err != nil {
		return err
	}
	m.remove(d)
	return nil
}

// DeleteEntry implements [Store]. If another document has an entry with the same id, that entry can
// still be found by the id.
func (m *Memory) DeleteEntry(_ context.Context, owner Owner, documentID, entryID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, err := m.find(owner, documentID)
	if err != nil {
		return err
	}
	for _, list := range [...]List{Items, Output, Input, Events} {
		entries := d.lists[list]
		i := lastOf(entries, entryID)
		if i < 0 {
			continue
		}
		deleted := entries[i]
		m.grow(d, -deleted.Size())
		d.lists[list] = slices.Delete(entries, i, i+1)
		m.forgetEntry(d, &deleted)
		return nil
	}
	return ErrNotFound
}

// lastOf returns the index of the last entry with an id, or -1.
func lastOf(entries []Entry, id string) int {
	i := len(entries) - 1
	for i >= 0 && (id == "" || entries[i].ID != id) {
		i--
	}
	return i
}

// Close implements [Store]. It does nothing.
func (m *Memory) Close() error { return nil }
