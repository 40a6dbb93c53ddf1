// Package responsestore stores the data of the Responses API: responses by their ids, their inputs,
// the events of background responses, and conversations. [Memory] stores them in memory. Package
// server/store stores them in a folder or on NATS servers.
//
//	store := responsestore.NewMemory(responsestore.Bounds{Count: 1000, Age: time.Hour})
//	handler, err := gateway.New(gateway.WithResponseStore(store))
//
// # Documents and entries
//
// A [Document] is a response or a conversation. Its content is JSON that the store does not parse.
// Separate fields hold what the store needs to know. A document has lists of entries, which are
// JSON too: the items of its input and of its output, the events of its stream, the items of a
// conversation. A new entry goes to the end of its list. Positions count from 1, and a deleted
// entry leaves a gap. An entry with an id can be found by that id, whichever document has it.
//
// # Owners
//
// Everything belongs to an [Owner], which is made from a credential. Data of another owner is not
// found, so an owner cannot learn which ids exist.
//
// # Retention
//
// [Bounds] limit the documents of each owner by number, size and age, and the size of all
// documents. The store removes the owner's documents first that were written longest ago. A
// response that continues another one renews the whole chain before it. So a conversation is kept
// as a whole, or lost from its beginning.
package responsestore
