#!/usr/bin/env bash
# Installs gemwire from a release, starts the fake Gemini server and a gateway to it, and gives later
# steps of the job their addresses. action.yml sets the FAKE_... variables, and the runner the others.
set -euo pipefail

fail() {
  echo "::error::fake-gemini: $*"
  exit 1
}

version=${FAKE_VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+ ]] ||
  fail "the version \"$FAKE_VERSION\" is not a tag such as v0.1.0; set the input version"

case $RUNNER_OS in
  Linux) system=linux format=tar.gz ;;
  macOS) system=darwin format=tar.gz ;;
  Windows) system=windows format=zip ;;
  *) fail "gemwire has no binary for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) fail "gemwire has no binary for $RUNNER_ARCH" ;;
esac

folder=$(mktemp -d "${RUNNER_TEMP//\\//}/gemwire.XXXXXX")
archive=gemwire_${version}_${system}_$arch.$format
from=${FAKE_DOWNLOAD:-https://github.com/gemwire/gemwire/releases/download/v$version}
for file in "$archive" checksums.txt; do
  curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" "$from/$file" ||
    fail "cannot download $from/$file"
done

# shasum is on macOS, sha256sum elsewhere.
sum=$( (cd "$folder" && { sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive"; }) | cut -d' ' -f1)
grep -qxF "${sum#\\}  $archive" "$folder/checksums.txt" ||
  fail "$archive does not have the SHA-256 that checksums.txt has for it"

if [ "$format" = zip ]; then
  unzip -q "$folder/$archive" -d "$folder"
else
  tar -xzf "$folder/$archive" -C "$folder"
fi
bin=$folder/gemwire_${version}_${system}_$arch
gemwire=$bin/gemwire

# start LOG ARGUMENT... runs gemwire until the job ends and prints the URL that it listens on.
start() {
  local log=$1 url
  shift
  nohup "$gemwire" "$@" >"$log" 2>&1 </dev/null &
  for _ in $(seq 100); do
    url=$(sed -nE 's/.*listening (on |url=)(http:[^ ]*).*/\2/p' "$log" | head -n 1)
    if [ -n "$url" ]; then
      echo "$url"
      return
    fi
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  cat "$log" >&2
  return 1
}

arguments=(emulate --addr 127.0.0.1:0)
if [ -n "$FAKE_SCRIPT" ]; then arguments+=(--script "$FAKE_SCRIPT"); fi
if [ "$FAKE_STRICT" = true ]; then arguments+=(--strict); fi
fake=$(start "$folder/fake.log" "${arguments[@]}") || fail "the fake server does not start"
gateway=$(GEMWIRE_BASE_URL=$fake GEMINI_API_KEY=any \
  start "$folder/gateway.log" serve --addr 127.0.0.1:0 --store memory) ||
  fail "the gateway does not start"

# Any key works. The variables are those that the SDKs of Google, OpenAI and Anthropic read.
cat >>"$GITHUB_ENV" <<END
GEMINI_API_KEY=any
GOOGLE_GEMINI_BASE_URL=$fake
OPENAI_API_KEY=any
OPENAI_BASE_URL=$gateway/v1
ANTHROPIC_API_KEY=any
ANTHROPIC_BASE_URL=$gateway
END
cat >>"$GITHUB_OUTPUT" <<END
gemini-url=$fake
openai-url=$gateway/v1
anthropic-url=$gateway
END
echo "$bin" >>"$GITHUB_PATH"
echo "fake-gemini: $("$gemwire" --version)"
echo "fake-gemini: the fake is at $fake, the gateway at $gateway"
