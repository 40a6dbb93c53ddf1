package aisdk

// InputEncoding says what the deltas of a tool call's input join to.
type InputEncoding string

// The encodings of a tool call's input.
const (
	// InputJSON is the input as JSON; the default.
	InputJSON InputEncoding = "json"
	// InputText is the input as bare text. The [ToolCall] that follows has it as a JSON string.
	InputText InputEncoding = "text"
)

// inputEncodings are the encodings that the SDK knows, and "" for none told.
var inputEncodings = map[InputEncoding]bool{"": true, InputJSON: true, InputText: true}

// ToolInputStart opens the input of a tool call.
type ToolInputStart struct {
	// ID is the id of the call.
	ID string
	// ToolName is the name of the tool.
	ToolName string
	// InputEncoding is optional; "" means [InputJSON].
	InputEncoding InputEncoding
	// ProviderExecuted says that the provider runs the tool; nil is absent.
	ProviderExecuted *bool
	// Dynamic says that the tool is not declared by the client; nil is absent, which is not false:
	// the SDK then looks at the tool.
	Dynamic *bool
	// Title is what to show for the tool; "" is absent.
	Title string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolInputStart].
func (ToolInputStart) PartType() PartType { return TypeToolInputStart }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolInputStart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolInputStart) write(w *partWriter) {
	if !inputEncodings[p.InputEncoding] {
		w.fail("inputEncoding", reasonUnknownValue)
	}
	w.text("id", p.ID)
	w.text("toolName", p.ToolName)
	w.optionalText("inputEncoding", string(p.InputEncoding))
	w.optionalFlag("providerExecuted", p.ProviderExecuted)
	w.optionalFlag("dynamic", p.Dynamic)
	w.optionalText("title", p.Title)
	w.metadata(p.ProviderMetadata)
}

func readToolInputStart(r *partReader) Part {
	p := ToolInputStart{
		ID:               r.text("id"),
		ToolName:         r.text("toolName"),
		InputEncoding:    InputEncoding(r.optionalText("inputEncoding")),
		ProviderExecuted: r.optionalFlag("providerExecuted"),
		Dynamic:          r.optionalFlag("dynamic"),
		Title:            r.optionalText("title"),
		ProviderMetadata: r.metadata(),
	}
	if !inputEncodings[p.InputEncoding] {
		r.fail("inputEncoding", reasonUnknownValue)
	}
	return p
}

// ToolInputDelta is a piece of a tool call's input.
type ToolInputDelta struct {
	// ID is the id of the call.
	ID string
	// Delta is the piece to append.
	Delta string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolInputDelta].
func (ToolInputDelta) PartType() PartType { return TypeToolInputDelta }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolInputDelta) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolInputDelta) write(w *partWriter) {
	w.text("id", p.ID)
	w.text("delta", p.Delta)
	w.metadata(p.ProviderMetadata)
}

func readToolInputDelta(r *partReader) Part {
	return ToolInputDelta{ID: r.text("id"), Delta: r.text("delta"), ProviderMetadata: r.metadata()}
}

// ToolInputEnd closes the input of a tool call.
type ToolInputEnd struct {
	// ID is the id of the call.
	ID string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolInputEnd].
func (ToolInputEnd) PartType() PartType { return TypeToolInputEnd }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolInputEnd) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolInputEnd) write(w *partWriter) {
	w.text("id", p.ID)
	w.metadata(p.ProviderMetadata)
}

func readToolInputEnd(r *partReader) Part {
	return ToolInputEnd{ID: r.text("id"), ProviderMetadata: r.metadata()}
}

const reasonUnknownValue = "not a value that the SDK knows"
