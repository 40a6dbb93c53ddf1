// Command parseonly only parses. A test checks which packages it links.
package main

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/structured"
)

func main() { fmt.Println(structured.Parse[struct{ A int }](`{"A": 1}`)) }
