package config

import (
	"errors"
	"strings"
)

// newNames are the names of today for settings that had others.
var newNames = map[string]string{
	"response_store": "store", "response_store_count": "store_count",
	"response_store_size": "store_size", "response_store_age": "store_age", "bulk_store": "store",
}

// renamed says what to use in place of a setting that had the name, or returns "".
func renamed(name string) string {
	switch now := newNames[name]; {
	case now == "":
		return ""
	case name == "response_store":
		return `it is "store" now: memory, a folder (not a file), or URLs of NATS servers`
	default:
		return "it is \"" + now + "\" now"
	}
}

// RenamedFlags returns the flags of earlier versions; see [RenamedError].
func RenamedFlags() (names []string) {
	for name := range newNames {
		names = append(names, flagOf(name))
	}
	return names
}

// RenamedError returns the error for a flag of an earlier version, which says the new name.
func RenamedError(flag string) error {
	return errors.New(renamed(strings.ReplaceAll(flag, "-", "_")))
}

// checkRenamed returns an error if the environment has a setting by a name of an earlier version.
func (c *Config) checkRenamed() error {
	for name := range newNames {
		variable := variableOf(name)
		if text, has := c.lookupEnv(variable); has && text != "" {
			return &Error{Where: variable, Setting: newNames[name],
				reason: renamed(name)}
		}
	}
	return nil
}
