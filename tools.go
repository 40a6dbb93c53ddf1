//go:build tools

// Package gemwire pins the version of the generator that `go generate` runs, next to the `tool`
// line of go.mod.
package gemwire

import (
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
	_ "github.com/oapi-codegen/runtime"
)
