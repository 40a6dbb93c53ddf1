package inspector_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/inspector"
)

func TestAnInspectorKeepsAtLeastALittle(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		option inspector.Option
		isOK   bool
	}{
		"an exchange":      {inspector.WithMaxExchanges(1), true},
		"no exchange":      {inspector.WithMaxExchanges(0), false},
		"64 KiB":           {inspector.WithMaxBytes(64 << 10), true},
		"a byte less":      {inspector.WithMaxBytes(64<<10 - 1), false},
		"bodies of a KiB":  {inspector.WithMaxBodySize(1 << 10), true},
		"bodies of a less": {inspector.WithMaxBodySize(1<<10 - 1), false},
	} {
		i, err := inspector.New(test.option)
		if (err == nil) != test.isOK {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			i.Close()
		}
	}
}
