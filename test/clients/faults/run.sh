#!/usr/bin/env bash
# Runs each agent with each fault through the gateway, and compares the table of docs/agents-and-faults.md. The programs
# of some agents are in sibling folders. Takes at most eight minutes on two processors. Everything stays on this
# machine but the installation of packages.
set -euo pipefail
cd "$(dirname "$0")"

for command in go node npm git; do
  command -v "$command" >/dev/null 2>&1 || { echo "faults: $command is needed and not installed" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GEMWIRE_COMMAND=$work/gemwire
(cd ../../.. && go build -o "$GEMWIRE_COMMAND" ./server/cmd/gemwire)

# What test/clients/run.sh has installed already is not installed again.
for suite in codex opencode google anthropic; do
  (
    cd "../$suite"
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --loglevel=error
  )
done
# npm ci refuses the lock file of this folder: it lacks packages of an agent for other systems, because not every
# registry has them. npm install takes the same versions from it, and --no-save leaves it as it is.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --loglevel=error

npm run --silent check
npm test --silent >"$work/npm.log" 2>&1 || { cat "$work/npm.log"; exit 1; }
grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/npm.log"
