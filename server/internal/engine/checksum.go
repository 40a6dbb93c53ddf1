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

// ErrDamaged is returned for data that differs from what was written: it was cut, changed or moved.
var ErrDamaged = errors.New("store: data in the store is damaged")

// OlderStoreError is returned for data without a checksum, which older versions of gemwire wrote.
// Such a store cannot be read; start with an empty one. It is also an [ErrDamaged], because the
// checksum may have been cut off.
type OlderStoreError struct {
	// Kind is "record" or "message".
	Kind string
	// Name is the key of a record, such as "job.batch_1", or the subject of a message.
	Name string
}

// Error names the data without a checksum, and says what to do.
func (e *OlderStoreError) Error() string {
	return fmt.Sprintf("store: the %s %s has no checksum: an older version of gemwire wrote the store, which this one cannot read; "+
		"start with an empty one", e.Kind, e.Name)
}

// Unwrap returns [ErrDamaged].
func (e *OlderStoreError) Unwrap() error { return ErrDamaged }

// headerSum is the header with a message's checksum of eight hexadecimal digits.
const headerSum = "Gemwire-Sum"

// castagnoli is the CRC polynomial that processors support in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// addChecksum adds the checksum to a message.
func addChecksum(message *nats.Msg) {
	if message.Header == nil {
		message.Header = nats.Header{}
	}
	message.Header[headerSum] = []string{sum(message.Subject, message.Header, message.Data)}
}

// verifyChecksum returns [ErrDamaged] for a message with a wrong checksum, and an
// [*OlderStoreError] for a message without one.
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

// sum returns the checksum of a message. It covers the subject, so that the message is valid
// nowhere else, the data, and the headers with the prefix Gemwire-, without the checksum itself.
// The server may add other headers.
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
