package schema

// The limits of a conversion, whose result can grow beyond all bounds by references. They are far
// above what Gemini takes, whose own limits are not published.
const (
	// maxSize limits the size of the result and the time that it takes, in steps: about two for
	// each JSON value of the document, and one for every 64 bytes of a text, both as often as a
	// $ref or an alternative repeats them. A tool with ten properties takes about 100.
	maxSize = 100_000
	// maxDepth limits how deeply schemas may stand in each other, with each $ref, allOf, anyOf and
	// oneOf on the way as one level.
	maxDepth = 100
)

// charge counts what is read, and ends the conversion when it is too much.
func (c *converter) charge(v *value, values int) {
	c.size += values
	if c.size > maxSize {
		c.fail(v, ErrTooLarge)
	}
}

// chargeText counts a text that becomes part of the result.
func (c *converter) chargeText(v *value, text string) {
	const bytesPerValue = 64
	c.charge(v, len(text)/bytesPerValue)
}

// enter goes a level deeper, and reports whether it may.
func (c *converter) enter(v *value) bool {
	if c.err == nil && c.depth >= maxDepth {
		c.fail(v, ErrTooLarge)
	}
	if c.err != nil {
		return false
	}
	c.depth++
	return true
}

// leave goes back from a level that was entered.
func (c *converter) leave() { c.depth-- }

// fail ends the conversion. The first error counts.
func (c *converter) fail(v *value, err error) {
	if c.err == nil {
		c.err = &Error{Pointer: v.pointer(), Err: err}
	}
}
