// Package redacted checks that no type of the project prints a secret. It has only tests.
package redacted
