// Package documents stores responses and conversations in a stream of the engine. It implements
// [responsestore.Store] for a folder and for servers, and several processes may share them.
//
// # Layout
//
// A document is one message, its head: what the store knows about it, its JSON, and the entries
// that were added last, its tail. A head is replaced by compare-and-set. What is too large for a
// head goes to pieces: messages that are written before the head that names them, and that never
// change. So a write of one document is atomic. The heads of several documents are written as one
// atomic batch.
//
// # Index
//
// Each process follows the headers of the stream and has an index in memory: the size of each
// document, when it was written last, and hashes of the ids of its entries. The index decides what
// to remove, and finds entries. The stream alone decides whether a document exists.
package documents
