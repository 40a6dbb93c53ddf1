package reverse

import "hash/maphash"

// keptSignatures are thought signatures in reasoning_details that arrived before their calls.
type keptSignatures struct {
	all []*string        // in order of arrival; nil if a call has taken it
	of  map[string][]int // their positions, by the id of the call

	known map[uint64]bool // hashes of them and the ids of their calls
}

// isNew reports whether the signature for a call id has not arrived before. Servers may repeat it.
func (k *keptSignatures) isNew(callID, signature string) bool {
	if k.known == nil {
		k.known = map[uint64]bool{}
	}
	hash := maphash.String(hashSeed, callID+" "+signature)
	isKnown := k.known[hash]
	k.known[hash] = true
	return !isKnown
}

// add keeps the signature for a call id; "" means the first call that arrives.
func (k *keptSignatures) add(callID string, signature *string) {
	if k.of == nil {
		k.of = map[string][]int{}
	}
	k.of[callID] = append(k.of[callID], len(k.all))
	k.all = append(k.all, signature)
}

// take removes and returns the signature of a call, or nil. The first signature with the call's id
// counts. Without one, the first call takes the first signature without an id. Any other signature
// without an id belongs to a text that was sent before.
func (k *keptSignatures) take(callID string, isFirstCall bool) *string {
	if signature := k.takeOf(callID); signature != nil || !isFirstCall {
		return signature
	}
	return k.takeOf("")
}

func (k *keptSignatures) takeOf(callID string) *string {
	kept := k.of[callID]
	if len(kept) == 0 {
		return nil
	}
	k.of[callID] = kept[1:]
	signature := k.all[kept[0]]
	k.all[kept[0]] = nil
	return signature
}

// rest returns the signatures that no call has taken.
func (k *keptSignatures) rest() []*string {
	var out []*string
	for _, signature := range k.all {
		if signature != nil {
			out = append(out, signature)
		}
	}
	return out
}
