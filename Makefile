# gemwire: build, test and maintain. `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --warn-undefined-variables
GO ?= go
FUZZTIME ?= 20s
BENCH ?= .
LOAD ?=
BULK ?=
ATTACK ?=
ROOM ?=
COUNT ?= 20
SEED ?= 0
MUTANT ?=
PROSE ?=
ENDS = Race|Grace|Fail|Cancel|End|HalfClosed|TooEarly
BENCHCOUNT ?= 6
PREFIX ?= /usr/local
DESTDIR ?=
ADDR ?= 127.0.0.1:8080
INSPECT_ADDR ?= 127.0.0.1:8081
DOCS_ADDR ?= 127.0.0.1:8000
OURS ?= api/openapi/gemini.yaml
THEIRS ?=

# The modules that go.work joins: the SDK, the programs, the workshop. bench and the modules in test have a go.work of
# their own, so that the versions they need do not change these.
ALL := ./... ./server/... ./tools/...

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z_-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | sort | expand -t 24

.PHONY: build
build: ## Build the commands into bin/
	$(GO) build -trimpath -o bin/ ./cmd/... ./server/cmd/...

.PHONY: run
run: ## Build and start the gateway with its inspector, and print how to try it (ADDR=... INSPECT_ADDR=...)
	@echo "building the gateway; the first time takes 2 to 4 minutes"
	@set -o pipefail; $(GO) build -v -o bin/gemwire ./server/cmd/gemwire 2>&1 | awk '/[.:] /{print "\n" $$0; next} {printf "\r%d packages built", ++n; fflush()} END {if (n) print ""}'
	@exec bin/gemwire serve --addr $(ADDR) --inspect --inspect-bodies --inspect-addr $(INSPECT_ADDR) --store memory --hints

.PHONY: web_search_google_tool
web_search_google_tool: ## Build the Google web-search tool into libexec/ikigai/
	$(GO) build -trimpath -o libexec/ikigai/web-search-google-tool ./cmd/web-search-google-tool

.PHONY: tools
tools: web_search_google_tool ## Build all tools that agents run into libexec/ikigai/

# The pages have the date of the last commit, so that equal sources give equal files.
.PHONY: man
man: ## Write manual pages and shell completions into bin/share/
	rm -rf bin/share
	SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || true)}" \
		$(GO) run -trimpath ./tools/manpages bin/share

# Packages have the command in /usr/bin. The unit for a build by hand names /usr/local/bin.
.PHONY: package-files
package-files: man ## Write manual pages, completions and the unit of systemd for packages, into bin/
	mkdir -p bin/package
	sed 's|/usr/local/bin/|/usr/bin/|; s|for /etc/systemd/system|of the package|' server/deploy/systemd/gemwire.service > bin/package/gemwire.service

.PHONY: snapshot
snapshot: ## Make all files of a release in dist/, without a tag and for all platforms, in about 15 minutes
	cd test/packages && $(GO) build -o ../../bin/goreleaser github.com/goreleaser/goreleaser/v2
	GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/gemwire/gemwire \
		bin/goreleaser release --snapshot --clean --skip=sbom,sign
	$(GO) run ./tools/npmpackages dist dist/npm

.PHONY: install
install: build tools man ## Install command, tools, manual pages, completions under DESTDIR and PREFIX (/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/ikigai"
	install -d "$(DESTDIR)$(PREFIX)/share"
	cp -R bin/share/. "$(DESTDIR)$(PREFIX)/share/"
	install -m 0755 bin/gemwire "$(DESTDIR)$(PREFIX)/bin/gemwire"
	install -m 0755 libexec/ikigai/web-search-google-tool "$(DESTDIR)$(PREFIX)/libexec/ikigai/web-search-google-tool"

.PHONY: uninstall
uninstall: ## Remove what install installed, with the same DESTDIR and PREFIX
	rm -f "$(DESTDIR)$(PREFIX)/bin/gemwire"
	rm -f "$(DESTDIR)$(PREFIX)/libexec/ikigai/web-search-google-tool"
	rm -f "$(DESTDIR)$(PREFIX)"/share/man/man1/gemwire{,-*}.1
	rm -f "$(DESTDIR)$(PREFIX)"/share/{bash-completion/completions/gemwire,zsh/site-functions/_gemwire}
	rm -f "$(DESTDIR)$(PREFIX)"/share/fish/vendor_completions.d/gemwire.fish
	rmdir "$(DESTDIR)$(PREFIX)/libexec/ikigai" 2>/dev/null || true

# lint vets the packages with their tests, so the tests need not be vetted again. The tests leave much garbage and hold
# little: collecting it less often saves a fifth of their time. Many wait for a server or a clock, so that more of them run at
# once than there are processors.
.PHONY: test
test: ## Run the tests of the SDK and of the server, without the race detector
	@echo "testing the SDK and the server; make test-all runs the rest: the tools, the race detector, real clients, deployments"
	GOGC=400 $(GO) test -vet=off -parallel 8 -timeout 20m ./... ./server/...

.PHONY: test-sdk
test-sdk: ## Run the tests of the SDK
	GOGC=400 $(GO) test -vet=off -parallel 8 -timeout 20m ./...

.PHONY: test-server
test-server: ## Run the tests of the server
	GOGC=400 $(GO) test -vet=off -parallel 8 -timeout 20m ./server/...

.PHONY: test-tools
test-tools: ## Run the tests of the tools
	$(GO) test -vet=off -timeout 20m ./tools/...

# What .ci/run calls after make test. The tools have one goroutine, in which there is no race to find.
.PHONY: test-all
test-all: test-tools test-prose test-race test-peers test-load test-attack test-bulk test-mutants test-clients test-faults test-inspector test-docs test-deploy test-install test-packages ## Run all other tests: tools, races, peers, load, attacks, bulk jobs, clients, agents, inspector, docs, packages, deployments

.PHONY: test-race
test-race: ## Run the tests of the SDK and the server with the race detector, with a part of the payloads and their leaves
	$(GO) test -vet=off -race -short -timeout 20m ./... ./server/...

.PHONY: test-ends
test-ends: ## Test with the race detector how answers of the gateway end: failures, timeouts, cancelled and half-closed requests
	$(GO) test -vet=off -race -short -timeout 10m -run '$(ENDS)' ./server/gateway/...

.PHONY: check
check: lint ## Run lint and all tests once, as before a commit
	$(GO) test -vet=off -timeout 20m $(ALL)

.PHONY: test-peers
test-peers: ## Compare how gemwire and other clients read the same streams
	cd test/peers && $(GO) vet ./... && $(GO) test ./...

.PHONY: test-clients
test-clients: ## Run real clients on converted streams, gemwire emulate and gemwire serve (needs Node, npm and, on Linux, mmdebstrap)
	test/clients/run.sh

.PHONY: test-faults
test-faults: ## Let agents finish a task while the server fails, and compare docs/agents-and-faults.md (needs Node, npm and git)
	test/clients/faults/run.sh

.PHONY: test-inspector
test-inspector: ## Open the inspector in Chromium, with pictures in test/inspector/screenshots (needs Node, npm and Chromium)
	test/inspector/run.sh

.PHONY: test-docs
test-docs: ## Open the documentation site in Chromium, with screenshots in test/docsite/screenshots (needs Node, npm and Chromium)
	test/docsite/run.sh

.PHONY: test-deploy
test-deploy: ## Check server/deploy/ and the release files, and run the command in an empty root (as root; uses nginx and systemd-analyze where installed)
	cd test/deploy && $(GO) vet ./... && $(GO) test -count=1 ./...

.PHONY: test-install
test-install: ## Install the command and use the SDK as users do, offline, from a module proxy made of this tree
	test/install/run.sh

.PHONY: test-packages
test-packages: ## Make the packages of a release and install them offline: deb, rpm, npm, archive, formula (as root; needs Node, npm, mmdebstrap)
	cd test/packages && $(GO) vet ./... && $(GO) test -count=1 -timeout 20m

# A module of the workspace that requires another one cannot be tidied before that is released, so it is replaced meanwhile.
.PHONY: tidy
tidy: ## Tidy go.mod and go.sum of the modules that go.work joins
	GOWORK=off $(GO) mod tidy
	version=$$(awk '$$1 == "github.com/gemwire/gemwire" { print $$2 }' server/go.mod); \
	for module in server tools; do ( \
		cd $$module; \
		trap '$(GO) mod edit -dropreplace github.com/gemwire/gemwire@'$$version' -dropreplace github.com/gemwire/gemwire/server@'$$version EXIT; \
		$(GO) mod edit -replace github.com/gemwire/gemwire@$$version=../; \
		if [ $$module = tools ]; then $(GO) mod edit -replace github.com/gemwire/gemwire/server@$$version=../server; fi; \
		GOWORK=off $(GO) mod tidy; \
	); done

.PHONY: check-descriptions
check-descriptions: ## Fail if a description of api/openapi/ is missing, for example after make refresh
	@if grep -n '"REVIEW:' api/openapi/*.yaml; then echo "these descriptions are still to be written"; exit 1; fi

.PHONY: lint
lint: check-descriptions ## Check formatting, descriptions, vet and staticcheck, workflows by actionlint, prose by vale
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet $(ALL)
	$(GO) tool staticcheck $(ALL)
	cd test/workflows && $(GO) tool actionlint -shellcheck= -pyflakes= ../../.github/workflows/*.yml
	cd test/prose && $(GO) run .

# The rules are in .vale/styles/gemwire, the rooms that `make lint` checks in .vale/clean.txt.
.PHONY: prose
prose: ## Count what the prose check finds in each folder; ROOM=pkg/gemini lists the findings, PROSE=-suggestions too
	@cd test/prose && $(GO) run . $(if $(ROOM),-room '$(ROOM)',-counts) $(PROSE)

.PHONY: test-prose
test-prose: ## Check that each rule of the prose check finds its phrase
	cd test/prose && $(GO) vet ./... && $(GO) test ./...

.PHONY: generate
generate: ## Write gen/ from api/openapi/, quick checks from validate tags, and the diagram of the packages, offline
	$(GO) generate $(ALL)

.PHONY: packages
packages: ## Check that imports follow the order of the layers, and draw them in docs/packages.md
	$(GO) generate ./tools/packagemap

.PHONY: check-generate
check-generate: ## Fail if a generated file in api/, gen/, pkg/, server/ or docs/ is stale
	@before=$$(mktemp -d); trap 'rm -rf "$$before"' EXIT; \
	cp -R api gen pkg server docs "$$before"; \
	$(GO) generate $(ALL); \
	for folder in api gen pkg server docs; do \
		if ! diff -rq "$$before/$$folder" $$folder; then \
			echo "$$folder/ was stale; it has been generated again, commit it"; exit 1; \
		fi; \
	done

.PHONY: models-check
models-check: ## Fail if a fact of models.yaml is older than 90 days, or a model that the API lists is missing (needs GEMINI_API_KEY)
	@$(GO) run ./tools/modeldata check pkg/gemini/models/models.yaml

.PHONY: spec-drift
spec-drift: ## Compare OURS=... with a vendor's own document THEIRS=...
	@if [ -z "$(THEIRS)" ]; then echo "usage: make spec-drift OURS=api/openapi/gemini.yaml THEIRS=path/of/vendor.json"; exit 2; fi
	@$(GO) run ./tools/specdrift $(OURS) $(THEIRS)

.PHONY: refresh
refresh: ## Merge a vendor's document THEIRS=... into OURS=..., generate, and list what a person must write
	@if [ -z "$(THEIRS)" ]; then echo "usage: make refresh OURS=api/openapi/gemini.yaml THEIRS=path/of/vendor.json"; exit 2; fi
	@$(GO) run ./tools/specdrift -merge $(OURS) $(THEIRS)
	@$(GO) generate ./api/openapi ./pkg/...

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME, also after a failure
	@$(GO) list $(ALL) | { failed=0; while read -r package; do \
		for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
			echo "== $$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$package" || failed=1; \
		done; \
	done; exit $$failed; }

.PHONY: bench
bench: ## Run the benchmarks BENCH=... BENCHCOUNT times, for benchstat
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) $(ALL)

.PHONY: bench-peers
bench-peers: ## Compare calls and the conversion of streams with other libraries, as ratios
	cd bench && $(GO) vet ./... && $(GO) test -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) -timeout 20m ./...

.PHONY: load
load: ## Measure the gateway and a plain proxy under load, in seven minutes; LOAD='-only whole' for a part
	cd test/load && $(GO) build -trimpath -o ../../bin/load . && ../../bin/load $(LOAD)

.PHONY: test-load
test-load: ## Test the programs of make load
	cd test/load && $(GO) vet ./... && $(GO) test ./...

.PHONY: attack
attack: ## Attack a built gateway while an honest client uses it, in two minutes; ATTACK='-only junk' for a part
	$(GO) build -trimpath -o bin/gemwire ./server/cmd/gemwire
	cd test/attack && $(GO) build -trimpath -o ../../bin/attack . && cd ../.. && bin/attack $(ATTACK)

.PHONY: test-attack
test-attack: ## Run a short make attack, in half a minute
	cd test/attack && $(GO) vet ./... && $(GO) test ./...
	$(MAKE) attack ATTACK='-time 1500ms'

.PHONY: bulk
bulk: ## Kill large bulk jobs and check that each line has one result, in half an hour with 10 GB of disk; BULK='-only crash' for a part
	cd test/bulk && $(GO) build -trimpath -o ../../bin/bulk . && ../../bin/bulk $(BULK)

.PHONY: test-bulk
test-bulk: ## Run make bulk with few lines, in two minutes
	cd test/bulk && $(GO) vet ./... && $(GO) build -trimpath -o ../../bin/bulk . && ../../bin/bulk -only crash,full,workers,cluster,serve,worker -lines 10000 -kills 6

.PHONY: mutants
mutants: ## Break the code at random and count what the tests notice (ROOM=bulk,gateway COUNT=20 SEED=7, or MUTANT=FILE:LINE:COLUMN)
	cd test/mutants && $(GO) run . -room '$(ROOM)' -count $(COUNT) -seed $(SEED) -mutant '$(MUTANT)'

.PHONY: test-mutants
test-mutants: ## Test the program of make mutants
	cd test/mutants && $(GO) vet ./... && $(GO) test ./...

.PHONY: docs
docs: ## Write the documentation site into site/
	$(GO) run ./tools/docsite -out site

.PHONY: docs-serve
docs-serve: ## Write the documentation site and serve it at DOCS_ADDR (127.0.0.1:8000)
	$(GO) run ./tools/docsite -out site -serve $(DOCS_ADDR)

.PHONY: clean
clean: ## Remove the files that the other targets build
	rm -rf bin libexec site
