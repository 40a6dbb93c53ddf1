package record

import (
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// A value is stored as its JSON followed by a checksum: a newline, and eight hexadecimal digits. A
// record that was cut or changed is an [engine.ErrDamaged], and is never taken for another record.

// encode returns the stored form of a value. Nil becomes the marker of a deleted value.
func encode[T any](value *T) ([]byte, error) {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("store: encode a record: %w", err)
	}
	return fmt.Appendf(data, checksumForm, checksum(data)), nil
}

// decode reads a stored value. It returns nil for a deleted one.
func decode[T any](key string, kept []byte) (*T, error) {
	data, err := verify(key, kept)
	if err != nil {
		return nil, err
	}
	var value *T
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("store: decode the record %s: %w", key, err)
	}
	return value, nil
}

const checksumForm = "\n%08x"

// verify returns the JSON before the checksum. JSON without a checksum is an
// [*engine.OlderStoreError].
func verify(key string, kept []byte) ([]byte, error) {
	end := len(kept) - len("\n00000000")
	switch {
	case end > 0 && slices.Equal(kept[end:], fmt.Appendf(nil, checksumForm, checksum(kept[:end]))):
		return kept[:end], nil
	case jsontext.Value(kept).IsValid():
		return nil, &engine.OlderStoreError{Kind: "record", Name: key}
	default:
		return nil, fmt.Errorf("store: the record %s: %w", key, engine.ErrDamaged)
	}
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }
