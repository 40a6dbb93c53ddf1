#!/usr/bin/env bash
# Lets the client libraries that programs use do what they do: read what the gemwire command writes, converted from
# the example streams and from the recorded ones where they are there (go and node), and call the fake server that it
# runs (genai and google). Everything stays on this machine but the installation of packages; nothing is left running
# or lying around. Takes about two minutes, more when the Go clients are compiled for the first time.
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
for suite in go genai; do
  (cd $suite && go vet ./... && go test -count=1 -timeout 5m ./...)
done

for suite in node google; do
  (
    cd $suite
    npm ci --loglevel=error
    npm run --silent check
    npm test --silent >"$work/$suite.log" 2>&1 || { cat "$work/$suite.log"; exit 1; }
    grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/$suite.log"
  )
done

echo "clients: what was covered"
cat "$work/summary.txt"
