// Package clock provides the current time, and lets tests replace it with a fixed time.
package clock

import "time"

// Now returns the current time. Only package clocktest replaces it, for tests whose results depend
// on the day.
var Now = time.Now
