#!/usr/bin/env bash
# Lets the client libraries that programs use do what they do: read what the gemwire command writes, converted from
# the example streams and from the recorded ones where they are there (go and node), call the fake server that it
# runs (genai and google), and call its gateway (go/gateway, openai, anthropic, opencode, codex, python, and again
# genai and google). Everything stays on this machine but the installation of packages; nothing is left running or lying around.
# Takes about six minutes, more when the Go clients are compiled for the first time.
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
if [ "$(uname)" = Linux ]; then need mmdebstrap; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GEMWIRE_WORK=$work GEMWIRE_COMMAND=$work/gemwire GEMWIRE_WITNESS=$work/witness

(cd ../.. && go build -o "$GEMWIRE_COMMAND" ./server/cmd/gemwire)
(cd go && go build -o "$GEMWIRE_WITNESS" ./witness)

# -count=1: go test does not see that the command or the streams have changed. -timeout is for the
# tests, not for compiling them.
for suite in go genai; do
  (cd $suite && go vet ./... && go test -count=1 -timeout 5m ./...)
done

(cd genai && GEMWIRE_THROUGH_GATEWAY=1 go test -count=1 -timeout 5m ./...)

# npm_run SCRIPT runs the tests of a suite, and shows their counts, or all of it when one fails.
npm_run() {
  npm run --silent "$1" >"$work/npm.log" 2>&1 || { cat "$work/npm.log"; exit 1; }
  grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/npm.log"
}

for suite in node google openai anthropic opencode codex; do
  (
    cd $suite
    npm ci --loglevel=error
    npm run --silent check
    npm_run test
    if [ $suite = google ]; then npm_run test:gateway; fi
  )
done

# Both versions of OpenAI's client for Python, unpacked from Debian's packages.
if [ "$(uname)" = Linux ]; then
  GEMWIRE_PYTHON=$work/python timeout 20m python/test.sh
else
  echo "clients: the packages for Python need Linux, and are skipped"
fi

# The program of docs/clients/openai-js.md for the openai package, which is installed now.
(cd ../.. && go test -count=1 -run ThePageForJavaScriptShowsAProgram ./server/cli/serve)

echo "clients: what was covered"
cat "$work/summary.txt"
