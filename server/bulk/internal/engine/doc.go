// Package engine has the streams and tables of bulk jobs on NATS JetStream, wherever that runs: in
// a directory, by a server in this process or in another one of this machine, or on servers
// elsewhere.
//
// A directory belongs to the process that holds its lock. That one runs a server without any port,
// and lets other processes reach it by a Unix socket. When it ends, the first of the others that
// notices takes the lock and goes on. Each connects anew by itself, so that nobody above this
// package sees it.
package engine
