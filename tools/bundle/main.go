// Command bundle bundles the inspector's page for embedding into the binary: its TypeScript files
// become one script, and its style becomes one sheet.
//
//	go run . FOLDER
//
// reads FOLDER/src/main.ts and FOLDER/src/style.css and writes FOLDER/dist. The types are checked
// elsewhere (test/inspector).
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle FOLDER")
		os.Exit(2)
	}
	if err := bundle(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func bundle(folder string) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     absolute,
		EntryPoints:       []string{"src/main.ts", "src/style.css"},
		Outdir:            "dist",
		Bundle:            true,
		Write:             true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	return nil
}
