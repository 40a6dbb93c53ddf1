package aisdk

// ReasoningStart opens a block of reasoning.
type ReasoningStart struct {
	// ID names the block in its deltas and its end.
	ID string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeReasoningStart].
func (ReasoningStart) PartType() PartType { return TypeReasoningStart }

// MarshalJSON returns what [EncodePart] returns.
func (p ReasoningStart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ReasoningStart) write(w *partWriter) {
	w.text("id", p.ID)
	w.metadata(p.ProviderMetadata)
}

func readReasoningStart(r *partReader) Part {
	return ReasoningStart{ID: r.text("id"), ProviderMetadata: r.metadata()}
}

// ReasoningDelta is a piece of a block of reasoning.
type ReasoningDelta struct {
	// ID names the block, which is open.
	ID string
	// Delta is the text to append; it may be empty.
	Delta string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeReasoningDelta].
func (ReasoningDelta) PartType() PartType { return TypeReasoningDelta }

// MarshalJSON returns what [EncodePart] returns.
func (p ReasoningDelta) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ReasoningDelta) write(w *partWriter) {
	w.text("id", p.ID)
	w.text("delta", p.Delta)
	w.metadata(p.ProviderMetadata)
}

func readReasoningDelta(r *partReader) Part {
	return ReasoningDelta{ID: r.text("id"), Delta: r.text("delta"), ProviderMetadata: r.metadata()}
}

// ReasoningEnd closes a block of reasoning.
type ReasoningEnd struct {
	// ID names the block.
	ID string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeReasoningEnd].
func (ReasoningEnd) PartType() PartType { return TypeReasoningEnd }

// MarshalJSON returns what [EncodePart] returns.
func (p ReasoningEnd) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ReasoningEnd) write(w *partWriter) {
	w.text("id", p.ID)
	w.metadata(p.ProviderMetadata)
}

func readReasoningEnd(r *partReader) Part {
	return ReasoningEnd{ID: r.text("id"), ProviderMetadata: r.metadata()}
}
