package answer

// HeldCall is the beginning of a call in pieces. A signature has to stand before its call, and may
// come with a later piece.
type HeldCall struct {
	ID, Name string
	Part     int
	At       PartLocation
}

// CallHold holds back the first call of a stream that is in pieces and not signed. Of the calls
// that Gemini makes at once only the first has a signature. It comes with the first piece in all
// streams that were seen, so that nothing of a usual stream is held back. The zero value holds
// none.
type CallHold struct {
	// HasSigned is whether a call has a signature.
	HasSigned bool
	held      HeldCall
	isHeld    bool
	arguments []byte // so far
	signature string // of the call that was sent last
}

// Hold holds a call back.
func (h *CallHold) Hold(call *HeldCall) { h.held, h.isHeld, h.arguments = *call, true, h.arguments[:0] }

// Sent says that a call is sent with a signature, "" for none.
func (h *CallHold) Sent(signature string) {
	h.signature, h.HasSigned = signature, h.HasSigned || signature != ""
}

// Continue holds a piece of the arguments back. It returns false if no call is held.
func (h *CallHold) Continue(arguments string) bool {
	if h.isHeld {
		h.arguments = append(h.arguments, arguments...)
	}
	return h.isHeld
}

// IsHeld reports whether a call is held.
func (h *CallHold) IsHeld() bool { return h.isHeld }

// IsLate reports whether a signature that comes with a later piece is not the one that its call was
// sent with.
func (h *CallHold) IsLate(signature string) bool { return signature != h.signature }

// Release returns the call that is held, with its arguments so far, and says that it is sent with a
// signature.
func (h *CallHold) Release(signature string) (call *HeldCall, arguments string) {
	h.isHeld = false
	h.Sent(signature)
	return &h.held, string(h.arguments)
}
