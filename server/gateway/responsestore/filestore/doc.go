// Package filestore stores the data of package responsestore in a file, which a restart keeps. It
// uses an embedded database (go.etcd.io/bbolt). When Put returns, its writes are on the disk
// completely, or not at all if it returns an error.
//
//	store, err := filestore.Open("/var/lib/gemwire/responses.db", responsestore.Bounds{Age: 30 * 24 * time.Hour})
//	if err != nil { ... }
//	defer store.Close()
//
// The file contains what users write and what models answer, unencrypted. Only its owner can read
// the file. One process can use it at a time. Space of removed data is reused, but the file never
// shrinks. Documents beyond their age are not found. The next write or Open removes them from the
// file.
package filestore
