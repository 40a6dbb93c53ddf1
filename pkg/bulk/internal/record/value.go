package record

import (
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/pkg/bulk/internal/engine"
)

// A value is kept as its JSON with a checksum behind it: a newline, and eight hexadecimal digits. A record that was cut or
// changed is an [engine.ErrDamaged], and never taken for another one.

// encode returns what is kept of a value, nil for one that was deleted.
func encode[T any](value *T) ([]byte, error) {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("bulk: encode a record: %w", err)
	}
	return fmt.Appendf(data, checksumForm, checksum(data)), nil
}

// decode reads what is kept of a value. It returns nil for one that was deleted.
func decode[T any](key string, kept []byte) (*T, error) {
	data, err := unseal(kept)
	if err != nil {
		return nil, fmt.Errorf("bulk: the record %s: %w", key, err)
	}
	var value *T
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("bulk: decode the record %s: %w", key, err)
	}
	return value, nil
}

const checksumForm = "\n%08x"

// unseal returns the JSON of what is kept.
func unseal(kept []byte) ([]byte, error) {
	end := len(kept) - len("\n00000000")
	if end < 0 || !slices.Equal(kept[end:], fmt.Appendf(nil, checksumForm, checksum(kept[:end]))) {
		return nil, engine.ErrDamaged
	}
	return kept[:end], nil
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }
