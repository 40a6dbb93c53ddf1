package deploy_test

import (
	"slices"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

const composeFile = "server/deploy/compose.yaml"

func TestComposeStartsTheGatewayWithClientKeysAndNoRights(t *testing.T) {
	t.Parallel()
	service := composeService(t)
	settings := load(t, "", environmentOf(service))
	if settings.KeyFile != "/run/secrets/client-keys" || !hasSecret(service, "client-keys") {
		t.Errorf("the client keys are at %q, where no secret is", settings.KeyFile)
	}
	if !service.ReadOnly || !slices.Equal(service.CapDrop, []string{"ALL"}) ||
		!slices.Contains(service.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("read-only %v, capabilities dropped %q, options %q", service.ReadOnly,
			service.CapDrop, service.SecurityOpt)
	}
	if len(service.Volumes) > 0 {
		t.Errorf("volumes %v; the gateway keeps nothing", service.Volumes)
	}
	for _, port := range service.Ports {
		if port.HostIP != "127.0.0.1" || port.Target != 8080 {
			t.Errorf("port %+v is open to other machines, or not that of the gateway", port)
		}
	}
	if service.Build.Dockerfile != dockerfile || service.Build.Context != path(t, ".") {
		t.Errorf("built by %s in %s", service.Build.Dockerfile, service.Build.Context)
	}
}

func TestComposeWaitsForStreamsToEnd(t *testing.T) {
	t.Parallel()
	service := composeService(t)
	settings := load(t, "", environmentOf(service))
	needed := time.Duration(settings.ShutdownDelay) + time.Duration(settings.ShutdownGrace) +
		endingTakes
	if got := time.Duration(*service.StopGracePeriod); got < needed {
		t.Errorf("stop_grace_period %v, want %v at least", got, needed)
	}
}

func TestComposeAsksForHealthByTheCommandOfTheImage(t *testing.T) {
	t.Parallel()
	image := readImage(t)
	if want, got := append([]string{"CMD"}, append(image.health, "--ready")...),
		composeService(t).HealthCheck.Test; !slices.Equal(got, want) {
		t.Errorf("health check %q, want %q", got, want)
	}
}

func composeService(t *testing.T) types.ServiceConfig {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{path(t, composeFile)},
		cli.WithEnv([]string{"GEMINI_API_KEY=a-key"}))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	service, err := loaded.GetService("gateway")
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// environmentOf returns the variables that the gateway sees. The service's variables replace the
// image's.
func environmentOf(service types.ServiceConfig) map[string]string {
	out := map[string]string{"GEMWIRE_ADDR": "0.0.0.0:8080"}
	for name, value := range service.Environment {
		if value != nil {
			out[name] = *value
		}
	}
	return out
}

func hasSecret(service types.ServiceConfig, name string) bool {
	return slices.ContainsFunc(service.Secrets,
		func(s types.ServiceSecretConfig) bool { return s.Source == name })
}
