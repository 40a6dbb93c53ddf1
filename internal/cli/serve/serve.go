// Package serve has the commands of the gateway: serve, which is it, and health, which asks it how it is.
//
// What the gateway does is in pkg/gateway, and how it is set up in pkg/gateway/config. What is here is the process around
// it: listeners, probes, signals, the log.
package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/cli/message"
	"github.com/gemwire/gemwire/internal/cli/process"
	"github.com/gemwire/gemwire/internal/heaproom"
	"github.com/gemwire/gemwire/pkg/gateway"
	"github.com/gemwire/gemwire/pkg/gateway/clientkey"
	"github.com/gemwire/gemwire/pkg/gateway/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Commands returns the commands.
func Commands() []*cobra.Command { return []*cobra.Command{newServe(), newHealth()} }

const serveHelp = `Run a gateway: programs that speak OpenAI's chat_completions reach Gemini through it, and
those that speak Gemini's own API too. Their base URL is http://127.0.0.1:8080/v1, or
without /v1 for Google's SDKs.

With a key in GEMINI_API_KEY it calls the Gemini API. Without credentials the fake server
that is built in answers; the first line of the log says so.

Every setting can stand in a file (--config), in the environment (GEMWIRE_ADDR for --addr),
or be a flag; the latter goes before the former. docs/gateway.md tells of all of them.

SIGTERM ends it when the requests under way are done, SIGHUP has it read its settings
again without dropping any. It answers /healthz, /readyz and /metrics.`

const serveExamples = `  gemwire serve
  gemwire serve --inspect
  gemwire serve --alias gpt-4o=gemini-3.5-flash
  gemwire serve --config gateway.yaml
  gemwire serve --schema > gateway.schema.json
  gemwire serve --new-key alice`

// command is what the flags of serve say.
type command struct {
	source sources
	// schema prints the JSON Schema of files, check ends when the settings are read, hints says how to try it.
	schema, check, hints bool
	// newKey is the name of a client that a key is made for, "" for none.
	newKey string
}

func newServe() *cobra.Command {
	var c command
	cmd := &cobra.Command{
		Use:                   "serve [flags]",
		Short:                 "Run a gateway that programs for OpenAI reach Gemini through",
		Long:                  serveHelp,
		Example:               serveExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.source.addFlags(flags)
	flags.BoolVar(&c.check, "check", false, "read the settings, say what is wrong with them, and end")
	flags.BoolVar(&c.schema, "schema", false, "print the JSON Schema of files of settings, and end")
	flags.StringVar(&c.newKey, "new-key", "", "make a client key for `NAME`, print it and its entry for --key-file, and end")
	flags.BoolVar(&c.hints, "hints", false, "print how to try it, when it listens")
	return cmd
}

func (c *command) run(cmd *cobra.Command) error {
	stderr := cmd.ErrOrStderr()
	if c.schema {
		schema, err := config.Schema()
		if err != nil {
			return fail(stderr, err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", schema)
		return nil
	}
	if c.newKey != "" {
		return printNewKey(cmd.OutOrStdout(), stderr, c.newKey)
	}
	settings, err := c.source.load()
	if err != nil {
		return fail(stderr, err)
	}
	if c.check {
		return check(settings, stderr)
	}
	defer heaproom.Keep()()
	s := newServer(settings, stderr)
	defer s.close()
	hints := io.Discard
	if c.hints {
		hints = cmd.OutOrStdout()
	}
	if err := s.open(cmd.Context(), hints); err != nil {
		return fail(stderr, err)
	}
	return s.serve(cmd.Context(), c.source.load)
}

// printNewKey makes a key: the client's on standard output, and what a file of keys has of it on standard error.
func printNewKey(stdout, stderr io.Writer, name string) error {
	key := clientkey.New()
	if _, err := clientkey.Read(fmt.Appendf(nil, "keys: [{name: %q, hash: %q}]", name, clientkey.Hash(key))); err != nil {
		return fail(stderr, err)
	}
	fmt.Fprintf(stderr, "gemwire: the key is on standard output, and nowhere else. In the file of --key-file:\n\nkeys:\n- name: %q\n  hash: %s\n\n",
		name, clientkey.Hash(key))
	fmt.Fprintln(stdout, key)
	return nil
}

// check makes a gateway that listens nowhere.
func check(settings *config.Config, stderr io.Writer) error {
	opts, err := settings.Options()
	if err != nil {
		return fail(stderr, err)
	}
	handler, err := gateway.New(opts...)
	if err != nil {
		return fail(stderr, err)
	}
	handler.Close()
	return nil
}

// fail prints what went wrong, unless a flag did: that is an error of usage.
func fail(stderr io.Writer, err error) error {
	if wrong, ok := errors.AsType[*config.Error](err); ok && strings.HasPrefix(wrong.Where, "--") {
		return err
	}
	fmt.Fprintf(stderr, "gemwire: %s\n", message.Escape(message.WithoutPackage(err.Error())))
	return process.ErrFailed
}

// sources is where the settings come from.
type sources struct {
	file  string
	given []config.Flag
}

// addFlags adds a flag for each setting.
func (s *sources) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.file, "config", "", "read the settings from this `FILE`, in YAML or JSON (GEMWIRE_CONFIG)")
	described, err := config.Descriptions()
	if err != nil {
		described = nil // which a test rules out
	}
	defaults := config.Default()
	for _, setting := range config.Settings() {
		if setting.Flag() == "" {
			continue
		}
		usage := asUsage(described[setting.Name])
		if standard := setting.Of(defaults); standard != "" && standard != "false" {
			usage += " (default " + standard + ")"
		}
		flag := flags.VarPF(&givenFlag{s, setting}, setting.Flag(), "", usage)
		if setting.IsSwitch() {
			flag.NoOptDefVal = "true"
		}
	}
}

// asUsage words the first sentence of a description as texts of flags are.
func asUsage(description string) string {
	sentence, _, _ := strings.Cut(description, ". ")
	sentence = strings.TrimSuffix(sentence, ".")
	first, size := utf8.DecodeRuneInString(sentence)
	if strings.HasPrefix(sentence, "Vertex") {
		return sentence
	}
	return string(unicode.ToLower(first)) + sentence[size:]
}

// givenFlag notes that a flag was given. Its text is read when the settings are, so that the file and the environment
// come first.
type givenFlag struct {
	sources *sources
	setting config.Setting
}

// Set implements [pflag.Value].
func (f *givenFlag) Set(text string) error {
	f.sources.given = append(f.sources.given, config.Flag{Name: f.setting.Name, Text: text})
	return nil
}

// String implements [pflag.Value]. The default is in the text of the flag.
func (f *givenFlag) String() string { return "" }

// Type implements [pflag.Value]: what the flag takes.
func (f *givenFlag) Type() string {
	if f.setting.IsSwitch() {
		return "bool"
	}
	return f.setting.Takes
}

// load reads the settings.
func (s *sources) load() (*config.Config, error) { return config.Load(s.all()) }

// all returns the sources with those of the environment.
func (s *sources) all() config.Sources {
	file := s.file
	if file == "" {
		file = os.Getenv("GEMWIRE_CONFIG")
	}
	return config.Sources{File: file, LookupEnv: os.LookupEnv, Flags: s.given}
}
