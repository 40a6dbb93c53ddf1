package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAWriteIsRefusedBeforeTheDiskIsFull(t *testing.T) {
	t.Parallel()
	const total = 10 << 30
	free := int64(diskReserve - 1)
	asked := 0
	ask := func(string) (int64, int64, error) { asked++; return free, total, nil }
	full := func(err error) bool {
		var refused *WriteError
		return errors.As(err, &refused) && refused.Full
	}
	guard := diskGuard{directory: "d", ask: ask}
	if err := guard.claim(1); !full(err) {
		t.Errorf("with less than the reserve: %v", err)
	}
	if err := guard.check(); !full(err) {
		t.Errorf("when it looks now: %v", err)
	}
	free = 2 * diskReserve
	if err := guard.claim(1); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	asked = 0
	if err := guard.claim(diskReserve / 8); err != nil || asked != 0 {
		t.Errorf("a small write: %v, asked %d times", err, asked)
	}
	if err := guard.claim(diskReserve / 4); err != nil || asked != 1 {
		t.Errorf("after a quarter of the reserve: %v, asked %d times", err, asked)
	}
	free = diskReserve + 1000
	if err := guard.claim(diskReserve); !full(err) {
		t.Errorf("a write that would leave less than the reserve: %v", err)
	}
	elsewhere := diskGuard{ask: ask}
	free = 0
	if err := errors.Join(elsewhere.claim(1), elsewhere.check()); err != nil {
		t.Errorf("of a server elsewhere: %v", err)
	}
}

func TestTheRoomOfADiskIsInBytes(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	folder := t.TempDir()
	free, total, err := diskRoom(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system does not report the room of a disk")
	}
	if err != nil || free > total {
		t.Fatalf("%d of %d bytes are free: %v", free, total, err)
	}
	// if a file fits, there was at least this much space
	if err := os.WriteFile(filepath.Join(folder, "file"), make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	if free < size || total < size {
		t.Errorf("%d of %d bytes were free, but a file has %d", free, total, size)
	}
}

func TestASmallDiskKeepsATwentiethFree(t *testing.T) {
	t.Parallel()
	const total = 100 << 20
	for free, isFull := range map[int64]bool{total/20 - 1: true, total / 20: false} {
		guard := diskGuard{directory: "d",
			ask: func(string) (int64, int64, error) { return free, total, nil }}
		if err := guard.check(); (err != nil) != isFull {
			t.Errorf("%d bytes free: %v", free, err)
		}
	}
	unknown := diskGuard{directory: "d",
		ask: func(string) (int64, int64, error) { return 0, 0, errors.ErrUnsupported }}
	if err := unknown.check(); err != nil {
		t.Errorf("where it is unknown: %v", err)
	}
}
