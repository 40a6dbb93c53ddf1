package intake

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Body is the body of a request, for which there is room as long as it is not released.
type Body struct {
	// Data is what came, nil for none.
	Data []byte

	gate     *Gate
	reserved int64
}

// Hold makes room for more bytes that the request takes, besides those of its body, until the body is released. It waits a
// moment, and returns [ErrFull] where there is none then.
func (b *Body) Hold(ctx context.Context, more int64) error {
	if b == nil || more <= 0 {
		return nil
	}
	if err := b.gate.acquire(ctx, more); err != nil {
		return err
	}
	b.reserved += more
	return nil
}

// acquire takes room from what all requests have, for which it waits a moment.
func (g *Gate) acquire(ctx context.Context, more int64) error {
	if g.bytes.TryAcquire(more) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	if g.bytes.Acquire(ctx, more) != nil {
		return ErrFull
	}
	return nil
}

// Release gives back the room. It may be called several times, and for nil.
func (b *Body) Release() {
	if b == nil {
		return
	}
	b.gate.bytes.Release(b.reserved)
	b.reserved = 0
}

const (
	// firstRoom is what a body of unknown size is given room for at first.
	firstRoom = 32 << 10
	// stretch is how many bytes are read until the time for the rest is counted again.
	stretch = 1 << 20
	// patience is how long a body may take to begin, and slowest how many bytes a second then have to come.
	patience = 30 * time.Second
	slowest  = 16 << 10
)

// Read reads the body of a request to its end. An error is [ErrTooLarge], [ErrFull], [ErrSlow], or that of the connection;
// the body is to be released then too.
func (g *Gate) Read(w http.ResponseWriter, r *http.Request) (*Body, error) {
	b := &Body{gate: g}
	size := r.ContentLength
	switch {
	case size > g.limits.BodySize:
		return b, ErrTooLarge
	case size == 0 || r.Body == nil || r.Body == http.NoBody:
		return b, nil
	case size < 0:
		size = min(firstRoom, g.limits.BodySize+1) // one byte more tells that there are too many
	}
	if err := b.reserve(r.Context(), size); err != nil {
		return b, err
	}
	return b, b.read(http.NewResponseController(w), r)
}

// read reads up to the end, or to the size that is known.
func (b *Body) read(connection *http.ResponseController, r *http.Request) error {
	begin := time.Now()
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }() // or the client would be taken to have left
	for {
		_ = connection.SetReadDeadline(begin.Add(patience + time.Duration(len(b.Data)/slowest)*time.Second)) // where there is one
		switch err := b.fill(r.Body); {
		case int64(len(b.Data)) > b.gate.limits.BodySize:
			return ErrTooLarge
		case err == io.EOF, err == nil && int64(len(b.Data)) == r.ContentLength:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return ErrSlow
		case err != nil:
			return err
		}
		if len(b.Data) < cap(b.Data) {
			continue
		}
		if err := b.grow(r.Context()); err != nil {
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

// grow doubles the room, up to one byte more than a body may have.
func (b *Body) grow(ctx context.Context) error {
	size := int64(cap(b.Data))
	return b.reserve(ctx, min(size, b.gate.limits.BodySize+1-size))
}

// reserve makes room for more bytes, for which it waits a moment.
func (b *Body) reserve(ctx context.Context, more int64) error {
	if err := b.gate.acquire(ctx, more); err != nil {
		return err
	}
	b.reserved += more
	data := make([]byte, len(b.Data), b.reserved)
	copy(data, b.Data)
	b.Data = data
	return nil
}

// drainTime is how long the rest of a body is read that nobody wants.
const drainTime = 5 * time.Second

// Drain reads what a client still sends of a body that is refused, within limits: many clients read no answer before they
// have sent all. Those that wait to be told to go on send nothing. Without it the server would wait for the rest of a
// short body, for ever, before it writes the answer, and end the connection on a long one.
func (g *Gate) Drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody || r.Header.Get("Expect") != "" {
		return
	}
	if http.NewResponseController(w).SetReadDeadline(time.Now().Add(drainTime)) == nil {
		_, _ = io.CopyN(io.Discard, r.Body, 2*g.limits.BodySize)
	}
}
