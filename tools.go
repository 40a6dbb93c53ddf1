//go:build tools

// Package gemwire pins the versions of the tools that `go generate` and `make lint` run, next to
// the `tool` lines of go.mod.
package gemwire

import (
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
	_ "github.com/oapi-codegen/runtime"
	_ "honnef.co/go/tools/cmd/staticcheck"
)
