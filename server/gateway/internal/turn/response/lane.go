package response

import (
	"container/list"
	"fmt"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/go-json-experiment/json"
)

// Room is the memory of all connections for the responses that they can continue without a store.
// If it is full, it forgets the response that was used longest ago.
type Room struct {
	mu     sync.Mutex
	limit  int64 // of all
	most   int64 // of one
	size   int64
	recent list.List // of *remembered, the one used longest ago in front
}

// Limit sets the maximum size of all responses, and of one with the items before it.
func (r *Room) Limit(all, one int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limit, r.most = all, one
	r.shrink()
}

// shrink forgets responses until the rest fits.
func (r *Room) shrink() {
	for r.size > r.limit && r.recent.Len() > 0 {
		r.forget(r.recent.Front().Value.(*remembered))
	}
}

func (r *Room) forget(m *remembered) {
	if m.place == nil {
		return
	}
	r.recent.Remove(m.place)
	r.size -= m.size()
	m.place, m.items = nil, nil
}

// remembered is the latest response of a lane.
type remembered struct {
	id    string
	items []byte // the items up to the end of the response, as a JSON list
	place *list.Element
}

func (m *remembered) size() int64 { return int64(len(m.items)) }

// Connection is the memory of one connection: the latest response of each lane that no store has.
type Connection struct {
	room  *Room
	lanes map[string]*remembered // under the lock of the room
}

// Connect returns the memory of a new connection.
func (r *Room) Connect() *Connection {
	return &Connection{room: r, lanes: map[string]*remembered{}}
}

// Close forgets everything.
func (c *Connection) Close() {
	c.room.mu.Lock()
	defer c.room.mu.Unlock()
	for _, m := range c.lanes {
		c.room.forget(m)
	}
	clear(c.lanes)
}

// Lane is a lane of a connection during one turn.
type Lane struct {
	in       *Connection
	name     string
	previous string
	hasEnded bool // with a response that can be continued
}

// Begin begins a turn in a lane that continues a response. previous is its id, or "".
func (c *Connection) Begin(name, previous string) *Lane {
	return &Lane{in: c, name: name, previous: previous}
}

// End ends the turn. If it has failed, the lane forgets the response that it continued. Other lanes
// keep theirs.
func (l *Lane) End() {
	if l.hasEnded || l.previous == "" {
		return
	}
	l.in.room.mu.Lock()
	defer l.in.room.mu.Unlock()
	if m := l.in.lanes[l.name]; m != nil && m.id == l.previous {
		l.in.room.forget(m)
		delete(l.in.lanes, l.name)
	}
}

// find returns the items up to the end of a response, and their size. The items are nil if no lane
// of the connection has the response.
func (l *Lane) find(id string) ([]openaiapi.ResponseItem, int64, error) {
	text := l.text(id)
	if text == nil {
		return nil, 0, nil
	}
	items := []openaiapi.ResponseItem{}
	if err := json.Unmarshal(text, &items); err != nil {
		return nil, 0, fmt.Errorf("the response %s: %w", id, err)
	}
	return items, int64(len(text)), nil
}

// text returns the items of a response as JSON, or nil.
func (l *Lane) text(id string) []byte {
	if l == nil {
		return nil
	}
	room := l.in.room
	room.mu.Lock()
	defer room.mu.Unlock()
	for _, m := range l.in.lanes {
		if m.id == id && m.place != nil {
			room.recent.MoveToBack(m.place)
			return m.items
		}
	}
	return nil
}

// keep makes a response the latest of its lane. A response that the store has takes no memory. A
// failed response cannot be continued.
func (l *Lane) keep(before []openaiapi.ResponseItem, made *openaiapi.Response, isStored bool) {
	if l == nil || made.Status == openaiapi.ResponseStatusFailed {
		return
	}
	l.hasEnded = true
	m := &remembered{id: made.ID}
	if standsForAll(made.Output) {
		before = nil
	}
	if !isStored {
		items := history.Identify(slices.Concat(before, made.Output))
		text, err := json.Marshal(items, jsonx.Canonical)
		if err == nil {
			m.items = text
		}
	}
	room := l.in.room
	room.mu.Lock()
	defer room.mu.Unlock()
	if old := l.in.lanes[l.name]; old != nil {
		room.forget(old)
		delete(l.in.lanes, l.name)
	}
	if m.items == nil || m.size() > room.most {
		return
	}
	l.in.lanes[l.name] = m
	m.place = room.recent.PushBack(m)
	room.size += m.size()
	room.shrink()
}
