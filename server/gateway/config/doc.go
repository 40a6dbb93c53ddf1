// Package config reads how a gateway is set up: from a file in YAML or JSON, from the environment,
// and from flags.
//
//	settings, err := config.Load(config.Sources{File: "gateway.yaml", LookupEnv: os.LookupEnv})
//	if err != nil { ... } // an *Error: "gateway.yaml:3: there is no setting \"adr\"; did you mean \"addr\"?"
//	opts, err := settings.Options()
//	handler, err := gateway.New(opts...)
//
// # One name, three ways
//
// A setting has one name, such as max_body_size. In a file that is its name; the variable of the
// environment is GEMWIRE_MAX_BODY_SIZE, the flag --max-body-size. A flag goes before the
// environment, that before the file, and the file before the default. Settings that are tables
// (alias, fallback) are laid over each other name by name; accounts and models are in files alone.
// [Settings] lists all names, [Schema] is a JSON Schema of files for editors.
//
// A name that there is not is an error, which suggests the one that may have been meant. The
// environment is no place to look for such names: Kubernetes puts GEMWIRE_SERVICE_HOST there for a
// service of that name.
//
// # Secrets
//
// A key is never in a setting. A file names the variable of the environment that has it, as
// ${GEMINI_API_KEY}, or the file that it is in (key_file of an account, api_key_file). So a
// configuration can be printed and kept where code is kept. Where nothing is said, GEMINI_API_KEY
// and GOOGLE_API_KEY are looked for, as by all commands.
package config
