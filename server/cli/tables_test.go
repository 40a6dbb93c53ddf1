package cli

import "github.com/gemwire/gemwire/pkg/transform/forms"

// builtin are the tables of the command. Nothing changes them.
var builtin = newTables(forms.All())
