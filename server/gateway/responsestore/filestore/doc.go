// Package filestore is a [responsestore.Store] in a file, which outlives the process: an embedded
// database (go.etcd.io/bbolt), of which a write is on the disk as a whole or not at all when Put
// returns.
//
//	store, err := filestore.Open("/var/lib/gemwire/responses.db", responsestore.Bounds{Age: 30 * 24 * time.Hour})
//	if err != nil { ... }
//	defer store.Close()
//
// The file holds what users write and what models answer, as it is; it is made so that its owner
// alone reads it. It is for one process at a time. What is removed makes room for what comes; the
// file does not get smaller. Documents beyond their age are not found, and leave the file with the
// next write or when it is opened.
package filestore
