#!/usr/bin/env bash
# Installs what users install, from a module proxy that is made of this tree, without a network: the command by go install,
# and the SDK by go get into a module of its own. The version is the one that server requires of the SDK.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(awk '$1 == "github.com/gemwire/gemwire" { print $2 }' server/go.mod)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go run ./tools/modproxy "$work/proxy" "$version"

# What the modules need of others is fetched once, in each module's own versions. In the workspace these can be higher.
export GOWORK=off
go mod download
cp server/go.mod "$work/go.mod"
cp server/go.sum "$work/go.sum"
go mod edit -replace "github.com/gemwire/gemwire@$version=$PWD" "$work/go.mod"
(cd server && go mod download -modfile="$work/go.mod")
# go mod tidy in the module of a user reads the tests of dependencies too.
mkdir "$work/before"
cp test/install/testdata/main.go "$work/before/main.go"
(
  root=$PWD
  cd "$work/before"
  go mod init example.com/user
  go mod edit -replace "github.com/gemwire/gemwire@$version=$root"
  go get "github.com/gemwire/gemwire@$version" # as below, because tidy keeps the versions that get adds
  go mod tidy
)

downloaded=$(go env GOMODCACHE)/cache/download
export GOSUMDB=off GOFLAGS=-modcacherw GOMODCACHE=$work/modules GOBIN=$work/bin
export GOPROXY="file://$work/proxy,file://$downloaded"

go install "github.com/gemwire/gemwire/server/cmd/gemwire@$version"
"$work/bin/gemwire" --version
"$work/bin/gemwire" --version | grep -qF "$version"

mkdir "$work/user"
cp test/install/testdata/main.go "$work/user/main.go"
cd "$work/user"
go mod init example.com/user
go get "github.com/gemwire/gemwire@$version"
go mod tidy
go run .

# go list -m all has one line less, 60, and would ask for more than the files that a build needs.
modules=$(go mod graph | tr ' ' '\n' | sed 's/@.*//' | grep -v '^go$\|^toolchain$' | sort -u)
echo "install: the module graph of a program of the SDK has $(wc -l <<<"$modules") modules"
if [ "$(wc -l <<<"$modules")" -gt 61 ]; then
  echo "install: at most 61 are expected" >&2
  exit 1
fi
if grep -E 'nats|bbolt|cobra|prometheus|staticcheck' <<<"$modules"; then
  echo "install: the SDK needs what only the server should need" >&2
  exit 1
fi
