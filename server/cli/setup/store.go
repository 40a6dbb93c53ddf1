package setup

import (
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/store"
)

// StoreOptions returns the options that open the store of the settings. It reads the file with the
// store's key.
func StoreOptions(settings *config.Config) ([]store.Option, error) {
	opts := []store.Option{store.WithBounds(settings.StoreBounds())}
	switch {
	case !settings.StoreLasts():
		return append(opts, store.InMemory()), nil
	case settings.StoreIsOnServers():
		return append(opts, store.OnServers(settings.Store),
			store.WithReplicas(settings.StoreReplicas)), nil
	}
	opts = append(opts, store.InFolder(settings.Store))
	key, err := settings.StoreKey()
	if err != nil || key == "" {
		return opts, err
	}
	return append(opts, store.WithKey(key)), nil
}
