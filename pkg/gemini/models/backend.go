package models

// Backends is a set of the two services that Gemini's models are reached by. Some of what a model
// takes depends on which of them is asked.
type Backends uint8

// The services. [BothBackends] is for what does not depend on them.
const (
	GeminiAPI Backends = 1 << iota
	VertexAI
	BothBackends = GeminiAPI | VertexAI
)

// Has reports whether all of some services are in the set.
func (b Backends) Has(others Backends) bool { return b&others == others }
