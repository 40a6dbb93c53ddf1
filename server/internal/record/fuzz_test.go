package record_test

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// job has all kinds of values in records: texts, numbers, bytes and tables.
type job struct {
	ID     string           `json:"id"`
	Total  int64            `json:"total,omitzero"`
	Done   []byte           `json:"done,omitempty"`
	Failed map[string]int64 `json:"failed,omitempty"`
}

// FuzzARecordComesBackOrIsRefused decodes an encoded record and compares the two. It also decodes
// the record with a changed byte, and without its end.
func FuzzARecordComesBackOrIsRefused(f *testing.F) {
	f.Add("batch_1", int64(100_000), []byte{255, 1}, "429", uint16(8), byte(1), false)
	f.Add("", int64(0), []byte{}, "", uint16(3), byte(0), true)
	f.Add("\u2028\n\"}", int64(-1<<63), []byte{0}, "\n00000000", uint16(60), byte(0x20), false)
	f.Fuzz(func(t *testing.T, id string, total int64, done []byte, kind string, at uint16,
		flip byte, cut bool) {
		want := &job{ID: id, Total: total, Failed: map[string]int64{kind: total}}
		if len(done) > 0 {
			want.Done = done
		}
		kept, err := record.Encode(want)
		if err != nil {
			if utf8.ValidString(id) && utf8.ValidString(kind) {
				t.Fatalf("%+v is not kept: %v", want, err)
			}
			return
		}
		got, err := record.Decode[job](kept)
		if err != nil {
			t.Fatalf("%q is refused: %v", kept, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		changed := bytes.Clone(kept)
		switch position := int(at) % len(kept); {
		case cut:
			changed = changed[:position]
		case flip == 0:
			return
		default:
			changed[position] ^= flip
		}
		if taken, err := record.Decode[job](changed); !errors.Is(err, engine.ErrDamaged) {
			t.Fatalf("%q was changed to %q, and is taken for %+v, %v", kept, changed, taken, err)
		}
	})
}

// FuzzAnInvalidRecordIsRefused reads any bytes in place of a record. Only a written record is read.
func FuzzAnInvalidRecordIsRefused(f *testing.F) {
	kept, err := record.Encode(&job{ID: "batch_1"})
	if err != nil {
		f.Fatal(err)
	}
	deleted, err := record.Encode[job](nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{kept, deleted, []byte("null"), []byte("{}"), []byte("\n00000000"),
		nil} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, kept []byte) {
		value, err := record.Decode[job](kept)
		if err != nil {
			return
		}
		again, err := record.Encode(value)
		if err != nil {
			t.Fatalf("%q is read, and not kept: %v", kept, err)
		}
		same, err := record.Decode[job](again)
		if diff := cmp.Diff(value, same); err != nil || diff != "" {
			t.Fatalf("%q is read as another: %v\n%s", kept, err, diff)
		}
	})
}
