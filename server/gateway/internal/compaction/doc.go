// Package compaction shortens conversations of the Responses API. A summary of the model replaces
// most items. What must survive is kept as it is: instructions, the last turn of the user, and the
// last step of the model with its calls, their results and their thought signatures.
//
// The result travels as the encrypted content of an item of type compaction. [Sealer] seals it for
// one client, so the gateway stores nothing, and a client cannot write a history for another one:
//
//	text, err := sealer.Seal(owner, &content)
//	content, err := sealer.Open(owner, text)
//
// [NewPlan] says what of a conversation is kept, and [Open] puts the items in place of which a
// compaction item stands.
package compaction
