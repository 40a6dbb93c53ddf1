// Command apilist writes the exported API of the SDK as sorted lines of text, so that a review sees
// each change of it.
//
//	apilist FOLDER FILE
//
// It reads all packages in FOLDER/pkg that users can import, for every platform.
package main

import (
	"fmt"
	"os"
	"strings"
)

//go:generate go run . ../.. ../../api/sdk.txt

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: apilist FOLDER FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "apilist:", err)
		os.Exit(1)
	}
}

func write(folder, file string) error {
	packages, err := readPackages(folder)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Join(list(packages), "\n")+"\n"), 0o644)
}
