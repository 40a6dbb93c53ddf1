package deploy_test

import (
	"strings"
	"testing"

	bootstrap "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	// the types that the file names
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	manager "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"sigs.k8s.io/yaml"
)

const envoyFile = "server/deploy/envoy/envoy.yaml"

func TestEnvoysFileIsOfItsTypes(t *testing.T) {
	t.Parallel()
	if _, err := decodeEnvoy(read(t, envoyFile)); err != nil {
		t.Error(err)
	}
	wrong := strings.Replace(string(read(t, envoyFile)), "stream_idle_timeout", "stream_idle_limit",
		1)
	if _, err := decodeEnvoy([]byte(wrong)); err == nil {
		t.Error("a member that there is not is taken")
	}
}

// TestEnvoySetsNoLimitThatThinkingModelsReach: by default a route ends after 15 s and a silent
// stream after 5 minutes.
func TestEnvoySetsNoLimitThatThinkingModelsReach(t *testing.T) {
	t.Parallel()
	settings, err := decodeEnvoy(read(t, envoyFile))
	if err != nil {
		t.Fatal(err)
	}
	var http manager.HttpConnectionManager
	if err := settings.StaticResources.Listeners[0].FilterChains[0].Filters[0].GetTypedConfig().UnmarshalTo(&http); err != nil {
		t.Fatal(err)
	}
	if err := http.ValidateAll(); err != nil {
		t.Error(err)
	}
	if idle := http.StreamIdleTimeout.AsDuration(); idle.Minutes() < 30 {
		t.Errorf("a silent answer is cut after %v; the gateway's own limit is 30 minutes", idle)
	}
	routes := http.GetRouteConfig().VirtualHosts[0].Routes
	if limit := routes[len(routes)-1].GetRoute().Timeout; limit == nil || limit.AsDuration() != 0 {
		t.Errorf("an answer is cut after %v", limit)
	}
	if path := settings.StaticResources.Clusters[0].HealthChecks[0].GetHttpHealthCheck().Path; path != "/readyz" {
		t.Errorf("health is asked for at %s", path)
	}
}

// decodeEnvoy decodes a file as Envoy does: unknown members and values out of range are errors.
func decodeEnvoy(source []byte) (*bootstrap.Bootstrap, error) {
	asJSON, err := yaml.YAMLToJSONStrict(source)
	if err != nil {
		return nil, err
	}
	var out bootstrap.Bootstrap
	if err := protojson.Unmarshal(asJSON, &out); err != nil {
		return nil, err
	}
	return &out, out.ValidateAll()
}
