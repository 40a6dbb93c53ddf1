package documents

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// entry is a stored entry. added orders all entries by the time when they were added.
type entry struct {
	responsestore.Entry
	added int64
}

// listLetters are the lists in encoded entries.
var listLetters = map[responsestore.List]byte{responsestore.Input: 'i', responsestore.Output: 'o',
	responsestore.Events: 'e', responsestore.Items: 't'}

var listsByLetter = map[byte]responsestore.List{'i': responsestore.Input,
	'o': responsestore.Output, 'e': responsestore.Events, 't': responsestore.Items}

// encodeEntries returns entries as bytes: for each its list, its position, when it was added, and
// the lengths and bytes of its id and of its JSON.
func encodeEntries(entries []entry) []byte {
	var out []byte
	for i := range entries {
		out = entries[i].encode(out)
	}
	return out
}

func (e *entry) encode(out []byte) []byte {
	out = append(out, listLetters[e.List])
	out = binary.AppendUvarint(out, uint64(e.Position))
	out = binary.AppendUvarint(out, uint64(e.added))
	out = binary.AppendUvarint(out, uint64(len(e.ID)))
	out = append(out, e.ID...)
	out = binary.AppendUvarint(out, uint64(len(e.JSON)))
	return append(out, e.JSON...)
}

// size is about the number of bytes of an encoded entry.
func (e *entry) size() int { return 16 + len(e.ID) + len(e.JSON) }

// decodeEntries is the reverse of encodeEntries. The entries refer to data.
func decodeEntries(data []byte) (entries []entry, err error) {
	d := decoder{data}
	for len(d.rest) > 0 {
		var e entry
		letter := d.take(1)
		if len(letter) == 1 {
			e.List = listsByLetter[letter[0]]
		}
		e.Position, e.added = int(d.number()), int64(d.number())
		e.ID = string(d.take(d.number()))
		e.JSON = d.take(d.number())
		if d.rest == nil || e.List == "" {
			return nil, fmt.Errorf("%w: the entries of a document", engine.ErrDamaged)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// decoder reads numbers and bytes. After an error, rest is nil.
type decoder struct{ rest []byte }

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.rest = nil
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *decoder) take(n uint64) []byte {
	if d.rest == nil || n > uint64(len(d.rest)) {
		d.rest = nil
		return nil
	}
	taken := d.rest[:n:n]
	d.rest = d.rest[n:]
	return taken
}

// stamp is an entry with an id in the index.
type stamp struct {
	hash  uint64
	added int64
}

// encodeStamps returns the stamps of the entries with ids, as text for a header.
func encodeStamps(entries []entry) string {
	var out []byte
	var before int64
	for i := range entries {
		if e := &entries[i]; e.ID != "" {
			out = binary.LittleEndian.AppendUint64(out, hashOf(e.ID))
			out = binary.AppendVarint(out, e.added-before)
			before = e.added
		}
	}
	return base64.RawStdEncoding.EncodeToString(out)
}

// decodeStamps is the reverse of encodeStamps. It ignores what it cannot read, because each
// document itself says what it has.
func decodeStamps(text string) (stamps []stamp) {
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	var before int64
	for len(data) > 8 {
		hash := binary.LittleEndian.Uint64(data)
		delta, size := binary.Varint(data[8:])
		if size <= 0 {
			return stamps
		}
		data, before = data[8+size:], before+delta
		stamps = append(stamps, stamp{hash, before})
	}
	return stamps
}
