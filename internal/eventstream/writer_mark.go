package eventstream

// Mark adds an event without a name, such as [DoneMark], after the committed events.
func (w *Writer) Mark(text string) {
	if w.buf == nil {
		w.takeBuffer()
	}
	w.Commit(append(append(w.buf, "data: "...), text...))
}
