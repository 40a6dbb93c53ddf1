module github.com/gemwire/gemwire/test/peers

go 1.26.0

replace github.com/gemwire/gemwire => ../..

require (
	github.com/gemwire/gemwire v0.0.0-00010101000000-000000000000
	github.com/launchdarkly/eventsource v1.11.0
	github.com/openai/openai-go/v3 v3.94.0
	github.com/r3labs/sse/v2 v2.10.0
	github.com/tmaxmax/go-sse v0.11.0
	gopkg.in/cenkalti/backoff.v1 v1.1.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	golang.org/x/net v0.60.0 // indirect
)
