package config

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// inMemory selects the store that ends with the process.
const inMemory = "memory"

// isOnServers reports whether a store is URLs of NATS servers.
func isOnServers(where string) bool { return strings.Contains(where, "://") }

// StoreLasts reports whether the store outlives the process: it is a folder, or servers.
func (c *Config) StoreLasts() bool { return c.Store != "" && c.Store != inMemory }

// StoreIsOnServers reports whether the store is URLs of NATS servers.
func (c *Config) StoreIsOnServers() bool { return isOnServers(c.Store) }

// MinStoreKeySize is the minimum number of characters of the store's key.
const MinStoreKeySize = 16

// StoreKey reads the file with the store's key. It returns "" without such a file.
func (c *Config) StoreKey() (string, error) {
	if c.StoreKeyFile == "" {
		return "", nil
	}
	key, err := os.ReadFile(c.StoreKeyFile)
	if err != nil {
		return "", fmt.Errorf("config: store_key_file: %w", err)
	}
	key = bytes.TrimSpace(key)
	if len(key) < MinStoreKeySize {
		return "", fmt.Errorf("config: store_key_file: %s has %d characters; want at least %d",
			c.StoreKeyFile, len(key), MinStoreKeySize)
	}
	return string(key), nil
}

// StoreBounds returns the bounds of responses and conversations.
func (c *Config) StoreBounds() responsestore.Bounds {
	return responsestore.Bounds{
		Count: c.StoreCount, Bytes: int64(c.StoreSize), TotalBytes: int64(c.StoreTotalSize),
		Age: time.Duration(c.StoreAge),
	}
}

// checkStore checks the settings of the store against each other.
func (c *Config) checkStore() (out []error) {
	if c.StoreKeyFile != "" && (isOnServers(c.Store) || !c.StoreLasts()) {
		out = append(out, c.wrong("only a store in a folder is encrypted with this key; "+
			"NATS servers encrypt by their own settings", "store_key_file"))
	}
	if c.StoreReplicas > 1 && !isOnServers(c.Store) {
		out = append(out, c.wrong("only a store on NATS servers has replicas", "store_replicas"))
	}
	return out
}
