#!/usr/bin/env bash
# Opens the inspector in Chromium and does with it what people do, and what others might try. Pictures of the main states
# are in screenshots/ afterwards. Everything stays on this machine but the installation of packages; nothing is left
# running. Takes about two minutes.
#
#   test/inspector/run.sh            the tests
#   test/inspector/run.sh picture    writes docs/inspector*.png, the pictures of the docs
set -euo pipefail
cd "$(dirname "$0")"

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "inspector: $1 is needed and not installed" >&2
  exit 1
}
need go
need node
need npm
if [ -z "${CHROMIUM:-}" ]; then
  CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
fi
if [ -z "$CHROMIUM" ]; then
  echo "inspector: chromium is needed and not installed; CHROMIUM names another browser of its kind" >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CHROMIUM GEMWIRE_PROGRAMS=$work

go vet ./...
go build -o "$work/server" ./server
(cd ../.. && go build -o "$work/gemwire" ./server/cmd/gemwire)
npm ci --loglevel=error
if [ "${1:-}" = picture ]; then
  mkdir "$work/pictures"
  node picture.mjs "$work/pictures"
  for picture in "$work"/pictures/*.png; do
    go run ./palette <"$picture" >"../../docs/$(basename "$picture")"
  done
  exit
fi
npm run --silent check
rm -rf screenshots
npm test --silent >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -E '^ℹ (tests|pass|fail|skipped) ' "$work/log"
echo "inspector: the pictures are in test/inspector/screenshots"
