#!/usr/bin/env bash
# Writes the documentation site and opens it in Chromium from its folder: each page by axe, the
# search, the copy buttons and the keyboard. Screenshots are in screenshots/ afterwards. Only the
# installation of packages uses the network. Takes one to three minutes.
set -euo pipefail
cd "$(dirname "$0")"

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "docsite: $1 is needed and not installed" >&2
  exit 1
}
need go
need node
need npm
if [ -z "${CHROMIUM:-}" ]; then
  CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
fi
if [ -z "$CHROMIUM" ]; then
  echo "docsite: chromium is needed and not installed; CHROMIUM names another browser of its kind" >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CHROMIUM GEMWIRE_SITE=$work/site

(cd ../.. && go run ./tools/docsite -out "$work/site")
npm ci --loglevel=error
npm run --silent check
rm -rf screenshots
npm test --silent >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/log"
echo "docsite: the screenshots are in test/docsite/screenshots"
