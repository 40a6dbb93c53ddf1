#!/usr/bin/env bash
# Lets the client libraries that programs use read what the gemwire command writes: converts the example
# streams, and the recorded ones where they are there, and runs the tests in go and node over them.
# Everything stays on this machine but the installation of packages; nothing is left running or lying
# around. Takes about a minute, more when the Go client is compiled for the first time.
set -euo pipefail
cd "$(dirname "$0")"

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "clients: $1 is needed and not installed" >&2
  exit 1
}
need go
need node
need npm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GEMWIRE_WORK=$work GEMWIRE_COMMAND=$work/gemwire

(cd ../.. && go build -o "$GEMWIRE_COMMAND" ./cmd/gemwire)

# -count=1: go test does not see that the command or the streams have changed. -timeout is for the
# tests, not for compiling them.
(cd go && go vet ./... && go test -count=1 -timeout 5m ./...)

(
  cd node
  npm ci --loglevel=error
  npm run --silent check
  npm test --silent >"$work/node.log" 2>&1 || { cat "$work/node.log"; exit 1; }
  grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/node.log"
)

echo "clients: what was covered"
cat "$work/summary.txt"
