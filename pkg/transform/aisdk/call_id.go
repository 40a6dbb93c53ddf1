package aisdk

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/transform/internal/uniqueid"
)

// callIDs holds the ids of the stream's calls. The zero value is ready to use.
type callIDs struct {
	uniqueid.Set
	copies map[string]int // number of the last id that was made from a repeated id
}

// take returns a unique id for a call, which is a variant of the wanted id if a call has that. The
// SDK treats calls with one id as one call. A call with a changed id has Gemini's id in its
// metadata.
func (c *callIDs) take(wanted string) string {
	if c.Add(wanted) {
		return wanted
	}
	if c.copies == nil {
		c.copies = map[string]int{}
	}
	for n := max(c.copies[wanted], 1) + 1; ; n++ {
		if id := wanted + "-" + strconv.Itoa(n); c.Add(id) {
			c.copies[wanted] = n
			return id
		}
	}
}
