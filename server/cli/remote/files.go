package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path"
	"text/tabwriter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

const filesHelp = `Manage files at the Gemini API, for requests that refer to them. Uploaded files are stored
for two days. Vertex AI has no such files.

A NAME is files/ID, the ID, or the URI of a file, as upload and list print it.

` + connectionHelp

func newFiles() *cobra.Command {
	var flags connection
	cmd := &cobra.Command{
		Use:   "files",
		Short: "Upload, list and download files of the Gemini API",
		Long:  filesHelp,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("files needs a command: upload, list, get, delete or download")
		},
	}
	flags.addFlags(cmd.PersistentFlags())
	cmd.AddCommand(newUpload(&flags), newListFiles(&flags), newGetFiles(&flags),
		newDeleteFiles(&flags), newDownload(&flags))
	return cmd
}

// fileCommand makes a subcommand of files that calls do with a client.
func fileCommand(use, short string, args cobra.PositionalArgs, flags *connection,
	do func(ctx context.Context, c *call, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: args, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := newCall(cmd)
			return c.connected(cmd.Context(), flags,
				func(ctx context.Context) error { return do(ctx, c, args) })
		},
	}
}

func newUpload(flags *connection) *cobra.Command {
	var mimeType string
	var asJSON bool
	cmd := fileCommand("upload [flags] FILE...",
		"Upload files, and print their names and URIs", cobra.MinimumNArgs(1), flags,
		func(ctx context.Context, c *call, paths []string) error {
			for _, name := range paths {
				file, err := upload(ctx, c, name, mimeType)
				if err == nil {
					err = c.printFile(file, asJSON)
				}
				if err != nil {
					return &fileError{name, process.WithoutPath(err)}
				}
			}
			return nil
		})
	cmd.Flags().StringVar(&mimeType, "type", "",
		"media `TYPE`, such as application/pdf (default from the content)")
	addJSONFlag(cmd, &asJSON)
	return cmd
}

func upload(ctx context.Context, c *call, name, mimeType string) (*geminiapi.File, error) {
	if mimeType == "" {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, errors.New("is a folder")
		}
		if !info.Mode().IsRegular() {
			return nil, errors.New("is not a regular file; set --type for a pipe")
		}
		if mimeType, err = typeOfFile(name); err != nil {
			return nil, err
		}
	}
	return uploadFile(ctx, c, name, &geminiapi.File{MIMEType: &mimeType})
}

func newListFiles(flags *connection) *cobra.Command {
	var output string
	var asJSON bool
	cmd := fileCommand("list [flags]", "List the stored files", cobra.NoArgs, flags,
		func(ctx context.Context, c *call, _ []string) error {
			var files []*geminiapi.File
			for file, err := range c.client.Files.List(ctx) {
				if err != nil {
					return err
				}
				files = append(files, file)
			}
			if asJSON {
				return written(0, listing.WriteJSON(c.stdout, files))
			}
			return writeFiles(c.stdout, files)
		})
	listing.AddOutputFlag(cmd, &output)
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		asJSON, err = listing.ParseOutput(output)
		return err
	}
	return cmd
}

func writeFiles(out io.Writer, files []*geminiapi.File) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tTYPE\tBYTES\tSTATE\tEXPIRES\tTITLE")
	for _, f := range files {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", jsonx.Deref(f.Name), jsonx.Deref(f.MIMEType),
			jsonx.Deref(f.SizeBytes),
			jsonx.Deref(f.State), jsonx.Deref(f.ExpirationTime),
			printable(jsonx.Deref(f.DisplayName)))
	}
	return written(0, table.Flush())
}

func newGetFiles(flags *connection) *cobra.Command {
	return fileCommand("get [flags] NAME...", "Print the metadata of files in JSON, one per line",
		cobra.MinimumNArgs(1), flags,
		func(ctx context.Context, c *call, names []string) error {
			for _, name := range names {
				file, err := c.client.Files.Get(ctx, name)
				if err == nil {
					err = c.printFile(file, true)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
}

func newDeleteFiles(flags *connection) *cobra.Command {
	return fileCommand("delete [flags] NAME...", "Delete files before they expire",
		cobra.MinimumNArgs(1), flags,
		func(ctx context.Context, c *call, names []string) error {
			for _, name := range names {
				if err := c.client.Files.Delete(ctx, name); err != nil {
					return err
				}
			}
			return nil
		})
}

func newDownload(flags *connection) *cobra.Command {
	var out string
	cmd := fileCommand("download [flags] NAME", "Download a file that the service made",
		cobra.ExactArgs(1), flags,
		func(ctx context.Context, c *call, names []string) error {
			if out == "-" {
				_, err := c.client.Files.Download(ctx, names[0], c.stdout)
				return err
			}
			return c.download(ctx, names[0], out)
		})
	cmd.Flags().StringVar(&out, "out", "",
		"write to this `FILE`, - is standard output (default the file's title)")
	return cmd
}

// download downloads a file. The local file appears when it is complete.
func (c *call) download(ctx context.Context, name, target string) error {
	about, err := c.client.Files.Get(ctx, name)
	if err != nil {
		return err
	}
	if target == "" {
		target = targetOf(about)
	}
	out, err := process.CreateOutput(ctx, target)
	if err != nil {
		return &fileError{target, process.WithoutPath(err)}
	}
	defer out.Discard()
	bar := newBar(c.stderr, target, downloadSize(about))
	defer bar.Clear()
	if _, err := c.client.Files.Download(ctx, name, io.MultiWriter(out, bar)); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return &fileError{target, process.WithoutPath(err)}
	}
	c.note("wrote " + target)
	return nil
}

// targetOf returns a local path for a file: its title without folders, or else its id with the
// extension of its type.
func targetOf(about *geminiapi.File) string {
	if title := path.Base(jsonx.Deref(about.DisplayName)); title != "." && title != "/" &&
		title != ".." {
		return title
	}
	id := path.Base(jsonx.Deref(about.Name))
	if extensions, _ := mime.ExtensionsByType(jsonx.Deref(about.MIMEType)); len(extensions) > 0 {
		id += extensions[0]
	}
	return id
}

// downloadSize returns the size of a file in bytes, or -1 if it is not known.
func downloadSize(about *geminiapi.File) int64 {
	if about.SizeBytes == nil {
		return -1
	}
	return about.SizeBytes.Int64()
}

// printFile prints a file in one line (its name, URI and type), or all its metadata.
func (c *call) printFile(file *geminiapi.File, asJSON bool) error {
	if !asJSON {
		return written(fmt.Fprintf(c.stdout, "%s\t%s\t%s\n", jsonx.Deref(file.Name),
			jsonx.Deref(file.URI), jsonx.Deref(file.MIMEType)))
	}
	data, err := gemini.Encode(file)
	if err != nil {
		return err
	}
	return written(c.stdout.Write(append(data, '\n')))
}

func addJSONFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print the metadata of each file in JSON")
}
