package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minio/highwayhash"
)

// The layout of a record in a block file of the server: its length with a flag for headers, the
// sequence number, the time, the length of the subject, the subject, the headers, the data, and a
// checksum.
const (
	recordHeader  = 22
	recordSum     = 8
	recordHasHead = 1 << 31
)

// block is a block file of a stream.
type block struct {
	path   string
	number int
}

// blocksOf returns the block files in the folder of a stream, by their numbers.
func blocksOf(folder string) (all []block, err error) {
	entries, err := os.ReadDir(filepath.Join(folder, "msgs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("store: read the store: %w", err)
	}
	for _, e := range entries {
		name, isBlock := strings.CutSuffix(e.Name(), ".blk")
		if n, err := strconv.Atoi(name); isBlock && err == nil {
			all = append(all, block{filepath.Join(folder, "msgs", e.Name()), n})
		}
	}
	slices.SortFunc(all, func(a, b block) int { return cmp.Compare(a.number, b.number) })
	return all, nil
}

// maxChecked is the maximum size of the blocks of a stream that are checked.
const maxChecked = 1 << 30

// damagedBlock is a block with a damaged record at a position.
type damagedBlock struct {
	path string
	at   int
}

// checkBlocks returns a damaged block of a stream, or nil. The server would cut the file there, and
// lose all that comes after it. The stream may end with a record that was being written, if
// wasKilled.
func checkBlocks(name, folder string, wasKilled bool) (*damagedBlock, error) {
	blocks, err := blocksOf(folder)
	if err != nil {
		return nil, err
	}
	checked := int64(0)
	for i, b := range slices.Backward(blocks) {
		info, err := os.Stat(b.path)
		if err != nil {
			return nil, fmt.Errorf("store: read the store: %w", err)
		}
		if checked += info.Size(); checked > maxChecked {
			return nil, nil
		}
		data, err := os.ReadFile(b.path)
		if err != nil {
			return nil, fmt.Errorf("store: read the store: %w", err)
		}
		if at := damageIn(data, name, b.number, wasKilled && i == len(blocks)-1); at >= 0 {
			return &damagedBlock{b.path, at}, nil
		}
	}
	return nil, nil
}

// damageIn returns the position of the first damaged record of a block, or -1. The block may end
// with a record that was being written, if mayEnd.
func damageIn(data []byte, stream string, number int, mayEnd bool) int {
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, number))
	for at := 0; at < len(data); {
		size := recordAt(data[at:], key[:])
		if size == 0 {
			if mayEnd && !hasRecord(data[at+1:], key[:]) {
				return -1
			}
			return at
		}
		at += size
	}
	return -1
}

// hasRecord reports whether there is a valid record anywhere in the data.
func hasRecord(data []byte, key []byte) bool {
	now := time.Now().Add(24 * time.Hour).UnixNano()
	for at := 0; at+recordHeader <= len(data); at++ {
		written := int64(binary.LittleEndian.Uint64(data[at+12:]))
		if written > 0 && written < now && recordAt(data[at:], key) > 0 {
			return true
		}
	}
	return false
}

// recordAt returns the size of the record at the beginning of the data, or 0 if it is not valid.
func recordAt(data []byte, key []byte) int {
	if len(data) < recordHeader {
		return 0
	}
	length := binary.LittleEndian.Uint32(data)
	size, subject := int(length&^recordHasHead), int(binary.LittleEndian.Uint16(data[20:]))
	begin := recordHeader + subject // of the headers and the data
	if length&recordHasHead != 0 {
		begin += 4
	}
	if size > len(data) || begin > size-recordSum {
		return 0
	}
	hash, err := highwayhash.New64(key)
	if err != nil {
		return 0 // which a key of 32 bytes excludes
	}
	_, _ = hash.Write(data[4:20])
	_, _ = hash.Write(data[recordHeader : recordHeader+subject])
	_, _ = hash.Write(data[begin : size-recordSum])
	if !bytes.Equal(hash.Sum(nil), data[size-recordSum:size]) {
		return 0
	}
	return size
}
