// Package process runs what is measured in processes of its own, each of which is this program
// again, and reads from /proc what they use. It needs Linux.
package process
