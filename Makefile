# What one does with dtok's sources. Only build, demo, test, screens, bench, release
# and clean need nothing but Go; test-kafka and kafka-up also need a JDK (17 or later)
# and Maven.

GO      ?= go
FUZZTIME ?= 30s
# The release of Apache Kafka, one of kafka/contract/apache/releases.go.
KAFKA    ?= 4.4.0
# How many runs test-faults makes; "all" is every fault at every byte.
FAULTS ?= 25000

# Static and without the paths of the machine it was built on.
BUILD = CGO_ENABLED=0 $(GO) build -trimpath

# The tools that are not part of the module, pinned.
LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.DEFAULT_GOAL := help

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./dtok
	$(BUILD) -o dtok ./cmd/dtok

.PHONY: demo
demo: build ## open dtok on the cluster inside it
	./dtok demo

.PHONY: test
test: ## run all tests that need Go alone
	$(GO) test -timeout 30m ./...

.PHONY: race
race: ## the same with the race detector
	$(GO) test -race -timeout 30m ./...

.PHONY: bench
bench: ## measure dtok beside its peers: one table (Go; with a JDK and Maven on a real Apache Kafka)
	$(GO) run ./cmd/dtok/bench

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZTIME each
	@$(GO) list ./... | while read -r pkg; do \
		$(GO) test -run '^$$' -list '^Fuzz' "$$pkg" | grep '^Fuzz' | while read -r name; do \
			echo "== $$pkg $$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$pkg" </dev/null || exit 1; \
		done || exit 1; \
	done

.PHONY: release
release: ## build dist: archives and packages for all platforms (needs a git clone)
	$(GO) run ./cmd/release -o dist

# From a clone elsewhere, with nothing that this machine has compiled before.
.PHONY: release-check
release-check: release ## build it once more somewhere else: every byte must be the same
	@again=$$(mktemp -d) && trap 'rm -rf "$$again"' EXIT && git clone -q . "$$again/src" && cd "$$again/src" && \
		GOCACHE="$$again/cache" $(GO) run ./cmd/release -o "$$again/dist" && \
		cmp "$$again/dist/SHA256SUMS" $(CURDIR)/dist/SHA256SUMS && echo "both builds are the same"

.PHONY: screens
screens: ## draw the pictures of the screens anew, from the demo
	$(GO) test -count=1 -run '^TestPicturesAreCurrent$$' ./cmd/dtok -update

.PHONY: test-faults
test-faults: ## 25 000 runs on a connection that misbehaves, byte by byte
	DTOK_FAULTS=$(FAULTS) $(GO) test -count=1 -timeout 60m -v -run '^TestFaults$$' ./kafka/faults

.PHONY: lint
lint: ## check the form: gofmt, go vet, golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	$(GO) vet ./...
	$(GO) run $(LINT) run --allow-parallel-runners ./...

.PHONY: clean
clean: kafka-down ## stop a running Kafka and remove what was built
	rm -rf dtok dist testdata/kafka/.run

.PHONY: test-kafka
test-kafka: ## run the suite against a real Apache Kafka, KAFKA=3.9.1-zk (JDK 17, Maven)
	DTOK_KAFKA=$(KAFKA) $(GO) test -count=1 -parallel 6 -timeout 40m -run OnKafka ./kafka/contract

.PHONY: test-kafka-all
test-kafka-all: ## run it on every release in turn; UPDATE=1 writes the table into README.md
	$(GO) run ./kafka/contract/matrix $(if $(UPDATE),-update)

.PHONY: kafka-up
kafka-up: build ## start a real Apache Kafka and print how to open dtok on it
	$(GO) run ./kafka/contract/apache/up start $(KAFKA)

.PHONY: kafka-down
kafka-down: ## stop it
	@$(GO) run ./kafka/contract/apache/up stop
