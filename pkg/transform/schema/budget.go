package schema

// charge counts what is read, and ends the conversion when it is too much.
func (c *converter) charge(v *value, values int) {
	c.size += values
	if c.size > c.maxSize {
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
	if c.err == nil && c.depth >= c.maxDepth {
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
