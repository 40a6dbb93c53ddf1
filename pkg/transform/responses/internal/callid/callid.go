// Package callid makes call ids for calls that Gemini sent without one, in the Responses API.
package callid

import (
	"hash/fnv"
	"strconv"
)

// Made is the prefix of the id of a call that Gemini sent without one. Such an id is never sent to
// Gemini.
const Made = "call_gemini_"

// Longest is the maximum length of an id in bytes in a request to OpenAI.
const Longest = 64

// Of returns an id for a call from its position in a response. The response id may be "".
func Of(responseID string, candidate, part int) string {
	position := strconv.Itoa(candidate) + "_" + strconv.Itoa(part)
	if responseID != "" {
		position = "_" + position
	}
	if len(Made)+len(responseID)+len(position) > Longest {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(responseID)) // never fails
		responseID = strconv.FormatUint(hash.Sum64(), 16)
	}
	return Made + responseID + position
}
