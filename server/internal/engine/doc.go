// Package engine provides the streams and tables of everything that the server stores on NATS
// JetStream: in a directory, with a server in this or another process of the machine, or on remote
// servers.
//
// A directory belongs to the process that holds its lock. That process runs a server without a
// port, and other processes reach it through a Unix socket. When it ends, the first other process
// that notices takes the lock and continues. Each process reconnects by itself, so that code above
// this package does not notice.
package engine
