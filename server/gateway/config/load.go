package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
)

// Sources are the sources of settings.
type Sources struct {
	// File is the path of a YAML or JSON file, or "" for none.
	File string
	// LookupEnv looks up an environment variable, as [os.LookupEnv] does. Nil is an empty
	// environment.
	LookupEnv func(name string) (string, bool)
	// Flags are the flags on the command line, in their order.
	Flags []Flag
}

// Flag is a flag on the command line.
type Flag struct {
	// Name is the setting's name. Text is the flag's value.
	Name, Text string
}

// Error is an invalid setting.
type Error struct {
	// Where is the source: "gateway.yaml:3" for a line of a file, the name of a variable, or a flag
	// as the user typed it.
	Where string
	// Setting is the setting's name, or "" if the error is not about a setting.
	Setting string
	line    int // in a file, or 0
	isUsage bool
	reason  string
}

// Error returns the source, the setting and the expected value.
func (e *Error) Error() string { return e.Where + ": " + e.reason }

// Reason returns what is wrong with the setting.
func (e *Error) Reason() string { return e.reason }

// IsUsage reports that a flag is unknown or its value cannot be read. Then the command line is
// wrong, and not the settings.
func (e *Error) IsUsage() bool { return e.isUsage }

// Load loads the settings and checks everything that can be checked without opening other files. A
// setting that a source does not have comes from the source of the next lower priority.
//
// The error is an [*Error], or the error of a file that cannot be read.
func Load(from Sources) (*Config, error) {
	c, err := read(from)
	if err != nil {
		return nil, err
	}
	if wrong := c.check(); len(wrong) > 0 {
		return c, wrong[0]
	}
	return c, nil
}

// Check returns all that is wrong with the settings: the errors of [Load], and probable mistakes
// that do not stop a gateway from starting ([Config.Problems]). If the settings cannot be read, it
// returns nil settings and the error.
func Check(from Sources) (*Config, []error) {
	c, err := read(from)
	if err != nil {
		return nil, []error{err}
	}
	return c, append(c.check(), c.Problems()...)
}

// Addr returns the host and port where a gateway with these settings listens. It does not check the
// other settings, because a client of a running gateway may have only some of them. The error is
// the same as for [Load].
func Addr(from Sources) (string, error) {
	c, err := read(from)
	if err != nil {
		return "", err
	}
	return c.Addr, nil
}

// read reads the settings.
func read(from Sources) (*Config, error) {
	c := Default()
	c.origins = origins{}
	c.lookupEnv = from.LookupEnv
	if c.lookupEnv == nil {
		c.lookupEnv = func(string) (string, bool) { return "", false }
	}
	if from.File != "" {
		if err := c.readFile(from.File); err != nil {
			return nil, err
		}
	}
	if err := c.checkRenamed(); err != nil {
		return nil, err
	}
	for _, s := range settings {
		if err := c.setByEnvironment(s); err != nil {
			return nil, err
		}
	}
	for _, f := range from.Flags {
		if err := c.setByFlag(f); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Config) readFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	lines, err := document.Read(data, c, document.Form{Unknown: unknownName, Want: wanted})
	if err != nil {
		return lineError(path, err)
	}
	c.origins.addFile(path, lines)
	return c.checkFile(path, lines)
}

// lineError returns an error of a file with its line.
func lineError(path string, err error) error {
	located, ok := errors.AsType[*document.Error](err)
	if !ok {
		return fmt.Errorf("config: %s: %w", path, err)
	}
	pointer, _ := located.Location()
	reason := located.Reason()
	if pointer != "" && !strings.HasPrefix(reason, noSuchName) {
		reason = strings.TrimPrefix(pointer, "/") + ": " + reason
	}
	setting, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return &Error{Where: fmt.Sprintf("%s:%d", path, located.Line()), Setting: setting,
		line: located.Line(), reason: reason}
}

func (c *Config) setByEnvironment(s Setting) error {
	if s.value == nil {
		return nil
	}
	text, ok := c.lookupEnv(s.Variable())
	if !ok || text == "" {
		return nil
	}
	if err := s.value(c).Set(text); err != nil {
		return &Error{Where: s.Variable(), Setting: s.Name, reason: err.Error()}
	}
	c.origins.add(s, c, text, s.Variable())
	return nil
}

func (c *Config) setByFlag(f Flag) error {
	for _, s := range settings {
		if s.Name != f.Name || s.value == nil {
			continue
		}
		if err := s.value(c).Set(f.Text); err != nil {
			return &Error{Where: "--" + s.Flag(), Setting: s.Name, isUsage: true,
				reason: err.Error()}
		}
		c.origins.add(s, c, f.Text, "--"+s.Flag())
		return nil
	}
	return &Error{Where: "--" + f.Name, isUsage: true, reason: unknownName("/" + f.Name)}
}
