// Package measurement measures the gateway beside the other ways from a client to the upstream.
// Each measurement has processes of its own, takes the ways in turns, so that what else the machine
// does meets all of them, and says the median of its rounds.
package measurement
