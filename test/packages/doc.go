// Package packages makes what a release has, by .goreleaser.yaml, and installs it as users do: the
// packages of Debian and Fedora, the archive, the npm packages, the formula and the GitHub Action.
//
// The binary of this platform is built as in a release. The binaries of the other platforms are
// stand-ins, because compiling them takes minutes; `make snapshot` builds all. Nothing needs a
// network but the empty root of Debian and the modules of goreleaser.
//
// The package is a module of its own, so that goreleaser is not a dependency of the project.
package packages
