package socket

import (
	"encoding/binary"
	"time"
)

// Limits of frames. No client that is known comes near them.
const (
	// controlBurst and controlRate limit control frames: at once, and per second.
	controlBurst, controlRate = 100, 10
	// freeFragments is the number of fragments of a message that may have any size. If a message
	// has more, they must have smallFragment bytes on average.
	freeFragments, smallFragment = 1000, 64
)

// errFlood and errFragments end a connection whose peer sends too many frames.
var (
	errFlood     = &Close{Code: CodePolicy, Reason: "too many control frames"}
	errFragments = &Close{Code: CodePolicy, Reason: "too many small fragments"}
)

// meter reads the headers of the frames that pass, and counts the frames. It skips what the frames
// contain.
//
//	header (2 to 14 bytes) ──► payload, skipped ──► header ...
type meter struct {
	header [14]byte
	have   int    // of the header
	skip   uint64 // of the payload

	control   bucket
	fragments uint64 // of the message
	payload   uint64
}

func newMeter() meter { return meter{control: newBucket(controlBurst, controlRate)} }

// pass counts the frames in the next bytes of the stream.
func (m *meter) pass(p []byte, now time.Time) error {
	for len(p) > 0 {
		if m.skip > 0 {
			n := min(m.skip, uint64(len(p)))
			m.skip -= n
			p = p[n:]
			continue
		}
		m.header[m.have] = p[0]
		m.have++
		p = p[1:]
		if m.have < m.headerSize() {
			continue
		}
		if err := m.frame(now); err != nil {
			return err
		}
		m.have = 0
	}
	return nil
}

// headerSize returns the size of the header, or of its known part.
func (m *meter) headerSize() int {
	if m.have < 2 {
		return 2
	}
	size := 2
	switch m.header[1] & 0x7f {
	case 126:
		size += 2
	case 127:
		size += 8
	}
	if m.header[1]&0x80 != 0 { // a mask
		size += 4
	}
	return size
}

// frame counts a frame whose header is complete.
func (m *meter) frame(now time.Time) error {
	switch length := m.header[1] & 0x7f; length {
	case 126:
		m.skip = uint64(binary.BigEndian.Uint16(m.header[2:]))
	case 127:
		m.skip = binary.BigEndian.Uint64(m.header[2:])
	default:
		m.skip = uint64(length)
	}
	const firstControl = 8
	switch opcode := m.header[0] & 0x0f; {
	case opcode >= firstControl:
		if !m.control.take(now) {
			return errFlood
		}
	case opcode != 0: // the first fragment of a message
		m.fragments, m.payload = 1, m.skip
	default:
		m.fragments++
		m.payload += m.skip
		if m.fragments > freeFragments && m.payload/smallFragment < m.fragments {
			return errFragments
		}
	}
	return nil
}

// bucket limits a rate. It holds at most burst tokens.
type bucket struct {
	burst, perSecond float64
	level            float64
	at               time.Time
}

func newBucket(burst, perSecond float64) bucket {
	return bucket{burst: burst, perSecond: perSecond, level: burst}
}

// take takes a token. It reports false if the bucket is empty.
func (b *bucket) take(now time.Time) bool {
	if !b.at.IsZero() {
		b.level = min(b.level+now.Sub(b.at).Seconds()*b.perSecond, b.burst)
	}
	b.at = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
