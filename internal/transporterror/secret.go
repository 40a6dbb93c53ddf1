package transporterror

import (
	"fmt"

	"github.com/gemwire/gemwire/internal/redact"
)

// Without returns an error with the [Text] of err, without the secrets in every spelling of package
// redact. It wraps err, whose own text does not change. If err quotes none of the secrets, it
// returns err itself.
func Without(err error, secrets []string) error {
	plain, text := err.Error(), Text(err)
	clean := redact.Text(text, secrets...)
	if clean == text && len(redact.Find(plain, secrets...)) == 0 {
		return err
	}
	return &withoutSecret{text: clean, cause: func() error { return err }}
}

// withoutSecret replaces an error that quotes a secret. The cause is a function, because package
// fmt prints the fields of a struct for some verbs.
type withoutSecret struct {
	text  string
	cause func() error
}

func (e *withoutSecret) Error() string { return e.text }

// Unwrap returns the error that quotes the secret.
func (e *withoutSecret) Unwrap() error { return e.cause() }

// GoString returns the text for %#v.
func (e *withoutSecret) GoString() string { return fmt.Sprintf("%q", e.text) }
