package models

// Backends is a set of the two services that serve Gemini's models. Some traits of a model depend
// on the service.
type Backends uint8

// The services. [BothBackends] is for facts that do not depend on the service.
const (
	GeminiAPI Backends = 1 << iota
	VertexAI
	BothBackends = GeminiAPI | VertexAI
)

// Has reports whether the set contains all the given services.
func (b Backends) Has(others Backends) bool { return b&others == others }
