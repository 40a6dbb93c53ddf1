package socket

import (
	"context"
	"sync"
)

// Group counts connections, because a server does not count them after the upgrade.
type Group struct {
	limit, share int

	mu      sync.Mutex
	seats   map[*Seat]struct{}
	clients map[string]int
	why     *Close        // of Shutdown, nil before
	idle    chan struct{} // closed when the last seat is free; nil if nothing waits
}

// NewGroup returns a group of at most limit connections, of which one client has at most share.
func NewGroup(limit, share int) *Group {
	return &Group{limit: limit, share: share, seats: map[*Seat]struct{}{},
		clients: map[string]int{}}
}

// Seat is the place of one connection in a group.
type Seat struct {
	group  *Group
	client string
	conn   *Conn // nil until Hold
}

// Take returns a seat for a client's next connection, or nil if the group is full.
func (g *Group) Take(client string) *Seat {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.seats) >= g.limit || g.clients[client] >= g.share || g.why != nil {
		return nil
	}
	s := &Seat{group: g, client: client}
	g.seats[s] = struct{}{}
	g.clients[client]++
	return s
}

// Hold sets the connection of the seat. If the group is shut down, the connection is drained.
func (s *Seat) Hold(conn *Conn) {
	s.group.mu.Lock()
	s.conn = conn
	why := s.group.why
	s.group.mu.Unlock()
	if why != nil {
		conn.Drain(why)
	}
}

// Leave frees the seat.
func (s *Seat) Leave() {
	g := s.group
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.seats, s)
	if g.clients[s.client]--; g.clients[s.client] <= 0 {
		delete(g.clients, s.client)
	}
	if len(g.seats) == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Drain drains all connections.
func (g *Group) Drain(why *Close) {
	for _, conn := range g.conns() {
		conn.Drain(why)
	}
}

// Shutdown drains all connections, and those that are accepted later.
func (g *Group) Shutdown(why *Close) {
	g.mu.Lock()
	g.why = why
	g.mu.Unlock()
	g.Drain(why)
}

func (g *Group) conns() (out []*Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for s := range g.seats {
		if s.conn != nil {
			out = append(out, s.conn)
		}
	}
	return out
}

// Wait waits until there is no connection, or until ctx ends. It returns the error of ctx.
func (g *Group) Wait(ctx context.Context) error {
	g.mu.Lock()
	if len(g.seats) == 0 {
		g.mu.Unlock()
		return nil
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
