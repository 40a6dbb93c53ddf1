package deploy_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// endingTakes is the time that a container needs in addition to the time of its streams. Clients
// read why a stream ends, and the process exits.
const endingTakes = 5 * time.Second

// cluster contains the objects that kubectl apply -k server/deploy/kubernetes would send.
type cluster struct {
	deployment *appsv1.Deployment
	service    *corev1.Service
	account    *corev1.ServiceAccount
	namespace  *corev1.Namespace
	settings   *corev1.ConfigMap
	autoscaler *autoscalingv2.HorizontalPodAutoscaler
	budget     *policyv1.PodDisruptionBudget
	network    *networkingv1.NetworkPolicy
}

func TestTheManifestsAreThoseOfTheKubernetesAPI(t *testing.T) {
	t.Parallel()
	readCluster(t) // which decodes strictly
	wrong := strings.Replace(string(read(t, "server/deploy/kubernetes/deployment.yaml")),
		"progressDeadlineSeconds", "progressDeadline", 1)
	if _, err := decode([]byte(wrong)); err == nil {
		t.Error("a member that there is not is taken")
	}
}

func TestPodsKeepToTheRestrictedStandard(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	pod := c.deployment.Spec.Template
	for _, result := range evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec) {
		if !result.Allowed {
			t.Errorf("%s: %s", result.ForbiddenReason, result.ForbiddenDetail)
		}
	}
	if got := c.namespace.Labels[api.EnforceLevelLabel]; got != string(api.LevelRestricted) {
		t.Errorf("the namespace enforces %q", got)
	}
	if inside := gatewayContainer(t, c).SecurityContext; !*inside.ReadOnlyRootFilesystem {
		t.Error("the container can write")
	}
	if *pod.Spec.AutomountServiceAccountToken || *c.account.AutomountServiceAccountToken {
		t.Error("pods get a token of the cluster, which the gateway has no use for")
	}
}

func TestEverythingSelectsThePodsOfTheDeployment(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	labels := c.deployment.Spec.Template.Labels
	selectors := map[string]map[string]string{
		"deployment":     c.deployment.Spec.Selector.MatchLabels,
		"service":        c.service.Spec.Selector,
		"budget":         c.budget.Spec.Selector.MatchLabels,
		"network policy": c.network.Spec.PodSelector.MatchLabels,
		"spread":         c.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	}
	for name, selector := range selectors {
		if len(selector) == 0 || !maps.Equal(selector, labels) {
			t.Errorf("%s selects %v, the pods have %v", name, selector, labels)
		}
	}
	target := c.autoscaler.Spec.ScaleTargetRef
	if target.Kind != "Deployment" || target.Name != c.deployment.Name ||
		c.deployment.Spec.Replicas != nil {
		t.Errorf("the autoscaler is for %s %s; the deployment has %v replicas of its own",
			target.Kind, target.Name, c.deployment.Spec.Replicas)
	}
	if c.deployment.Spec.Template.Spec.ServiceAccountName != c.account.Name {
		t.Errorf("pods run as %q", c.deployment.Spec.Template.Spec.ServiceAccountName)
	}
}

func TestTheAutoscalerLeavesMorePodsThanTheBudgetLetsGo(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	least := *c.autoscaler.Spec.MinReplicas
	if most := c.budget.Spec.MaxUnavailable.IntVal; least <= most {
		t.Errorf("%d pods at least, of which %d may be gone", least, most)
	}
}

func TestPortsAndProbesAreWhatTheGatewayServes(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	settings := load(t, "server/deploy/kubernetes/gateway.yaml", nil)
	container := gatewayContainer(t, c)
	ports := map[string]string{}
	for _, p := range container.Ports {
		ports[p.Name] = fmt.Sprintf("0.0.0.0:%d", p.ContainerPort)
	}
	if want := map[string]string{"http": settings.Addr,
		"metrics": settings.MetricsAddr}; !maps.Equal(ports, want) {
		t.Errorf("ports %v, the settings have %v", ports, want)
	}
	if got := c.service.Spec.Ports[0].TargetPort.StrVal; ports[got] == "" {
		t.Errorf("the service leads to %q", got)
	}
	for _, rule := range c.network.Spec.Ingress {
		if got := rule.Ports[0].Port.StrVal; ports[got] == "" {
			t.Errorf("the network policy opens %q", got)
		}
	}
	probes := map[string]*corev1.Probe{
		"/healthz":              container.LivenessProbe,
		"/readyz":               container.ReadinessProbe,
		"/healthz at the start": container.StartupProbe,
	}
	for name, probe := range probes {
		path, _, _ := strings.Cut(name, " ")
		if probe.HTTPGet.Path != path || probe.HTTPGet.Port.StrVal != "http" {
			t.Errorf("%s: probe of %s at %v", name, probe.HTTPGet.Path, probe.HTTPGet.Port)
		}
	}
}

func TestAPodHasTheTimeOfItsLongestStreamToEnd(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	settings := load(t, "server/deploy/kubernetes/gateway.yaml", nil)
	delay, grace := time.Duration(settings.ShutdownDelay), time.Duration(settings.ShutdownGrace)
	pod := c.deployment.Spec.Template.Spec
	if got := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; got < delay+grace+
		endingTakes {
		t.Errorf("terminationGracePeriodSeconds is %v, want %v at least", got,
			delay+grace+endingTakes)
	}
	if longest := time.Duration(settings.Models["default"].Overall); longest == 0 ||
		longest > grace {
		t.Errorf("a request may take %v, and has %v when the pod ends", longest, grace)
	}
	probe := gatewayContainer(t, c).ReadinessProbe
	noticed := time.Duration(probe.PeriodSeconds*probe.FailureThreshold+
		probe.TimeoutSeconds) * time.Second
	if delay <= noticed {
		t.Errorf("the pod takes requests for %v after it must end; that it is not ready is noticed after %v",
			delay, noticed)
	}
	if got := c.deployment.Spec.Strategy.RollingUpdate.MaxUnavailable.IntVal; got != 0 {
		t.Errorf("%d pods may be missing while it rolls", got)
	}
}

func TestFilesOfSettingsAreWhereThePodHasThem(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	container := gatewayContainer(t, c)
	settings := load(t, "server/deploy/kubernetes/gateway.yaml", nil)
	keys := map[string]string{ // by the name of the volume, as docs/deployment.md makes the secrets
		"settings": "gateway.yaml", "upstream": "api-key", "clients": "client-keys",
	}
	mounted := map[string]bool{}
	for _, m := range container.VolumeMounts {
		mounted[m.MountPath+"/"+keys[m.Name]] = m.ReadOnly
	}
	file := ""
	for _, v := range container.Env {
		if v.Name == "GEMWIRE_CONFIG" {
			file = v.Value
		}
	}
	for _, name := range []string{file, settings.APIKeyFile, settings.KeyFile} {
		if !mounted[name] {
			t.Errorf("%q is not in the pod: %v", name, mounted)
		}
	}
	if c.settings.Data["gateway.yaml"] == "" ||
		c.deployment.Spec.Template.Spec.Volumes[0].ConfigMap.Name != c.settings.Name {
		t.Errorf("the map %s has %v, the pod takes %v", c.settings.Name,
			slices.Collect(maps.Keys(c.settings.Data)),
			c.deployment.Spec.Template.Spec.Volumes[0].ConfigMap)
	}
	for _, v := range c.deployment.Spec.Template.Spec.Volumes[1:] {
		if command := "create secret generic " + v.Secret.SecretName +
			" "; !strings.Contains(string(read(t, "docs/deployment.md")), command) {
			t.Errorf("docs/deployment.md does not mention %q", command)
		}
	}
}

func TestTheServiceIsReachedByNamesThatTheGatewayAllows(t *testing.T) {
	t.Parallel()
	c := readCluster(t)
	allowed := load(t, "server/deploy/kubernetes/gateway.yaml", nil).AllowedHosts
	name := c.service.Name
	for _, suffix := range []string{"", "." + c.namespace.Name, "." + c.namespace.Name + ".svc"} {
		if !slices.Contains(allowed, name+suffix) {
			t.Errorf("%s is not in %q", name+suffix, allowed)
		}
	}
}

func gatewayContainer(t *testing.T, c cluster) corev1.Container {
	t.Helper()
	containers := c.deployment.Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("%d containers", len(containers))
	}
	return containers[0]
}

// readCluster builds the manifests as kubectl does.
func readCluster(t *testing.T) cluster {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		path(t, "server/deploy/kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	var out cluster
	for _, r := range built.Resources() {
		source, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		object, err := decode(source)
		if err != nil {
			t.Fatalf("%s: %v", r.CurId(), err)
		}
		out.add(t, object)
	}
	return out
}

// decode decodes a manifest, and refuses unknown and duplicate members.
func decode(source []byte) (runtime.Object, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme,
		policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	object, _, err := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme,
		json.SerializerOptions{Yaml: true, Strict: true}).
		Decode(source, nil, nil)
	return object, err
}

func (c *cluster) add(t *testing.T, object runtime.Object) {
	t.Helper()
	switch o := object.(type) {
	case *appsv1.Deployment:
		c.deployment = o
	case *corev1.Service:
		c.service = o
	case *corev1.ServiceAccount:
		c.account = o
	case *corev1.Namespace:
		c.namespace = o
	case *corev1.ConfigMap:
		c.settings = o
	case *autoscalingv2.HorizontalPodAutoscaler:
		c.autoscaler = o
	case *policyv1.PodDisruptionBudget:
		c.budget = o
	case *networkingv1.NetworkPolicy:
		c.network = o
	default:
		t.Fatalf("the test does not know %T", object)
	}
	if meta, ok := object.(metav1.Object); ok && meta.GetNamespace() != "gemwire" &&
		meta.GetName() != "gemwire" {
		t.Errorf("%T %s is in the namespace %q", object, meta.GetName(), meta.GetNamespace())
	}
}
