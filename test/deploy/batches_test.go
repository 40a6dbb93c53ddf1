package deploy_test

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// objects builds the manifests of a folder as kubectl does.
func objects(t *testing.T, folder string) (out []runtime.Object) {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		path(t, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range built.Resources() {
		source, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		object, err := decode(source)
		if err != nil {
			t.Fatalf("%s: %v", r.CurId(), err)
		}
		out = append(out, object)
	}
	return out
}

// only returns the one object of a kind.
func only[T runtime.Object](t *testing.T, objects []runtime.Object) (out T) {
	t.Helper()
	at := slices.IndexFunc(objects, func(o runtime.Object) bool { _, ok := o.(T); return ok })
	if at < 0 {
		t.Fatalf("there is no %T", out)
	}
	return objects[at].(T)
}

// restricted holds a pod to the restricted standard, and its container to not writing outside of
// volumes.
func restricted(t *testing.T, meta *metav1.ObjectMeta, pod *corev1.PodSpec) {
	t.Helper()
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, result := range evaluator.EvaluatePod(level, meta, pod) {
		if !result.Allowed {
			t.Errorf("%s: %s", result.ForbiddenReason, result.ForbiddenDetail)
		}
	}
	if len(pod.Containers) != 1 || !*pod.Containers[0].SecurityContext.ReadOnlyRootFilesystem ||
		*pod.AutomountServiceAccountToken {
		t.Error("the pod has more than it needs")
	}
}

func TestBatchesHaveAVolumeOfTheirOwn(t *testing.T) {
	t.Parallel()
	all := objects(t, "server/deploy/batches/embedded")
	set := only[*appsv1.StatefulSet](t, all)
	pod := set.Spec.Template
	restricted(t, &pod.ObjectMeta, &pod.Spec)
	if *set.Spec.Replicas != 1 || set.Spec.ServiceName != only[*corev1.Service](t, all).Name {
		t.Errorf("%d pods behind the service %q", *set.Spec.Replicas, set.Spec.ServiceName)
	}
	settings := load(t, "server/deploy/batches/embedded/gateway.yaml", nil)
	claim := set.Spec.VolumeClaimTemplates[0]
	mounted := slices.ContainsFunc(pod.Spec.Containers[0].VolumeMounts,
		func(m corev1.VolumeMount) bool {
			return m.Name == claim.Name && !m.ReadOnly &&
				strings.HasPrefix(settings.Store, m.MountPath+"/")
		})
	if !mounted {
		t.Errorf("the store %s is on no volume that outlives the pod", settings.Store)
	}
	if size := claim.Spec.Resources.Requests[corev1.ResourceStorage]; size.Value() < 160<<30 {
		t.Errorf("the volume of %s is smaller than the store may be", size.String())
	}
	takes := time.Duration(settings.ShutdownDelay) + time.Duration(settings.ShutdownGrace) +
		endingTakes
	if has := time.Duration(*pod.Spec.TerminationGracePeriodSeconds) * time.Second; has < takes {
		t.Errorf("the pod has %s to end, and needs %s", has, takes)
	}
	config := only[*corev1.ConfigMap](t, all)
	if name := pod.Spec.Volumes[0].ConfigMap.Name; name != config.Name {
		t.Errorf("the settings are %q, and the map is %q", name, config.Name)
	}
}

func TestWorkersAreStartedByFlagsThatTheCommandHas(t *testing.T) {
	t.Parallel()
	workers := only[*appsv1.Deployment](t, objects(t, "server/deploy/batches/workers"))
	pod := workers.Spec.Template
	restricted(t, &pod.ObjectMeta, &pod.Spec)
	out, err := exec.CommandContext(t.Context(), build(t),
		append(slices.Clone(pod.Spec.Containers[0].Args), "--help")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, arg := range pod.Spec.Containers[0].Args[1:] {
		name, _, _ := strings.Cut(arg, "=")
		if !strings.Contains(string(out), name+" ") {
			t.Errorf("gemwire worker has no %s", name)
		}
	}
}

func TestMetricsAndProbesOfBatchesAreWhereTheProcessesListen(t *testing.T) {
	t.Parallel()
	settings := load(t, "server/deploy/batches/embedded/gateway.yaml", nil)
	gateway := only[*appsv1.StatefulSet](t,
		objects(t, "server/deploy/batches/embedded")).Spec.Template.Spec.Containers[0]
	worker := only[*appsv1.Deployment](t,
		objects(t, "server/deploy/batches/workers")).Spec.Template.Spec.Containers[0]
	at := slices.IndexFunc(worker.Args,
		func(arg string) bool { return strings.HasPrefix(arg, "--metrics-addr=") })
	if at < 0 {
		t.Fatal("workers have no address for metrics")
	}
	for _, test := range []struct {
		container corev1.Container
		ports     map[string]string
		probed    string
	}{
		{gateway, map[string]string{"http": settings.Addr, "metrics": settings.MetricsAddr}, "http"},
		{worker, map[string]string{"metrics": strings.TrimPrefix(worker.Args[at], "--metrics-addr=")}, "metrics"},
	} {
		ports := map[string]string{}
		for _, port := range test.container.Ports {
			ports[port.Name] = fmt.Sprintf("0.0.0.0:%d", port.ContainerPort)
		}
		if !maps.Equal(ports, test.ports) {
			t.Errorf("%s: the container has the ports %v, and listens at %v", test.container.Name,
				ports, test.ports)
		}
		for path, probe := range map[string][]*corev1.Probe{
			"/healthz": {test.container.StartupProbe, test.container.LivenessProbe}, "/readyz": {test.container.ReadinessProbe},
		} {
			for _, p := range probe {
				if p == nil || p.HTTPGet == nil || p.HTTPGet.Path != path ||
					p.HTTPGet.Port.StrVal != test.probed {
					t.Errorf("%s: a probe of %s is %v", test.container.Name, path, p)
				}
			}
		}
	}
}

func TestTheGatewayAndWorkersOfBatchesRunTheSameImage(t *testing.T) {
	t.Parallel()
	set := only[*appsv1.StatefulSet](t, objects(t, "server/deploy/batches/embedded"))
	workers := only[*appsv1.Deployment](t, objects(t, "server/deploy/batches/workers"))
	if a, b := set.Spec.Template.Spec.Containers[0].Image,
		workers.Spec.Template.Spec.Containers[0].Image; a != b || a != "gemwire:local" {
		t.Errorf("%s and %s", a, b)
	}
}
