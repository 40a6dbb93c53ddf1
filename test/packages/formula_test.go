package packages_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const releaseURL = "https://github.com/gemwire/gemwire/releases/download/v0.0.0/"

// TestTheFormulaNamesAnArchiveAndItsChecksumForEachPlatform reads the formula as text, because Ruby
// may be missing.
func TestTheFormulaNamesAnArchiveAndItsChecksumForEachPlatform(t *testing.T) {
	formula := string(read(t, snapshot(t, "homebrew/Formula/gemwire.rb")))
	sums := checksums(t)
	rows := regexp.MustCompile(`url "([^"]+)"\s+sha256 "([0-9a-f]+)"`).FindAllStringSubmatch(formula, -1)
	var names []string
	for _, row := range rows {
		name, ok := strings.CutPrefix(row[1], releaseURL)
		if !ok || sums[name] != row[2] {
			t.Errorf("%s has the SHA-256 %s, want %q", row[1], row[2], sums[name])
		}
		names = append(names, strings.TrimPrefix(name, "gemwire_"+version(t)+"_"))
	}
	slices.Sort(names)
	want := []string{"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"}
	if !slices.Equal(names, want) {
		t.Errorf("the formula has the archives %q, want %q", names, want)
	}
}

// homebrew stands in for the parts of Homebrew that the formula uses. It loads the formula for one
// platform, installs an unpacked archive into a prefix, and runs the test of the formula.
const homebrew = `
require "fileutils"
system_name, cpu, formula, $prefix = ARGV
$linux = system_name == "linux"
module Hardware
  module CPU
    def self.intel? = $cpu == "amd64"
    def self.arm? = $cpu == "arm64"
    def self.is_64_bit? = true
  end
end
$cpu = cpu
class Folder
  def initialize(path) = @path = path
  def install(*files)
    FileUtils.mkdir_p(@path)
    files.flatten.each { |file| FileUtils.cp(file, @path) }
    raise "nothing to install into #{@path}" if files.flatten.empty?
  end
  def to_s = @path
  def /(name) = File.join(@path, name)
end
class Formula
  FOLDERS = {
    bin: "bin", opt_bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d",
  }
  FOLDERS.each { |name, path| define_method(name) { Folder.new(File.join($prefix, path)) } }
  class << self
    attr_reader :described, :service_block, :test_block
    %i[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| (@described ||= {})[name] = value }
    end
    def on_macos = $linux ? nil : yield
    def on_linux = $linux ? yield : nil
    def service(&block) = @service_block = block
    def test(&block) = @test_block = block
  end
  def run(words) = puts("service: #{words.join(" ")}")
  def keep_alive(value) = value || raise("keep_alive is #{value}")
  def shell_output(command) = ` + "`#{command}`" + `
  def assert_match(part, text) = text.include?(part) || raise("#{text} has no #{part}")
end
load formula
puts "url: #{Gemwire.described.fetch(:url)}"
made = Gemwire.new
made.install
made.instance_eval(&Gemwire.service_block)
made.instance_eval(&Gemwire.test_block) if $linux && cpu == %q
puts "ok"
`

func TestTheFormulaInstallsTheCommandItsPagesAndCompletions(t *testing.T) {
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("ruby is not installed")
	}
	formula := snapshot(t, "homebrew/Formula/gemwire.rb")
	if out, err := exec.CommandContext(t.Context(), ruby, "-wc", formula).CombinedOutput(); err != nil ||
		string(out) != "Syntax OK\n" {
		t.Errorf("ruby -wc: %v: %s", err, out)
	}
	script := filepath.Join(t.TempDir(), "homebrew.rb")
	text := strings.Replace(homebrew, "%q", `"`+runtime.GOARCH+`"`, 1)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, platform := range [][]string{{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"}} {
		system, arch := platform[0], platform[1]
		name := "gemwire_" + version(t) + "_" + system + "_" + arch
		archive, unpackedTo, prefix := snapshot(t, name+".tar.gz"), t.TempDir(), t.TempDir()
		if err := run(unpackedTo, nil, "tar", "-xzf", archive); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), ruby, script, system, arch, formula, prefix)
		cmd.Dir = filepath.Join(unpackedTo, name)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "url: "+releaseURL+name+".tar.gz\n") {
			t.Errorf("%s: %v: %s", name, err, out)
			continue
		}
		if want := "service: " + prefix + "/bin/gemwire serve\n"; !strings.Contains(string(out), want) {
			t.Errorf("%s has no %q", out, want)
		}
		for _, file := range []string{
			"bin/gemwire", "bin/web-search-google-tool", "share/man/man1/gemwire-launch.1",
			"etc/bash_completion.d/gemwire", "share/zsh/site-functions/_gemwire",
			"share/fish/vendor_completions.d/gemwire.fish",
		} {
			if _, err := os.Stat(filepath.Join(prefix, file)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestTheManifestForScoopNamesArchivesTheirChecksumsAndCommands(t *testing.T) {
	// Scoop's schema requires version, homepage and license, and takes no other members.
	var manifest struct {
		Version, Homepage, License, Description string
		Architecture                            map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(read(t, snapshot(t, "scoop/bucket/gemwire.json")))))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != version(t) || manifest.Homepage == "" || manifest.License != "Apache-2.0" {
		t.Errorf("%+v", manifest)
	}
	sums := checksums(t)
	for architecture, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		entry, name := manifest.Architecture[architecture], "gemwire_"+version(t)+"_windows_"+arch+".zip"
		if entry.URL != releaseURL+name || entry.Hash != sums[name] {
			t.Errorf("%s: %+v, want the SHA-256 %s", architecture, entry, sums[name])
		}
		files := unpacked(t, snapshot(t, name))
		if len(entry.Bin) != 2 || !strings.HasSuffix(entry.Bin[0], "/gemwire.exe") {
			t.Errorf("%s: the commands are %q", architecture, entry.Bin)
		}
		for _, command := range entry.Bin {
			if len(files[command]) == 0 {
				t.Errorf("%s has no %s", name, command)
			}
		}
	}
}
