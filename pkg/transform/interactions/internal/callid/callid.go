// Package callid recognizes the call ids that this module makes for calls that Gemini sent without
// one, in the Interactions API.
package callid

import "strings"

// Made is the prefix of the id of a call that Gemini sent without one. Such an id is never sent to
// Gemini.
const Made = "call_gemini_"

// IsMade reports whether this module has made an id.
func IsMade(id string) bool { return strings.HasPrefix(id, Made) }
