// Command docsite writes the documentation as a static site.
//
//	go run ./tools/docsite [-out DIR] [-serve ADDR] [ROOT]
//
// ROOT is the repository, by default the current folder. docs/site.yaml lists the pages. The site
// needs no server: it opens from a folder, with its search. With -serve, docsite also serves the
// site at ADDR until it is interrupted. The exit code is 1 for a fault in the pages, for example a
// link without a target, and 2 for wrong arguments.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

func main() {
	out := flag.String("out", "site", "the `folder` to write")
	addr := flag.String("serve", "", "the `address` at which to serve the site, for example 127.0.0.1:8000")
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	root := "."
	if flag.NArg() == 1 {
		root = flag.Arg(0)
	}
	if err := run(root, *out, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "docsite:", err)
		os.Exit(1)
	}
}

func run(root, out, addr string) error {
	files, err := build(os.DirFS(root))
	if err != nil {
		return err
	}
	if err := write(out, files); err != nil {
		return err
	}
	fmt.Printf("%d files in %s\n", len(files), out)
	if addr == "" {
		return nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           http.FileServer(http.Dir(out)),
		ReadHeaderTimeout: 10 * time.Second,
	}
	return server.Serve(listener)
}

// marker is the file by which write recognizes a folder that it wrote before.
const marker = ".docsite"

// write replaces the content of a folder. It refuses a folder that has other content.
func write(dir string, files map[string][]byte) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, marker)); err != nil {
			return fmt.Errorf("%s is not a site that docsite wrote; use an empty folder", dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, marker), nil, 0o666)
}
