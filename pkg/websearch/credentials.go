package websearch

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/go-json-experiment/json/jsontext"
)

// Names of environment variables.
const (
	// EnvAPIKey holds the API key.
	EnvAPIKey = "GOOGLE_SEARCH_API_KEY"
	// EnvEngineID holds the ID of the search engine.
	EnvEngineID = "GOOGLE_SEARCH_ENGINE_ID"
	// EnvBaseURL holds the base URL for the command, as [WithBaseURL] takes it; this package does
	// not read it.
	EnvBaseURL = "GOOGLE_SEARCH_BASE_URL"
)

// Credentials are the API key and the ID of the search engine. They never print: package fmt,
// package log/slog and JSON show at most whether they are set. The zero value has neither.
//
// The fields are pointers, because package fmt prints strings in unexported fields of a struct but
// does not follow their pointers.
type Credentials struct {
	apiKey, engineID *string
}

// NewCredentials makes credentials. "" means that a credential is missing.
func NewCredentials(apiKey, engineID string) Credentials {
	return Credentials{apiKey: &apiKey, engineID: &engineID}
}

// FindCredentials looks for each credential in the environment, then in the file
// .config/ikigai/credentials.json of the home directory (HOME, else the account's):
//
//	{"web_search": {"google": {"api_key": "...", "engine_id": "..."}}}
//
// lookupEnv is [os.LookupEnv] or a similar function. A variable that is set to "" means that the
// credential is missing, whatever the file contains. A file that does not exist, cannot be read or
// is not JSON contains none.
func FindCredentials(lookupEnv func(string) (string, bool)) Credentials {
	return findCredentials(lookupEnv, accountHome)
}

func findCredentials(lookupEnv func(string) (string, bool), accountHome func() string) Credentials {
	apiKey, hasKey := lookupEnv(EnvAPIKey)
	engineID, hasID := lookupEnv(EnvEngineID)
	if hasKey && hasID {
		return NewCredentials(apiKey, engineID)
	}
	home, _ := lookupEnv("HOME")
	if home == "" {
		home = accountHome()
	}
	file := readCredentialsFile(home)
	if !hasKey {
		apiKey, _ = text(member(file, "api_key"))
	}
	if !hasID {
		engineID, _ = text(member(file, "engine_id"))
	}
	return NewCredentials(apiKey, engineID)
}

// readCredentialsFile returns the object with the credentials of Google. It returns nil without
// such an object or without a home directory.
func readCredentialsFile(home string) jsontext.Value {
	if home == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(home, ".config", "ikigai", "credentials.json"))
	if err != nil {
		return nil
	}
	return member(member(withoutByteOrderMark(data), "web_search"), "google")
}

// accountHome returns the home directory of the account that runs the process, "" if it has none.
func accountHome() string {
	account, err := user.Current()
	if err != nil {
		return ""
	}
	return account.HomeDir
}

// Complete reports whether both credentials are set.
func (c Credentials) Complete() bool {
	return reveal(c.apiKey) != "" && reveal(c.engineID) != ""
}

// String returns which credentials are set.
func (c Credentials) String() string {
	return fmt.Sprintf("websearch.Credentials{APIKey: %s, EngineID: %s}", presence(c.apiKey),
		presence(c.engineID))
}

// GoString returns what String returns.
func (c Credentials) GoString() string { return c.String() }

// Format writes what String returns, for every verb.
func (c Credentials) Format(state fmt.State, _ rune) { io.WriteString(state, c.String()) }

// LogValue returns what String returns.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(c.String()) }

func presence(secret *string) string {
	if reveal(secret) == "" {
		return "missing"
	}
	return redact.Mark
}

func reveal(secret *string) string {
	if secret == nil {
		return ""
	}
	return *secret
}
