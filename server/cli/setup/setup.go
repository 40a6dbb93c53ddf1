// Package setup loads the settings of a gateway for commands, from a file, the environment and
// flags. Package server/gateway/config defines the settings.
package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/spf13/pflag"
)

// Sources are the sources of the settings.
type Sources struct {
	// File is the value of --config, or "" for none.
	File  string
	given []config.Flag
}

// AddFlags adds --config and a flag for each setting, or only for the named settings.
func (s *Sources) AddFlags(flags *pflag.FlagSet, names ...string) {
	flags.StringVar(&s.File, "config", "",
		"settings `FILE` in YAML or JSON (GEMWIRE_CONFIG)")
	described, err := config.Descriptions()
	if err != nil {
		described = nil // which a test rules out
	}
	defaults := config.Default()
	for _, setting := range config.Settings() {
		if setting.Flag() == "" || len(names) > 0 && !slices.Contains(names, setting.Name) {
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
	for _, name := range config.RenamedFlags() {
		flags.VarPF(renamedFlag(name), name, "", "").Hidden = true
	}
}

// renamedFlag is a flag of an earlier version. Setting it is an error that says the new name.
type renamedFlag string

// Set implements [pflag.Value].
func (f renamedFlag) Set(string) error {
	return config.RenamedError(string(f))
}

// String implements [pflag.Value].
func (f renamedFlag) String() string { return "" }

// Type implements [pflag.Value].
func (f renamedFlag) Type() string { return "string" }

// asUsage converts the first sentence of a description to the style of flag usage.
func asUsage(description string) string {
	sentence, _, _ := strings.Cut(description, ". ")
	sentence = strings.TrimSuffix(sentence, ".")
	first, size := utf8.DecodeRuneInString(sentence)
	second, _ := utf8.DecodeRuneInString(sentence[size:])
	if strings.HasPrefix(sentence, "Vertex") || unicode.IsUpper(second) { // or URL
		return sentence
	}
	return string(unicode.ToLower(first)) + sentence[size:]
}

// givenFlag records that a flag was set. Its text is parsed with the settings, after the file and
// the environment.
type givenFlag struct {
	sources *Sources
	setting config.Setting
}

// Set implements [pflag.Value].
func (f *givenFlag) Set(text string) error {
	f.sources.given = append(f.sources.given, config.Flag{Name: f.setting.Name, Text: text})
	return nil
}

// String implements [pflag.Value]. The usage text contains the default.
func (f *givenFlag) String() string { return "" }

// Type implements [pflag.Value]. It returns the placeholder of the value.
func (f *givenFlag) Type() string {
	if f.setting.IsSwitch() {
		return "bool"
	}
	return f.setting.Takes
}

// Load reads the settings.
func (s *Sources) Load() (*config.Config, error) { return config.Load(s.All()) }

// All returns the sources with the environment.
func (s *Sources) All() config.Sources {
	file := s.File
	if file == "" {
		file = os.Getenv("GEMWIRE_CONFIG")
	}
	return config.Sources{File: file, LookupEnv: os.LookupEnv, Flags: s.given}
}

// Fail prints an error, unless a flag caused it. Then it is a usage error.
func Fail(stderr io.Writer, err error) error {
	if wrong, ok := errors.AsType[*config.Error](err); ok && wrong.IsUsage() {
		return err
	}
	fmt.Fprintf(stderr, "gemwire: %s\n", message.Escape(errortext.WithoutPackage(err.Error())))
	return process.ErrFailed
}
