// Package setup reads the settings of a gateway for the commands that have one: from a file, the
// environment and flags. What the settings are is in server/gateway/config.
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

// Sources is where the settings come from.
type Sources struct {
	// File is that of --config, "" for none.
	File  string
	given []config.Flag
}

// AddFlags adds --config, and a flag for each setting, or for those that are named alone.
func (s *Sources) AddFlags(flags *pflag.FlagSet, names ...string) {
	flags.StringVar(&s.File, "config", "",
		"read the settings from this `FILE`, in YAML or JSON (GEMWIRE_CONFIG)")
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

// givenFlag notes that a flag was given. Its text is read when the settings are, so that the file
// and the environment come first.
type givenFlag struct {
	sources *Sources
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

// Load reads the settings.
func (s *Sources) Load() (*config.Config, error) { return config.Load(s.All()) }

// All returns the sources with those of the environment.
func (s *Sources) All() config.Sources {
	file := s.File
	if file == "" {
		file = os.Getenv("GEMWIRE_CONFIG")
	}
	return config.Sources{File: file, LookupEnv: os.LookupEnv, Flags: s.given}
}

// Fail prints what went wrong, unless a flag did: that is an error of usage.
func Fail(stderr io.Writer, err error) error {
	if wrong, ok := errors.AsType[*config.Error](err); ok && strings.HasPrefix(wrong.Where, "--") {
		return err
	}
	fmt.Fprintf(stderr, "gemwire: %s\n", message.Escape(errortext.WithoutPackage(err.Error())))
	return process.ErrFailed
}
