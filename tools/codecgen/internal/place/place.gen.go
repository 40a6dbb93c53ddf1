// Package place contains a type that package tiny uses.
package place

import "github.com/go-json-experiment/json/jsontext"

// Place is held by a type of package tiny, and by itself.
type Place struct {
	Name    *string        `json:"name,omitzero"`
	Within  *Place         `json:"within,omitzero"`
	Unknown jsontext.Value `json:",embed"`
}
