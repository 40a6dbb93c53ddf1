package aisdk

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/transform/internal/uniqueid"
)

// callIDs are the ids that calls of the stream have. The zero value has none.
type callIDs struct {
	uniqueid.Set
	copies map[string]int // of ids that were repeated, the number of the last id made of each
}

// take returns the id that a call is to have, or another one made of it if a call has it: the SDK
// takes calls with one id for one call. A call that gets an id made of its own has Gemini's in its
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
