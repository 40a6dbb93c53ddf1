package eventstream

// Mark puts an event without a name behind those that were committed, such as [DoneMark].
func (w *Writer) Mark(text string) {
	if w.buf == nil {
		w.takeBuffer()
	}
	w.Commit(append(append(w.buf, "data: "...), text...))
}
