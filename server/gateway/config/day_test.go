package config_test

import "github.com/gemwire/gemwire/internal/clock/clocktest"

var _ = clocktest.Fix()
