// Package intermediary has what stands between a client and the upstream: the gateway, and what it
// is compared with.
package intermediary
