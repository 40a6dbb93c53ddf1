// Package shape is test input of codecgen, with unions and with closed objects.
package shape

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Color is an enum.
type Color string

// The colors.
const (
	ColorRed   Color = "red"
	ColorGreen Color = "green"
)

// Valid reports whether c is one of the colors.
func (c Color) Valid() bool { return c == ColorRed || c == ColorGreen }

// Notes is a map of objects.
type Notes map[string]jsontext.Value

// Circle is open.
type Circle struct {
	Color   Color          `json:"color,omitzero"`
	Radius  float64        `json:"radius"`
	Unknown jsontext.Value `json:",embed"`
}

// Triangle is closed.
type Triangle struct {
	Anything jsontext.Value `json:"anything"`
	Color    Color          `json:"color"`
	Extra    jsontext.Value `json:"extra"`
	Names    []string       `json:"names"`
	Notes    Notes          `json:"notes,omitzero"`
}

// Square is closed, and of a later version.
type Square struct {
	Drawn  time.Time      `json:"drawn,omitzero"`
	Owner  jsontext.Value `json:"owner,omitzero"`
	Tilted *bool          `json:"tilted,omitzero"`
}

// Group is closed, and may hold itself.
type Group struct {
	Cover  Shape   `json:"cover,omitzero"`
	Shapes []Shape `json:"shapes"`
}
