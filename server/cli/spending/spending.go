// Package spending has the commands about the clients of a gateway: usage shows what they used and
// spent, and keys changes their keys, limits and budgets.
package spending

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/store"
)

// Commands returns the commands.
func Commands() []*cobra.Command { return []*cobra.Command{newUsage(), newKeys()} }

// storeSettings are the settings that say where the store is.
var storeSettings = []string{"store", "store_key_file", "store_replicas"}

var errNoStore = errors.New("the settings have no store that lasts; set --store to a folder or to URLs of NATS servers")

// openStore opens the store of the settings.
func openStore(ctx context.Context, settings *config.Config) (*store.Store, error) {
	if !settings.StoreLasts() {
		return nil, errNoStore
	}
	opts, err := setup.StoreOptions(settings)
	if err != nil {
		return nil, err
	}
	opened, err := store.Open(ctx, opts...)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return opened, nil
}
