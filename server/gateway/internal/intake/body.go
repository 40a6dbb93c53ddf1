package intake

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Body is the body of a request. It holds its memory until it is released.
type Body struct {
	// Data is the received data, or nil.
	Data []byte

	gate     *Gate
	terms    Terms
	reserved int64
}

// Hold reserves memory for more bytes of the request, in addition to its body, until the body is
// released. It waits for a short time, and returns [ErrFull] if there is no memory then.
func (b *Body) Hold(ctx context.Context, more int64) error {
	if b == nil || more <= 0 {
		return nil
	}
	return b.acquire(ctx, more, more)
}

// acquire reserves memory for more bytes, if the whole body would fit.
func (b *Body) acquire(ctx context.Context, more, rest int64) error {
	c := claim{client: b.terms.Client, fits: max(more, rest), size: more}
	if err := b.gate.room.take(ctx, &c, b.terms.Wait); err != nil {
		return err
	}
	b.reserved += more
	return nil
}

// Release frees the memory. It may be called several times, and for nil.
func (b *Body) Release() { b.Keep(0) }

// Keep frees the memory except for size bytes that are still in use. It may be called for nil.
func (b *Body) Keep(size int64) {
	if b == nil || b.reserved <= size {
		return
	}
	b.gate.room.give(b.terms.Client, b.reserved-size)
	b.reserved = size
}

const (
	// firstRoom is the memory that a body gets at first. After that it gets as much again as has
	// arrived. The announced size reserves nothing, because an announcement costs a client nothing.
	firstRoom = 32 << 10
	// stretch is the number of bytes of one read.
	stretch = 1 << 20
)

// Read reads the body of a request to its end. The error is [ErrTooLarge], [ErrFull], [ErrSlow], or
// an error of the connection, or [ErrEncoding] for a body that cannot be decoded. The body must be
// released after an error too.
func (g *Gate) Read(w http.ResponseWriter, r *http.Request, terms Terms) (*Body, error) {
	b := &Body{gate: g, terms: terms}
	size := r.ContentLength
	switch {
	case size > g.limits.BodySize:
		return b, ErrTooLarge
	case size == 0:
		return b, nil
	case size == -1, len(terms.Encodings) > 0: // the client does not announce it
		size = g.limits.BodySize + 1 // one byte more shows that there are too many
	}
	if err := b.grow(r.Context(), min(firstRoom, size), r.ContentLength); err != nil {
		return b, err
	}
	body := NewPacedBody(w, r, terms.Pace)
	if len(terms.Encodings) == 0 {
		return b, b.read(r.Context(), body, body, size)
	}
	plain, err := decode(body, terms.Encodings, g.limits.BodySize)
	if err != nil {
		return b, err
	}
	defer plain.close()
	return b, b.read(r.Context(), body, plain, size)
}

// read reads up to the end, or up to a size. plain is the body without its encodings.
func (b *Body) read(ctx context.Context, body *PacedBody, plain io.Reader, size int64) error {
	for {
		err := b.fill(plain)
		came := int64(len(b.Data))
		switch {
		case came > b.gate.limits.BodySize:
			return ErrTooLarge
		case err == io.EOF:
			body.endWait() // of an encoding, which may end before the body
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

// fill reads one stretch, or as much as there is memory for.
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

// grow reserves memory for more of the data if the announced size would fit.
func (b *Body) grow(ctx context.Context, more, announced int64) error {
	if err := b.acquire(ctx, more, announced); err != nil {
		return err
	}
	data := make([]byte, len(b.Data), int64(cap(b.Data))+more)
	copy(data, b.Data)
	b.Data = data
	return nil
}

// drainTime is how long the unused rest of a body is read.
const drainTime = 5 * time.Second

// Drain reads what a client still sends of a refused body, within limits. Many clients read no
// answer before they have sent everything. Without Drain the server would wait without limit for
// the rest of a short body before it writes the answer, and would close the connection on a long
// one.
func (g *Gate) Drain(w http.ResponseWriter, body io.Reader) {
	if http.NewResponseController(w).SetReadDeadline(time.Now().Add(drainTime)) == nil {
		_, _ = io.CopyN(io.Discard, body, 2*g.limits.BodySize)
	}
}
