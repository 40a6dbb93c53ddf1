// Package config loads the configuration of a gateway from a YAML or JSON file, from environment
// variables and from flags.
//
//	settings, err := config.Load(config.Sources{File: "gateway.yaml", LookupEnv: os.LookupEnv})
//	if err != nil { ... } // an *Error: "gateway.yaml:3: there is no setting \"adr\"; did you mean \"addr\"?"
//	opts, err := settings.Options()
//	handler, err := gateway.New(opts...)
//
// # One name in three sources
//
// A setting has one name, such as max_body_size. A file uses that name. The environment variable is
// GEMWIRE_MAX_BODY_SIZE, and the flag is --max-body-size. Flags override the environment, the
// environment overrides the file, and the file overrides the defaults. Settings that are tables
// (alias, fallback) are merged name by name. Only files can set accounts and models. [Settings]
// lists all names. [Schema] is a JSON Schema of files for editors.
//
// An unknown name in a file is an error, which suggests a similar name. Unknown variables in the
// environment are ignored, because Kubernetes sets GEMWIRE_SERVICE_HOST for a service named
// gemwire.
//
// # Secrets
//
// A setting never contains a key. A file refers to the environment variable with the key, as
// ${GEMINI_API_KEY}, or to a file with the key (key_file of an account, api_key_file). So a
// configuration can be printed and stored with the code. Without such a setting, GEMINI_API_KEY and
// GOOGLE_API_KEY are used, as in all commands.
package config
