package gateway

import (
	"sync"

	"github.com/gemwire/gemwire/server/gateway/internal/codexcatalog"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// headerModelsTag is the header by which codex learns the tag of the current catalogue, from an
// upgrade or an answer. codex reads the catalogue again if the tag is not the one that it has.
const headerModelsTag = "X-Models-Etag"

// catalogs are the catalogues that clients have read, by client. They outlive changes of options.
type catalogs struct {
	mu   sync.Mutex
	read map[responsestore.Owner]catalog
}

// catalog is a catalogue that a client has read: its tag, and the options and the version of the
// upstream's list from which it was made.
type catalog struct {
	tag     string
	options int
	list    int
}

// newerTag stands for a catalogue that no client has read yet.
const newerTag = `"newer"`

// noteCatalog notes that the client reads the catalogue with a tag. Callers with keys of their own
// are not counted, because there may be any number of them.
func (c *call) noteCatalog(tag string) {
	if c.callersKey || !c.request.URL.Query().Has(codexcatalog.Query) {
		return
	}
	c.catalogs.mu.Lock()
	defer c.catalogs.mu.Unlock()
	if c.catalogs.read == nil {
		c.catalogs.read = map[responsestore.Owner]catalog{}
	}
	c.catalogs.read[c.owner()] = catalog{tag, c.options, c.modelList.Version()}
}

// showCatalog sets the tag of the current catalogue for a client that has read one.
func (c *call) showCatalog() {
	if c.callersKey {
		return
	}
	c.catalogs.mu.Lock()
	read, hasRead := c.catalogs.read[c.owner()]
	c.catalogs.mu.Unlock()
	if !hasRead {
		return
	}
	tag := read.tag
	if read.options != c.options || read.list != c.modelList.Version() {
		tag = newerTag
	}
	c.writer.Header().Set(headerModelsTag, tag)
}
