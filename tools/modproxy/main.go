// Command modproxy packs this tree as a release of its modules, in a folder that the go command can
// use as a module proxy.
//
//	go run ./tools/modproxy DIR [VERSION]
//
// DIR can then be a proxy of the go command: GOPROXY=file://DIR. It has the SDK and the server as
// VERSION, which is v0.1.0 by default. The command packs the files that git tracks or would track,
// as the go command packs a release: nested modules are left out, and files that a module cannot
// have are errors. It is for tests of what users install before a release.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// folders are the folders of the modules that users install, from the root of the tree.
var folders = []string{".", "server"}

const defaultVersion = "v0.1.0"

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: modproxy DIR [VERSION]")
		os.Exit(2)
	}
	version := defaultVersion
	if len(os.Args) == 3 {
		version = os.Args[2]
	}
	if err := write(os.Args[1], ".", version); err != nil {
		fmt.Fprintln(os.Stderr, "modproxy:", err)
		os.Exit(1)
	}
}

// write writes the modules of the tree at root as a version into a proxy.
func write(proxy, root, version string) error {
	for _, folder := range folders {
		if err := writeModule(proxy, filepath.Join(root, folder), version); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return nil
}

func writeModule(proxy, folder, version string) error {
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	modulePath := modfile.ModulePath(mod)
	escaped, err := module.EscapePath(modulePath)
	if err != nil {
		return err
	}
	out := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version})
	if err != nil {
		return err
	}
	files := map[string][]byte{"list": []byte(version + "\n"), version + ".info": info,
		version + ".mod": mod}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return writeZip(filepath.Join(out, version+".zip"), folder,
		module.Version{Path: modulePath, Version: version})
}

func writeZip(name, folder string, of module.Version) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	files, err := moduleFiles(folder)
	if err == nil {
		err = zip.Create(file, of, files)
	}
	return errors.Join(err, file.Close())
}

// moduleFiles returns the files of the module in folder that git tracks or would track, without the
// files of nested modules.
func moduleFiles(folder string) ([]zip.File, error) {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = folder
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	paths := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	var nested []string
	for _, p := range paths {
		if dir, name := path.Split(p); name == "go.mod" && dir != "" {
			nested = append(nested, dir)
		}
	}
	var files []zip.File
	for _, p := range paths {
		inNested := slices.ContainsFunc(nested,
			func(dir string) bool { return strings.HasPrefix(p, dir) })
		// git lists deleted files too
		if _, err := os.Lstat(filepath.Join(folder, p)); err == nil && !inNested {
			files = append(files, moduleFile{folder, p})
		}
	}
	return files, nil
}

// moduleFile is a file of a module, by its path with slashes.
type moduleFile struct{ folder, path string }

func (f moduleFile) name() string                 { return filepath.Join(f.folder, filepath.FromSlash(f.path)) }
func (f moduleFile) Path() string                 { return f.path }
func (f moduleFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.name()) }
func (f moduleFile) Open() (io.ReadCloser, error) { return os.Open(f.name()) }
