// Command parseonly is a program that parses and does nothing else, for a test of what it holds.
package main

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/structured"
)

func main() { fmt.Println(structured.Parse[struct{ A int }](`{"A": 1}`)) }
