package gemini

import (
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Storage says whether Google stores the requests that a client sends and their answers, in the logs of AI Studio.
type Storage string

// The values of [WithStorage].
const (
	// StorageOff sends store: false. It is the default.
	StorageOff Storage = "off"
	// StorageOn sends store: true.
	StorageOn Storage = "on"
	// StorageByProject sends no member store, so that the setting of the Google project applies. Projects on the
	// paid tier that were made from 2026-10-26 on store by default.
	StorageByProject Storage = "project"
)

// Storages returns the values that [WithStorage] takes.
func Storages() []Storage { return []Storage{StorageOff, StorageOn, StorageByProject} }

// WithStorage sets whether Google stores requests to generate content and their answers, where a request does not say so
// itself: its member Store wins. The default is [StorageOff], so that nothing is stored at Google unless a program asks
// for it. The option applies to GenerateContent, StreamGenerateContent and the requests in the body of
// [Batches.Create]. The lines of an uploaded file of a batch are sent as they are.
//
// Vertex AI has no such member, and is not sent one. Requests that count tokens or embed content are never stored.
func WithStorage(storage Storage) Option {
	return anyOption(func(s *settings) {
		if storage != "" && !slices.Contains(Storages(), storage) {
			s.fail(fmt.Errorf("WithStorage: %q is not a storage; use %q, %q or %q",
				storage, StorageOff, StorageOn, StorageByProject))
			return
		}
		s.storage = storage
	})
}

// setStore sets the member store of a request that does not have it.
func (s *settings) setStore(request *geminiapi.GenerateContentRequest) {
	if request.Store != nil || s.storage == StorageByProject || s.endpoint.IsVertexAI() {
		return
	}
	request.Store = new(s.storage == StorageOn)
}

// withStore returns copies of the requests of a batch, each with its member store.
func (s *settings) withStore(requests []geminiapi.InlinedRequest) []geminiapi.InlinedRequest {
	out := slices.Clone(requests)
	for i := range out {
		if out[i].Request != nil {
			own := *out[i].Request
			s.setStore(&own)
			out[i].Request = &own
		}
	}
	return out
}
