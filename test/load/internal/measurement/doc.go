// Package measurement compares the gateway with the other ways from a client to the upstream. Each
// measurement has processes of its own. It takes the ways in turns, so that other load of the
// machine affects all of them. It reports the median of its rounds.
package measurement
