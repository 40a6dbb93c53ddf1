#!/usr/bin/env bash
# Runs the tests with OpenAI's client for Python as two releases of Debian have it, each with the Python of its
# release. They are unpacked into a folder, GEMWIRE_PYTHON or else debian beside this, and taken from there the next
# time; nothing is installed on this machine, and nobody has to be root. Needs mmdebstrap, and Linux. What is given
# to it are names of tests, such as test_chat.
set -euo pipefail
cd "$(dirname "$0")"
folder=${GEMWIRE_PYTHON:-$PWD/debian}
mkdir -p "$folder"

if ! command -v mmdebstrap >/dev/null 2>&1; then
  echo "clients: mmdebstrap is needed and not installed" >&2
  exit 1
fi

# unpack RELEASE PACKAGE... unpacks packages and what they need, from the start where that was cut off before. The
# release may be told on a mirror that was last refreshed some time ago; it is signed all the same.
unpack() {
  local mode=()
  if [ "$(id -u)" != 0 ]; then mode=(--mode=chrootless); fi
  rm -rf "$folder/$1.part"
  mmdebstrap --quiet "${mode[@]}" --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$(IFS=, && echo "${*:2}")" "$1" "$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1"
}

# python RELEASE ARGUMENT... runs the Python of a release with its own libraries.
python() {
  local root=$folder/$1
  local libraries=("$root"/usr/lib/*-linux-gnu*)
  local programs=("$root"/usr/bin/python3.[0-9]*[0-9])
  PYTHONHOME=$root/usr PYTHONDONTWRITEBYTECODE=1 \
    "${libraries[0]}"/ld-linux*.so.* --library-path "${libraries[0]}" "${programs[0]}" "${@:2}"
}

[ -e "$folder/trixie" ] || unpack trixie python3-openai
[ -e "$folder/forky" ] || unpack forky python3-openai python3-websockets python3-pycodestyle python3-pyflakes

if [ -z "${GEMWIRE_COMMAND:-}" ]; then
  export GEMWIRE_COMMAND=$folder/gemwire
  (cd ../../.. && go build -o "$GEMWIRE_COMMAND" ./server/cmd/gemwire)
fi
if [ -z "${GEMWIRE_WITNESS:-}" ]; then
  export GEMWIRE_WITNESS=$folder/witness
  (cd ../go && go build -o "$GEMWIRE_WITNESS" ./witness)
fi

python forky -m pycodestyle --max-line-length=99 ./*.py
python forky -m pyflakes ./*.py
for release in trixie forky; do
  python $release -c 'import openai, platform; print(f"openai {openai.VERSION}, Python {platform.python_version()}")'
  # The older client warns of each item of a type that it does not know, and keeps it.
  python $release -W 'ignore:Pydantic serializer:UserWarning' -m unittest --quiet "$@"
done
