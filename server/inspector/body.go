package inspector

import (
	"bytes"
	"strconv"
	"strings"
)

// body is a recorded body or chunk.
type body struct {
	text string
	// media are the media that the text names in place of their base64, in its order.
	media []mediaRef
	// leftOut is the number of missing bytes: within strings, and at the end of a truncated body.
	leftOut int
	// cut reports that the end is missing.
	cut bool
	// isMissed reports that all of it is missing, because the inspector was busy.
	isMissed bool
}

// missing returns why the body cannot be sent again, or nil if it is complete.
func (b *body) missing() error {
	switch {
	case b.isMissed:
		return errMissed
	case b.leftOut > 0:
		return errLeftOut
	}
	return nil
}

// size returns the size in memory without the media, which other bodies may share.
func (b *body) size() int { return len(b.text) + 48*len(b.media) }

// whole returns the text with the base64 of its media.
func (b *body) whole() string {
	if len(b.media) == 0 {
		return b.text
	}
	var out strings.Builder
	written := 0
	for _, ref := range b.media {
		out.WriteString(b.text[written:ref.at])
		out.WriteString(ref.base64())
		written = ref.at + ref.length
	}
	out.WriteString(b.text[written:])
	return out.String()
}

// shortString is the size in bytes to which strings are cut if their body is too large otherwise.
const shortString = 8 << 10

// body returns the recorded part of a body. Base64 of media becomes a tag. A body that is too large
// with whole strings has shorter ones, so that it stays valid JSON. If that is not enough, its end
// is cut.
func (r *retention) body(data []byte) body {
	whole := r.bodyUpTo(data, r.maxString)
	if whole.cut && r.maxString > shortString {
		if short := r.bodyUpTo(data, shortString); !short.cut {
			return short
		}
	}
	return whole
}

// bodyUpTo returns the recorded part of a body with strings up to a size.
func (r *retention) bodyUpTo(data []byte, maxString int) body {
	w := bodyWriter{retention: r, data: data, maxString: maxString}
	for at := 0; !w.isFull(); {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			break
		}
		begin := at + quote + 1
		end := stringEnd(data, begin)
		if end-begin >= minMedia {
			w.longString(begin, end)
		}
		at = min(end+1, len(data))
	}
	w.textUpTo(len(data))
	w.out.text = w.text.String()
	return w.out
}

// bodyWriter makes the recorded part of a body.
type bodyWriter struct {
	*retention
	data      []byte
	maxString int
	read      int // so much of the data is written or left out

	text strings.Builder
	out  body
}

// isFull reports whether the body is cut, or will be with the next text.
func (w *bodyWriter) isFull() bool { return w.out.cut }

// longString writes a medium in place of a long string that has one, or the beginning of a string
// that is too long.
func (w *bodyWriter) longString(begin, end int) {
	if ref, at, ok := w.medium(w.data, begin, end); ok {
		w.textUpTo(at)
		w.add(ref, end)
		return
	}
	if end-begin <= w.maxString+cutMargin {
		return
	}
	w.textUpTo(begin)
	if w.out.cut {
		return
	}
	beginning := w.blankString(w.data[begin : begin+w.maxString+cutMargin])
	missing := end - begin - w.maxString
	short := beginning[:endOfWhole(beginning, w.maxString)] + leftOutTag + strconv.Itoa(missing) +
		" bytes]"
	if w.text.Len()+len(short) > w.maxBody {
		w.cut()
		return
	}
	w.text.WriteString(short)
	w.out.leftOut += missing
	w.read = end
}

// add writes the tag of a medium, which ends at an offset of the data.
func (w *bodyWriter) add(ref mediaRef, end int) {
	if w.out.cut {
		return
	}
	tag := ref.tag()
	if w.text.Len()+len(tag) > w.maxBody {
		w.cut()
		return
	}
	ref.at, ref.length = w.text.Len(), len(tag)
	w.text.WriteString(tag)
	w.out.media = append(w.out.media, ref)
	w.read = end
}

// textUpTo writes the data up to an offset, or up to the limit of the body.
func (w *bodyWriter) textUpTo(end int) {
	if w.out.cut || end <= w.read {
		return
	}
	room := w.maxBody - w.text.Len()
	if end-w.read <= room {
		w.text.WriteString(w.blankStrings(w.data[w.read:end], w.read > 0))
		w.read = end
		return
	}
	text := w.blankStrings(w.data[w.read:min(w.read+room+cutMargin, end)], w.read > 0)
	w.text.WriteString(prefix(text, room))
	w.read += room
	w.cut()
}

// cut ends the body. The rest of the data is left out.
func (w *bodyWriter) cut() {
	w.out.cut = true
	w.out.leftOut += len(w.data) - w.read
}
