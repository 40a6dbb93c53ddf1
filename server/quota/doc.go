// Package quota enforces limits of client keys over all replicas of a gateway: requests and tokens
// per minute, requests at a time, and budgets of money or tokens per day, week, month or in total.
//
//	q := quota.New(quota.On(ledger))
//	defer q.Close()
//	permit, err := q.Take(ctx, quota.Demand{Rule: rule, Need: estimate})
//	...
//	permit.Settle(0, used)
//	permit.Release()
//
// Each limit is a record in a [Ledger], which replicas change by compare-and-set. A replica holds a
// part of what is left, so most requests change only numbers in memory. It reports what was used
// within a tenth of a second, and gives back what it does not need within two seconds.
//
// A budget refuses requests when what was spent and what requests in flight may cost reaches the
// limit. So it is exceeded by at most one request. What a killed replica holds expires after
// [Lease]. What its requests in flight really cost is unknown, and not counted.
//
// Without a ledger the limits apply to this process, and end with it.
package quota
