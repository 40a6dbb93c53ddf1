// Command npmpackages makes the npm packages of a release from its archives.
//
//	go run ./tools/npmpackages DIST DIR
//
// DIST has the archives of a release and their checksums.txt, as goreleaser writes them. DIR gets a
// folder for each package: gemwire, which is the launcher, and one for the binary of each platform,
// such as linux-x64. npm publish takes such a folder. Publish the platforms first, because the
// launcher depends on them. The command runs in the root of the repository.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// launcher is the folder of the launcher's source.
const launcher = "server/deploy/npm"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: npmpackages DIST DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "npmpackages:", err)
		os.Exit(1)
	}
}

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	Homepage             string            `json:"homepage"`
	Repository           repository        `json:"repository"`
	License              string            `json:"license"`
	Engines              map[string]string `json:"engines,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Files                []string          `json:"files"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// archiveName is the name of an archive: version, system, architecture, format.
var archiveName = regexp.MustCompile(
	`^gemwire_(.+)_(linux|darwin|windows)_(amd64|arm64)\.(tar\.gz|zip)$`)

// npmOS and npmCPU translate Go's names of platforms to Node's.
var (
	npmOS  = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	npmCPU = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// write writes the packages of the archives in dist into out.
func write(dist, out string) error {
	archives, err := filepath.Glob(filepath.Join(dist, "gemwire_*"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return err
	}
	main := described("gemwire", "", "Use Gemini from programs written for OpenAI or Anthropic")
	main.Engines = map[string]string{"node": ">=18"}
	main.Bin = map[string]string{"gemwire": "gemwire.js"}
	main.Files = []string{"gemwire.js"}
	main.OptionalDependencies = map[string]string{}
	for _, archive := range archives {
		match := archiveName.FindStringSubmatch(filepath.Base(archive))
		if match == nil {
			continue
		}
		version, system, cpu := match[1], npmOS[match[2]], npmCPU[match[3]]
		if main.Version == "" {
			main.Version = version
		}
		if version != main.Version {
			return fmt.Errorf("%s has archives of %s and of %s", dist, main.Version, version)
		}
		binary, err := binaryOf(archive, sums)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		platform := system + "-" + cpu
		p := described("@gemwire/"+platform, version, "The binary of gemwire for "+platform)
		p.OS, p.CPU, p.Files = []string{system}, []string{cpu}, []string{"bin"}
		name := "gemwire"
		if system == "win32" {
			name += ".exe"
		}
		readme := "# @gemwire/" + platform + "\n\nThe binary of gemwire for " + platform +
			". Install the package `gemwire` instead.\n"
		err = writePackage(filepath.Join(out, platform), &p, map[string][]byte{
			"bin/" + name: binary, "README.md": []byte(readme),
		})
		if err != nil {
			return err
		}
		main.OptionalDependencies[p.Name] = version
	}
	if len(main.OptionalDependencies) == 0 {
		return fmt.Errorf("%s has no archives of a release", dist)
	}
	files := map[string][]byte{}
	for _, name := range []string{"gemwire.js", "README.md"} {
		if files[name], err = os.ReadFile(filepath.Join(launcher, name)); err != nil {
			return err
		}
	}
	return writePackage(filepath.Join(out, "gemwire"), &main, files)
}

// described returns the members that all packages have.
func described(name, version, description string) manifest {
	return manifest{
		Name: name, Version: version, Description: description, License: "Apache-2.0",
		Homepage:   "https://github.com/gemwire/gemwire",
		Repository: repository{Type: "git", URL: "git+https://github.com/gemwire/gemwire.git"},
	}
}

// writePackage writes a package anew. Each package has the licence.
func writePackage(folder string, p *manifest, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	text, err := json.Marshal(p, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	files["package.json"] = append(text, '\n')
	if files["LICENSE"], err = os.ReadFile("LICENSE"); err != nil {
		return err
	}
	for name, data := range files {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") || name == "gemwire.js" {
			mode = 0o755
		}
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, mode); err != nil {
			return err
		}
	}
	return nil
}

// binaryOf returns the command in an archive whose SHA-256 is in sums.
func binaryOf(archive string, sums []byte) ([]byte, error) {
	data, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	line := hex.EncodeToString(sum[:]) + "  " + filepath.Base(archive)
	if !strings.Contains("\n"+string(sums), "\n"+line+"\n") {
		return nil, errors.New("checksums.txt does not have its SHA-256")
	}
	if strings.HasSuffix(archive, ".zip") {
		return binaryOfZip(data)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if err == io.EOF {
			return nil, errMissing
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeReg && isBinary(header.Name, "gemwire") {
			return io.ReadAll(files)
		}
	}
}

var errMissing = errors.New("the archive does not have the command")

func binaryOfZip(data []byte) ([]byte, error) {
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for _, f := range files.File {
		if !isBinary(f.Name, "gemwire.exe") {
			continue
		}
		content, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer content.Close()
		return io.ReadAll(content)
	}
	return nil, errMissing
}

// isBinary reports whether a file is the command, in the folder that wraps the archive.
func isBinary(name, command string) bool {
	return path.Base(name) == command && strings.Count(path.Clean(name), "/") <= 1
}
