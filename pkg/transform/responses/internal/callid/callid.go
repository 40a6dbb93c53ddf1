// Package callid knows which ids of calls this module has made, as Gemini often sends none.
package callid

import (
	"hash/fnv"
	"strconv"
)

// Made is how an id begins that was made for a call without one. Such an id is never sent to
// Gemini.
const Made = "call_gemini_"

// Longest is how many bytes an id may have in a request to OpenAI.
const Longest = 64

// Of returns the id of a call by its position in a response, whose own id may be "".
func Of(responseID string, candidate, part int) string {
	position := strconv.Itoa(candidate) + "_" + strconv.Itoa(part)
	if responseID != "" {
		position = "_" + position
	}
	if len(Made)+len(responseID)+len(position) > Longest {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(responseID)) // which never fails
		responseID = strconv.FormatUint(hash.Sum64(), 16)
	}
	return Made + responseID + position
}
