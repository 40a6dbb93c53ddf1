// Package store opens the one place where a gateway and its bulk jobs keep data: in memory, in a
// folder with an embedded NATS JetStream server, or on NATS servers.
//
//	s, err := store.Open(ctx, store.InFolder("/var/lib/gemwire"))
//	if err != nil { ... }
//	defer s.Close()
//
// Several processes may open the same folder, and any number may use the same servers.
package store
