// Package transport sends one HTTP request and hands out the reply: it follows no redirect, gives a
// credential to nobody but the origin that it is for, and ends what takes too long.
package transport
