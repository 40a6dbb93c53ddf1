package aisdk

import "github.com/go-json-experiment/json/jsontext"

// ProviderMetadata is what a provider tells in its own words: by the provider's name ("google"), one
// JSON object. nil is absent.
type ProviderMetadata map[string]jsontext.Value

// TextStart opens a text block.
type TextStart struct {
	// ID names the block in its deltas and its end.
	ID string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeTextStart].
func (TextStart) PartType() PartType { return TypeTextStart }

// MarshalJSON returns what [EncodePart] returns.
func (p TextStart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p TextStart) write(w *partWriter) {
	w.text("id", p.ID)
	w.metadata(p.ProviderMetadata)
}

func readTextStart(r *partReader) Part {
	return TextStart{ID: r.text("id"), ProviderMetadata: r.metadata()}
}

// TextDelta is a piece of a text block.
type TextDelta struct {
	// ID names the block, which is open.
	ID string
	// Delta is the text to append; it may be empty.
	Delta string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeTextDelta].
func (TextDelta) PartType() PartType { return TypeTextDelta }

// MarshalJSON returns what [EncodePart] returns.
func (p TextDelta) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p TextDelta) write(w *partWriter) {
	w.text("id", p.ID)
	w.text("delta", p.Delta)
	w.metadata(p.ProviderMetadata)
}

func readTextDelta(r *partReader) Part {
	return TextDelta{ID: r.text("id"), Delta: r.text("delta"), ProviderMetadata: r.metadata()}
}

// TextEnd closes a text block.
type TextEnd struct {
	// ID names the block.
	ID string
	// Citations are the sources that the block rests on; nil is absent. V4 only.
	Citations []Citation
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeTextEnd].
func (TextEnd) PartType() PartType { return TypeTextEnd }

// MarshalJSON returns what [EncodePart] returns.
func (p TextEnd) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p TextEnd) write(w *partWriter) {
	w.text("id", p.ID)
	writeCitations(w, p.Citations)
	w.metadata(p.ProviderMetadata)
}

func readTextEnd(r *partReader) Part {
	return TextEnd{ID: r.text("id"), Citations: readCitations(r), ProviderMetadata: r.metadata()}
}
