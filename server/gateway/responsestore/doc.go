// Package responsestore keeps what clients of the Responses API have a server keep: responses by
// their ids, what they were made of, the events of those that run in the background, and
// conversations. [Memory] keeps them in memory; package filestore beside it in a file.
//
//	store := responsestore.NewMemory(responsestore.Bounds{Count: 1000, Age: time.Hour})
//	handler, err := gateway.New(gateway.WithResponseStore(store))
//
// # What is kept
//
// A [Document] is a response or a conversation. It is JSON that the store does not read; what the
// store has to know of it stands beside. A document has lists of entries, which are JSON too: the
// items of its input and of its output, the events of its stream, the items of a conversation.
// Entries are added at the end of a list and have positions, from 1; what was deleted leaves a gap.
// An entry with an id is found by it as well, whichever document has it.
//
// # Whose it is
//
// Everything belongs to an [Owner], which is made of a credential. What is another owner's is not
// found, so that nobody learns what ids there are.
//
// # How long it is kept
//
// [Bounds] limit how many documents there are, how many bytes they take together, and how long one
// is kept. Those that were written longest ago go first; they are not found any more. A response
// that continues another one renews all that it continues: a conversation is kept as a whole, or
// lost from its beginning.
package responsestore
