// Package deploy checks what the gateway is deployed by: server/deploy/, .goreleaser.yaml and
// docs/deployment.md.
//
// Each file is read by the parser of the program that reads it in earnest, as strictly as there is
// one: BuildKit's checks of Dockerfiles, the Kubernetes API types and the Pod Security Standards,
// Compose's loader, Envoy's messages; and by nginx and systemd-analyze where these are installed.
// Settings, flags and paths in them are held to the command (settings_test.go). No container is
// started: image_test.go puts what the Dockerfile copies into an empty root, and runs it there as
// the image's user. That needs root, and is skipped without.
//
// It is a module of its own, so that these parsers are no dependency of the project.
package deploy
