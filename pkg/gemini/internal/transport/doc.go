// Package transport sends one HTTP request and returns the reply. It follows no redirect, sends a
// credential only to its origin, and enforces time limits.
package transport
