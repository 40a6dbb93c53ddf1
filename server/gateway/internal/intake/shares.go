package intake

// shares divides bytes or places among clients. A client gets more only while the free part is at
// least what the client then holds. So one client alone holds at most half, and the next still
// finds half of the remainder. It is not safe for concurrent use.
type shares struct {
	size  int64
	taken int64
	held  map[string]int64 // by client, without those that hold nothing
}

func newShares(size int64) shares { return shares{size: size, held: map[string]int64{}} }

// fits reports whether a client may take n more.
func (s *shares) fits(client string, n int64) bool {
	return s.held[client]+n <= s.size-s.taken-n
}

// take takes n for a client.
func (s *shares) take(client string, n int64) {
	s.taken += n
	s.held[client] += n
}

// give returns n from a client.
func (s *shares) give(client string, n int64) {
	s.taken -= n
	if s.held[client] -= n; s.held[client] <= 0 {
		delete(s.held, client)
	}
}
