package documents

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// key names a document in subjects. Its parts are hashes, because ids may have any bytes.
type key struct{ owner, document string }

// tokenSize is the number of bytes of a hash in a subject. It is large enough that two ids with the
// same token cannot be found.
const tokenSize = 18

func keyOf(owner responsestore.Owner, id string) key {
	return key{base64.RawURLEncoding.EncodeToString(owner[:tokenSize]), token(id)}
}

func token(id string) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:tokenSize])
}

// sibling returns the key of another document of the owner.
func (k key) sibling(document string) key { return key{k.owner, document} }

func (k key) head() string { return engine.SubjectDocument + k.owner + "." + k.document }

// piece returns the subject of a piece of a blob. With "*" it matches all of them.
func (k key) piece(name, number string) string {
	return engine.SubjectPiece + k.owner + "." + k.document + "." + name + "." + number
}

func pieceNumber(i int) string { return strconv.Itoa(i) }

// keyOfSubject returns the key in a subject. name is the name of a blob for the first piece of it,
// and "" for a head.
func keyOfSubject(subject string) (k key, name string, ok bool) {
	rest, isHead := strings.CutPrefix(subject, engine.SubjectDocument)
	if !isHead {
		if rest, ok = strings.CutPrefix(subject, engine.SubjectPiece); !ok {
			return key{}, "", false
		}
	}
	parts := strings.Split(rest, ".")
	switch {
	case isHead && len(parts) == 2:
		return key{parts[0], parts[1]}, "", true
	case !isHead && len(parts) == 4 && parts[3] == "0":
		return key{parts[0], parts[1]}, parts[2], true
	}
	return key{}, "", false
}

// hashOf returns the hash of an entry's id in the index. Different ids may have the same one.
func hashOf(id string) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.LittleEndian.Uint64(sum[:])
}
