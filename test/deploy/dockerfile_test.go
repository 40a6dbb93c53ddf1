package deploy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerfile/shell"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

const dockerfile = "server/deploy/Dockerfile"

func TestTheDockerfilePassesBuildKitsChecks(t *testing.T) {
	t.Parallel()
	if found := lint(t, read(t, dockerfile)); len(found) > 0 {
		t.Errorf("docker build --check would say: %q", found)
	}
	wrong := strings.Replace(string(read(t, dockerfile)), "AS build", "as Build", 1)
	if found := lint(t, []byte(wrong)); len(found) == 0 {
		t.Error("the checks find nothing in a file that is wrong")
	}
}

// lint returns the findings of BuildKit's checks, as docker build --check does.
func lint(t *testing.T, source []byte) (found []string) {
	t.Helper()
	file := llb.NewSourceMap(nil, dockerfile, "Dockerfile", source)
	file.Definition = new(llb.Definition)
	results, err := dockerfile2llb.DockerfileLint(t.Context(), source, dockerfile2llb.ConvertOpt{
		SourceMap:      file,
		MetaResolver:   baseImage{},
		TargetPlatform: &ocispecs.Platform{OS: "linux", Architecture: "arm64"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if results.Error != nil {
		found = append(found, results.Error.Message)
	}
	for _, w := range results.Warnings {
		found = append(found, w.RuleName+": "+w.Detail)
	}
	return found
}

// baseImage stands for the images that the file begins with, as there is no registry here.
type baseImage struct{}

// ResolveImageConfig implements [llb.ImageMetaResolver].
func (baseImage) ResolveImageConfig(_ context.Context, name string, opt sourceresolver.Opt) (string,
	digest.Digest, []byte, error) {
	config, err := json.Marshal(ocispecs.Image{Platform: *opt.ImageOpt.Platform})
	return name, digest.FromBytes(config), config, err
}

func TestTheImageHoldsNothingButTheCommandAndWhatItReads(t *testing.T) {
	t.Parallel()
	image := readImage(t)
	if image.base != "scratch" {
		t.Errorf("the image begins with %s, want scratch", image.base)
	}
	want := []string{"/etc/ssl/certs/ca-certificates.crt", "/usr/local/bin/gemwire"}
	if got := sortedKeys(image.files); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(image.user) {
		t.Errorf("the user is %q; Kubernetes takes only a number for one that is not root",
			image.user)
	}
	if image.stopSignal != "SIGTERM" {
		t.Errorf("it is stopped by %q", image.stopSignal)
	}
	if _, there := image.files[image.entrypoint[0]]; !there {
		t.Errorf("the entrypoint %q is not in the image", image.entrypoint)
	}
	if want := []string{image.entrypoint[0], "health"}; !slices.Equal(image.health, want) {
		t.Errorf("health check %q, want %q: there is no shell", image.health, want)
	}
}

func TestTheImageIsBuiltWithTheProjectsVersionOfGo(t *testing.T) {
	t.Parallel()
	module := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(read(t, "go.mod"))
	from := regexp.MustCompile(`(?m)^FROM .*golang:(\d+\.\d+)`).FindSubmatch(read(t, dockerfile))
	if module == nil || from == nil || !bytes.Equal(module[1], from[1]) {
		t.Errorf("go.mod is for %q, the image is built by %q", module, from)
	}
}

// image contains the statements of the Dockerfile's last stage.
type image struct {
	base, user, stopSignal      string
	files                       map[string]string // in the image, and where from
	environment                 []string
	entrypoint, command, health []string
	build                       []string // go build and its arguments
}

// readImage reads the Dockerfile.
func readImage(t *testing.T) image {
	t.Helper()
	out, err := parseImage(read(t, dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parseImage reads a Dockerfile. What it says in a way that is not understood here is an error.
func parseImage(source []byte) (out image, err error) {
	file, err := parser.Parse(bytes.NewReader(source))
	if err != nil {
		return out, err
	}
	stages, _, err := instructions.Parse(file.AST, nil)
	if err != nil {
		return out, err
	}
	if len(stages) != 2 {
		return out, fmt.Errorf("%d stages, want that of the build and that of the image",
			len(stages))
	}
	out = image{base: stages[1].BaseName, files: map[string]string{}}
	for _, c := range stages[0].Commands {
		err = errors.Join(err, out.addBuild(c))
	}
	for _, c := range stages[1].Commands {
		err = errors.Join(err, out.add(c))
	}
	return out, err
}

// addBuild notes how the command is built.
func (i *image) addBuild(c instructions.Command) error {
	run, ok := c.(*instructions.RunCommand)
	if !ok {
		return nil
	}
	_, build, found := strings.Cut(strings.Join(run.CmdLine, " "), "go build ")
	if !found {
		return nil
	}
	words, err := shell.NewLex('\\').ProcessWords(build, shell.EnvsFromSlice(nil))
	i.build = append([]string{"build"}, words...)
	return err
}

func (i *image) add(c instructions.Command) error {
	switch c := c.(type) {
	case *instructions.CopyCommand:
		for _, source := range c.SourcePaths {
			i.files[c.DestPath] = source
		}
	case *instructions.UserCommand:
		i.user = c.User
	case *instructions.EnvCommand:
		for _, pair := range c.Env {
			i.environment = append(i.environment, pair.Key+"="+pair.Value)
		}
	case *instructions.StopSignalCommand:
		i.stopSignal = c.Signal
	case *instructions.EntrypointCommand:
		i.entrypoint = c.CmdLine
	case *instructions.CmdCommand:
		i.command = c.CmdLine
	case *instructions.HealthCheckCommand:
		if c.Health.Test[0] != "CMD" {
			return fmt.Errorf("the health check is %s; there is no shell", c.Health.Test[0])
		}
		i.health = c.Health.Test[1:]
	case *instructions.ExposeCommand:
	default:
		return fmt.Errorf("the test does not know %s", c.Name())
	}
	return nil
}
