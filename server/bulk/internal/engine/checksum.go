package engine

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
)

// ErrDamaged says that what is in the store is not what was written there: it was cut, changed, or
// stands in another place.
var ErrDamaged = errors.New("bulk: what is in the store was damaged")

// OlderStoreError is something in the store that has no checksum, as what gemwire wrote before it
// had any. Such a store cannot be read: start with an empty one. It is an [ErrDamaged] too, as a
// checksum may also have been cut off.
type OlderStoreError struct {
	// Kind is "record" or "message".
	Kind string
	// Name is the key of a record, such as "job.batch_1", or the subject of a message.
	Name string
}

// Error names what has no checksum, and says what to do.
func (e *OlderStoreError) Error() string {
	return fmt.Sprintf("bulk: the %s %s has no checksum: an older version of gemwire wrote the store, which this one cannot read; "+
		"start with an empty one", e.Kind, e.Name)
}

// Unwrap returns [ErrDamaged].
func (e *OlderStoreError) Unwrap() error { return ErrDamaged }

// headerSum has the checksum of a message in a stream, of eight hexadecimal digits.
const headerSum = "Gemwire-Sum"

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// addChecksum gives a message its checksum.
func addChecksum(message *nats.Msg) {
	if message.Header == nil {
		message.Header = nats.Header{}
	}
	message.Header[headerSum] = []string{sum(message.Subject, message.Header, message.Data)}
}

// verifyChecksum returns [ErrDamaged] for a message whose checksum is another's, and an
// [*OlderStoreError] for one without.
func verifyChecksum(subject string, header nats.Header, data []byte) error {
	switch header.Get(headerSum) {
	case sum(subject, header, data):
		return nil
	case "":
		return &OlderStoreError{Kind: "message", Name: subject}
	default:
		return fmt.Errorf("%w: the message %s", ErrDamaged, subject)
	}
}

// sum is the checksum of a message: of its subject, so that it counts nowhere else, its data, and
// its headers that begin with Gemwire-, apart from the checksum itself. Other headers are the
// server's, which may add some.
func sum(subject string, header nats.Header, data []byte) string {
	digest := crc32.Checksum([]byte(subject), castagnoli)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if name == headerSum || !strings.HasPrefix(name, "Gemwire-") {
			continue
		}
		for _, value := range header[name] {
			digest = crc32.Update(digest, castagnoli, []byte("\n"+name+":"+value))
		}
	}
	digest = crc32.Update(digest, castagnoli, []byte("\n\n"))
	return fmt.Sprintf("%08x", crc32.Update(digest, castagnoli, data))
}
