package intake

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Body is the body of a request, for which there is room as long as it is not released.
type Body struct {
	// Data is what came, nil for none.
	Data []byte

	gate     *Gate
	terms    Terms
	reserved int64
}

// Hold makes room for more bytes that the request takes, besides those of its body, until the body
// is released. It waits a moment, and returns [ErrFull] when there is no room then.
func (b *Body) Hold(ctx context.Context, more int64) error {
	if b == nil || more <= 0 {
		return nil
	}
	return b.acquire(ctx, more, more)
}

// acquire makes room for more bytes, when there is room for the rest of which they are a part.
func (b *Body) acquire(ctx context.Context, more, rest int64) error {
	c := claim{client: b.terms.Client, fits: max(more, rest), size: more}
	if err := b.gate.room.take(ctx, &c, b.terms.Wait); err != nil {
		return err
	}
	b.reserved += more
	return nil
}

// Release gives back the room. It may be called several times, and for nil.
func (b *Body) Release() { b.Keep(0) }

// Keep gives back the room except for size bytes, which are still in use. It may be called for nil.
func (b *Body) Keep(size int64) {
	if b == nil || b.reserved <= size {
		return
	}
	b.gate.room.give(b.terms.Client, b.reserved-size)
	b.reserved = size
}

const (
	// firstRoom is what a body is given room for at first, and then as much again as has come. What
	// a client announces takes no room: announcing costs it nothing.
	firstRoom = 32 << 10
	// stretch is how many bytes are read at a time.
	stretch = 1 << 20
)

// Read reads the body of a request to its end. An error is [ErrTooLarge], [ErrFull], [ErrSlow], or
// that of the connection; the body is to be released then too.
func (g *Gate) Read(w http.ResponseWriter, r *http.Request, terms Terms) (*Body, error) {
	b := &Body{gate: g, terms: terms}
	size := r.ContentLength
	switch {
	case size > g.limits.BodySize:
		return b, ErrTooLarge
	case size == 0 || r.Body == nil || r.Body == http.NoBody:
		return b, nil
	case size == -1: // the client does not announce it
		size = g.limits.BodySize + 1 // one byte more shows that there are too many
	}
	if err := b.grow(r.Context(), min(firstRoom, size), r.ContentLength); err != nil {
		return b, err
	}
	return b, b.read(r.Context(), NewPacedBody(w, r, terms.Pace), size)
}

// read reads up to the end, or up to a size.
func (b *Body) read(ctx context.Context, body *PacedBody, size int64) error {
	for {
		err := b.fill(body)
		came := int64(len(b.Data))
		switch {
		case came > b.gate.limits.BodySize:
			return ErrTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case came == size:
			body.endWait()
			return nil
		case came < int64(cap(b.Data)):
			continue
		}
		rest := size - came
		if err := b.grow(ctx, min(came, rest), 0); err != nil {
			return err
		}
	}
}

// fill reads a stretch, or what there is room for.
func (b *Body) fill(body io.Reader) error {
	end := min(len(b.Data)+stretch, cap(b.Data))
	for len(b.Data) < end {
		n, err := body.Read(b.Data[len(b.Data):end])
		b.Data = b.Data[:len(b.Data)+n]
		if err != nil {
			return err
		}
	}
	return nil
}

// grow makes room for more bytes of the data, when there is room for what is announced.
func (b *Body) grow(ctx context.Context, more, announced int64) error {
	if err := b.acquire(ctx, more, announced); err != nil {
		return err
	}
	data := make([]byte, len(b.Data), int64(cap(b.Data))+more)
	copy(data, b.Data)
	b.Data = data
	return nil
}

// drainTime is how long the rest of a body is read that is not used.
const drainTime = 5 * time.Second

// Drain reads what a client still sends of a body that is refused, within limits: many clients read
// no answer before they have sent all. Without it the server would wait for the rest of a short
// body, for ever, before it writes the answer, and end the connection on a long one.
func (g *Gate) Drain(w http.ResponseWriter, body io.Reader) {
	if http.NewResponseController(w).SetReadDeadline(time.Now().Add(drainTime)) == nil {
		_, _ = io.CopyN(io.Discard, body, 2*g.limits.BodySize)
	}
}
