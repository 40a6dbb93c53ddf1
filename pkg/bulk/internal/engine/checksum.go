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

// ErrDamaged says that what is in the store is not what was written there: it was cut, changed, or stands in another place.
var ErrDamaged = errors.New("bulk: what is in the store was damaged")

// headerSum has the checksum of a message in a stream, of eight hexadecimal digits.
const headerSum = "Gemwire-Sum"

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal gives a message its checksum.
func seal(message *nats.Msg) {
	if message.Header == nil {
		message.Header = nats.Header{}
	}
	message.Header[headerSum] = []string{sum(message.Subject, message.Header, message.Data)}
}

// check returns [ErrDamaged] for a message whose checksum is another's.
func check(subject string, header nats.Header, data []byte) error {
	if header.Get(headerSum) != sum(subject, header, data) {
		return fmt.Errorf("%w: the message %s", ErrDamaged, subject)
	}
	return nil
}

// sum is the checksum of a message: of its subject, so that it counts nowhere else, its data, and those of its headers that
// are not the server's.
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
