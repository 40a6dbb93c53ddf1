package schema

import "github.com/gemwire/gemwire/gen/geminiapi"

// slabSize is how many texts or types are allocated at once: a result points to many of both.
const slabSize = 8

// text returns a pointer to a text.
func (c *converter) text(text string) *string {
	if len(c.texts) == 0 {
		c.texts = make([]string, slabSize)
	}
	out := &c.texts[0]
	c.texts = c.texts[1:]
	*out = text
	return out
}

// textOf returns a pointer to the text of a value, nil for no value.
func (c *converter) textOf(v *value) *string {
	if v == nil {
		return nil
	}
	return c.text(v.text())
}

// wireType returns a pointer to Gemini's name of a type.
func (c *converter) wireType(t typeSet) *geminiapi.SchemaType {
	if len(c.types) == 0 {
		c.types = make([]geminiapi.SchemaType, slabSize)
	}
	out := &c.types[0]
	c.types = c.types[1:]
	for i := range types {
		if types[i].set == t {
			*out = types[i].wire
		}
	}
	return out
}
