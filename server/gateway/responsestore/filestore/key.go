package filestore

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// The buckets. Numbers in keys are big endian, so keys sort by these numbers.
const (
	bucketMeta     = "meta"      // format, totals
	bucketHeads    = "heads"     // DOCUMENT -> head as JSON
	bucketBodies   = "bodies"    // DOCUMENT -> JSON of the document
	bucketEntries  = "entries"   // DOCUMENT list-letter position -> length of id, id, JSON
	bucketEntryIDs = "entry-ids" // owner id -> key of the entry that was written last
	// DOCUMENT of the id of an entry, DOCUMENT -> number, key of that document's last entry of the
	// id
	bucketEarlier   = "earlier"
	bucketByWriting = "by-writing" // number -> DOCUMENT, the one written longest ago first
)

// DOCUMENT is owner, length of the id in 2 bytes, id.

var buckets = []string{bucketMeta, bucketHeads, bucketBodies, bucketEntries, bucketEntryIDs,
	bucketEarlier, bucketByWriting}

const ownerSize = len(responsestore.Owner{})

// documentKey returns the key of a document. An id that is too long gets a key that does not exist.
func documentKey(owner responsestore.Owner, id string) []byte {
	if len(id) > responsestore.MaxIDSize {
		id = ""
	}
	key := make([]byte, 0, ownerSize+2+len(id)+9) // with room for a place in a list
	key = append(key, owner[:]...)
	key = binary.BigEndian.AppendUint16(key, uint16(len(id)))
	return append(key, id...)
}

// documentID returns the id in the key of a document.
func documentID(document []byte) string { return string(document[ownerSize+2:]) }

// ownerOf returns the owner in the key of a document.
func ownerOf(document []byte) responsestore.Owner { return responsestore.Owner(document[:ownerSize]) }

// listLetters are the names of the lists in keys.
var listLetters = map[responsestore.List]byte{
	responsestore.Input: 'i', responsestore.Output: 'o', responsestore.Events: 'e',
	responsestore.Items: 't',
}

func listOf(letter byte) responsestore.List {
	for list, l := range listLetters {
		if l == letter {
			return list
		}
	}
	return ""
}

// location is where an entry is.
type location struct {
	document []byte
	list     responsestore.List
	position int
}

// key returns the key of the entry.
func (p location) key() []byte {
	key := append(append([]byte{}, p.document...), listLetters[p.list])
	return binary.BigEndian.AppendUint64(key, uint64(p.position))
}

// locationOf parses the key of an entry.
func locationOf(key []byte) (location, error) {
	end := len(key) - 9
	if end < ownerSize+2 {
		return location{}, fmt.Errorf("%w: the key of an entry has %d bytes", errDamaged, len(key))
	}
	return location{document: key[:end], list: listOf(key[end]),
		position: int(binary.BigEndian.Uint64(key[end+1:]))}, nil
}

// entryIDKey returns the key of an entry's id.
func entryIDKey(owner responsestore.Owner, id string) []byte {
	if len(id) > responsestore.MaxIDSize {
		id = ""
	}
	return append(owner[:], id...)
}

// earlierKey returns the key of a document's earlier entry for an id, and the prefix of the keys of
// all documents for that id.
func earlierKey(document []byte, id string) (key, prefix []byte) {
	prefix = documentKey(ownerOf(document), id)
	return append(slices.Clip(prefix), document...), prefix
}
