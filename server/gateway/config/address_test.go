package config_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

// addresses returns settings with listeners at addresses. "" leaves a setting out.
func addresses(addr, inspector, metrics string) config.Sources {
	out := []config.Flag{{Name: "callers_key", Text: "true"}}
	for name, value := range map[string]string{"addr": addr, "inspect_addr": inspector,
		"metrics_addr": metrics} {
		if value != "" && value != "default" {
			out = append(out, config.Flag{Name: name, Text: value})
		}
		if value != "" && name == "inspect_addr" {
			out = append(out, config.Flag{Name: "inspect", Text: "true"})
		}
	}
	return config.Sources{Flags: out}
}

func TestTwoListenersCannotHaveTheSameAddressInAnySpelling(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{":9000", "0.0.0.0:9000"}, {":9000", "[::]:9000"}, {":9000", "127.0.0.1:9000"},
		{"[::1]:9000", ":9000"}, {"0.0.0.0:9000", "192.0.2.1:9000"},
		{"localhost:9000", "127.0.0.1:9000"}, {"127.0.0.1:9000", "LocalHost.:9000"},
		{"[::1]:9000", "localhost:9000"}, {"[::1]:9000", "[0:0:0:0:0:0:0:1]:9000"},
		{"[::ffff:127.0.0.1]:9000", "127.0.0.1:9000"}, {"127.0.0.1:80", "127.0.0.1:http"},
		{"Gateway.example:9000", "gateway.example:9000"}, {"127.0.0.1:9000", "127.0.0.1:9000"},
		{"127.0.0.1:09000", "127.0.0.1:9000"},
	} {
		_, err := config.Load(addresses(pair[0], "", pair[1]))
		if err == nil || !strings.HasPrefix(err.Error(), "--metrics-addr: "+pair[1]+
			" is also the address of addr") {
			t.Errorf("%v: got %v", pair, err)
		}
	}
	for _, pair := range [][2]string{
		{"127.0.0.1:9000", "127.0.0.1:9001"}, {":9000", ":9001"}, {"127.0.0.1:0", "127.0.0.1:0"},
		{"127.0.0.1:9000", "[::1]:9000"}, {"127.0.0.1:9000", "127.0.0.2:9000"},
		{"192.0.2.1:9000", "localhost:9000"}, {"a.localhost:9000", "b.localhost:9000"},
	} {
		if _, err := config.Load(addresses(pair[0], "", pair[1])); err != nil {
			t.Errorf("%v: got %v", pair, err)
		}
	}
}

func TestTheInspectorsAddressIsOfNoOtherListener(t *testing.T) {
	t.Parallel()
	for want, from := range map[string]config.Sources{
		"inspect_addr: 127.0.0.1:8081 is also the address of addr, which is localhost:8081": addresses(
			"localhost:8081", "default", ""),
		"inspect_addr: 127.0.0.1:8081 is also the address of addr; choose another port": addresses(
			"127.0.0.1:8081", "default", ""),
		"--metrics-addr: 127.0.0.1:8081 is also the address of inspect_addr; choose another port": addresses(
			"", "default", "127.0.0.1:8081"),
		"--metrics-addr: :8082 is also the address of inspect_addr, which is 127.0.0.1:8082": addresses(
			"", "127.0.0.1:8082", ":8082"),
	} {
		if _, err := config.Load(from); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	// the inspector is off
	if _, err := config.Load(addresses("127.0.0.1:8081", "", "")); err != nil {
		t.Error(err)
	}
}

func TestAnAddressHasAValidPort(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1:0": true, "127.0.0.1:65535": true, "127.0.0.1:http": true, ":1": true,
		":65536": false, ":99999": false, ":abc": false, ":-1": false, "127.0.0.1:": false, ":": false,
		"127.0.0.1": false, "8080": false, "[::1]": false, "::1:80": false, "127.0.0.1:80/x": false,
	} {
		for _, from := range []config.Sources{addresses(addr, "", ""),
			addresses("127.0.0.1:9999", "", addr)} {
			_, err := config.Load(from)
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(),
				`is not an address; want "host:port", for example "127.0.0.1:8080"`) {
				t.Errorf("%q: got %v", addr, err)
			}
		}
	}
	_, err := config.Load(config.Sources{File: file(t, "strict: true\naddr: 127.0.0.1:99999")})
	if err == nil || !strings.Contains(err.Error(), `gateway.yaml:2: addr: "127.0.0.1:99999" is not`) {
		t.Errorf("got %v", err)
	}
}
