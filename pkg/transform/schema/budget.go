package schema

// These are the limits of a conversion. References can make its result grow without bounds. The
// limits are far above what Gemini accepts; Gemini's own limits are not published.
const (
	// maxSize limits the size of the result and the time of the conversion, in steps. Each JSON
	// value takes about two steps, and each 64 bytes of text one. Both count as often as a $ref or
	// an alternative repeats them. A tool with ten properties takes about 100 steps.
	maxSize = 100_000
	// maxDepth limits the nesting of schemas. Each $ref, allOf, anyOf and oneOf on the way counts
	// as a level.
	maxDepth = 100
)

// charge counts what is read, and ends the conversion if the limit is exceeded.
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

// enter goes one level deeper, and reports whether that is allowed.
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

// leave returns from a level that was entered.
func (c *converter) leave() { c.depth-- }

// fail ends the conversion. The first error counts.
func (c *converter) fail(v *value, err error) {
	if c.err == nil {
		c.err = &Error{Pointer: v.pointer(), Err: err}
	}
}
