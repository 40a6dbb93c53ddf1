package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
)

// Sources are where settings come from.
type Sources struct {
	// File is a file in YAML or JSON, "" for none.
	File string
	// LookupEnv looks a variable of the environment up, as [os.LookupEnv] does; nil for an empty
	// environment.
	LookupEnv func(name string) (string, bool)
	// Flags are those that were given, in their order.
	Flags []Flag
}

// Flag is a flag that was given.
type Flag struct {
	// Name is that of the setting, Text what it was given.
	Name, Text string
}

// Error is what is wrong with a setting.
type Error struct {
	// Where is "gateway.yaml:3" for a line of a file, the name of a variable, or that of a flag as
	// it is given.
	Where string
	// Setting is its name, "" for what is no setting.
	Setting string
	reason  string
}

// Error names where, the setting and what would be right.
func (e *Error) Error() string { return e.Where + ": " + e.reason }

// Reason returns what is wrong there.
func (e *Error) Reason() string { return e.reason }

// Load reads the settings, and checks what can be checked without looking elsewhere. What a source
// does not say stays as the one below it says.
//
// An error is an [*Error], or that of a file that cannot be read.
func Load(from Sources) (*Config, error) {
	c, err := read(from)
	if err != nil {
		return nil, err
	}
	return c, c.check()
}

// Addr returns where a gateway of these settings listens, as host and port, whether or not it may:
// who asks a gateway that runs may know but a part of its settings. An error is that of [Load].
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
	c.lookupEnv = from.LookupEnv
	if c.lookupEnv == nil {
		c.lookupEnv = func(string) (string, bool) { return "", false }
	}
	if from.File != "" {
		if err := c.readFile(from.File); err != nil {
			return nil, err
		}
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
	lines, err := document.Read(data, c, document.Form{Unknown: unknownName})
	if err != nil {
		return lineError(path, err)
	}
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
	return &Error{Where: fmt.Sprintf("%s:%d", path, located.Line()), Setting: topName(pointer),
		reason: reason}
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
	return nil
}

func (c *Config) setByFlag(f Flag) error {
	for _, s := range settings {
		if s.Name != f.Name || s.value == nil {
			continue
		}
		if err := s.value(c).Set(f.Text); err != nil {
			return &Error{Where: "--" + s.Flag(), Setting: s.Name, reason: err.Error()}
		}
		return nil
	}
	return &Error{Where: "--" + f.Name, reason: unknownName("/" + f.Name)}
}
