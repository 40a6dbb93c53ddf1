package answer

// HeldCall is the start of a call that arrives in pieces. A signature must precede its call, but
// may arrive with a later piece.
type HeldCall struct {
	ID, Name string
	Part     int
	At       PartLocation
}

// CallHold holds back the first call of a stream if the call arrives in pieces and unsigned. Of
// parallel calls Gemini signs only the first. In all recorded streams its first piece has the
// signature, so usual streams are not delayed. The zero value is empty.
type CallHold struct {
	// HasSigned is true after a call with a signature.
	HasSigned bool
	held      HeldCall
	isHeld    bool
	arguments []byte // so far
	signature string // of the call that was sent last
}

// Hold holds a call back.
func (h *CallHold) Hold(call *HeldCall) { h.held, h.isHeld, h.arguments = *call, true, h.arguments[:0] }

// Sent records that a call was sent, with a signature or "".
func (h *CallHold) Sent(signature string) {
	h.signature, h.HasSigned = signature, h.HasSigned || signature != ""
}

// Continue holds back a piece of the arguments. It returns false if no call is held.
func (h *CallHold) Continue(arguments string) bool {
	if h.isHeld {
		h.arguments = append(h.arguments, arguments...)
	}
	return h.isHeld
}

// IsHeld reports whether a call is held.
func (h *CallHold) IsHeld() bool { return h.isHeld }

// IsLate reports whether a signature of a later piece differs from the signature that was sent with
// the call.
func (h *CallHold) IsLate(signature string) bool { return signature != h.signature }

// Release returns the held call with its arguments so far. It records that the call is sent with a
// signature.
func (h *CallHold) Release(signature string) (call *HeldCall, arguments string) {
	h.isHeld = false
	h.Sent(signature)
	return &h.held, string(h.arguments)
}
