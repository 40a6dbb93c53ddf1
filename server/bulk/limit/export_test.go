package limit

import "time"

// Latest returns until when the call of a permit may begin.
func (p Permit) Latest() time.Time { return time.Unix(0, p.slot).Add(Tolerance) }
