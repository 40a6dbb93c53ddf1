package packages_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sassoftware/go-rpmutils"
)

func TestThePackageForFedoraHasTheFilesOfTheOneForDebian(t *testing.T) {
	file, err := os.Open(snapshot(t, "gemwire_*_linux_amd64.rpm"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rpm, err := rpmutils.ReadRpm(file)
	if err != nil {
		t.Fatal(err)
	}
	identity, err := rpm.Header.GetNEVRA()
	if err != nil {
		t.Fatal(err)
	}
	if number, _, _ := strings.Cut(version(t), "-"); identity.Name != "gemwire" ||
		identity.Arch != "x86_64" || !strings.HasPrefix(identity.Version, number) {
		t.Errorf("the package is %s, for the version %s", identity, version(t))
	}
	infos, err := rpm.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	// 1 is a configuration file, 16 one that an upgrade does not replace.
	var names []string
	for _, info := range infos {
		names = append(names, info.Name())
		if info.Name() == "/etc/gemwire/gateway.yaml" && info.Flags()&17 != 17 {
			t.Errorf("%s has the flags %d", info.Name(), info.Flags())
		}
		if info.UserName() != "root" || info.GroupName() != "root" {
			t.Errorf("%s is of %s:%s", info.Name(), info.UserName(), info.GroupName())
		}
	}
	for _, want := range []string{
		"/usr/bin/gemwire", "/usr/share/man/man1/gemwire.1", "/usr/share/man/man1/gemwire-launch.1",
		"/usr/share/bash-completion/completions/gemwire", "/usr/share/zsh/site-functions/_gemwire",
		"/usr/share/fish/vendor_completions.d/gemwire.fish", "/usr/share/doc/gemwire/copyright",
		"/usr/lib/systemd/system/gemwire.service", "/etc/gemwire/gateway.yaml", "/etc/gemwire/credentials",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("the package has no %s: %q", want, names)
		}
	}

	payload, err := rpm.PayloadReaderExtended()
	if err != nil {
		t.Fatal(err)
	}
	for {
		info, err := payload.Next()
		if errors.Is(err, io.EOF) {
			t.Fatal("the payload has no command")
		}
		if err != nil {
			t.Fatal(err)
		}
		if info.Name() != "/usr/bin/gemwire" {
			continue
		}
		command, err := io.ReadAll(payload)
		if err != nil {
			t.Fatal(err)
		}
		name := "gemwire_" + version(t) + "_linux_amd64"
		if !bytes.Equal(command, unpacked(t, snapshot(t, name+".tar.gz"))[name+"/gemwire"]) {
			t.Error("the command differs from the one in the archive")
		}
		return
	}
}
