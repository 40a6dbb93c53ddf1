package limit

import "time"

// Latest returns the latest time at which the call of a permit may begin.
func (p Permit) Latest() time.Time { return time.Unix(0, p.slot).Add(Tolerance) }
