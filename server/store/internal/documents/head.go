package documents

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of heads. The index reads them alone.
const (
	headerInfo   = "Gemwire-Info"   // see info
	headerStamps = "Gemwire-Stamps" // of the tail, or of a part in its first piece
)

// info is the part of a head that the index needs.
type info struct {
	// Write is unique for each write. Writes is the number of heads that were written together,
	// and Index the index among them.
	Write  string `json:"w"`
	Writes int    `json:"n,omitzero"`
	Index  int    `json:"i,omitzero"`
	// Time is when it was written, in nanoseconds since 1970.
	Time int64 `json:"t"`
	// Size is the size that counts against the bounds.
	Size int64 `json:"s,omitzero"`
	// Previous is the token of the document that it continues, or "".
	Previous string `json:"p,omitzero"`
	// Gone are the blobs that the head before had, and this one has not.
	Gone []string `json:"g,omitzero"`
	// IsDeleted marks a deleted document, whose head is empty.
	IsDeleted bool `json:"d,omitzero"`
}

// head is a document with its lists.
type head struct {
	responsestore.Document
	info
	sequence uint64 // of its message, 0 for a new document

	bodyName string                     // of the blob with its JSON, or "" for a JSON in the head
	bodySize int64                      // that the document itself counts
	last     map[responsestore.List]int // the positions given last
	parts    []part                     // by rising positions in each list
	tail     []entry                    // that no part has yet
}

// part is a blob with entries of one list.
type part struct {
	List  responsestore.List `json:"l"`
	Name  string             `json:"n"`
	First int                `json:"f"` // positions
	Last  int                `json:"t"`
}

// headJSON is the first part of the data of a head.
type headJSON struct {
	ID        []byte                     `json:"id"` // ids need not be UTF-8
	Previous  []byte                     `json:"previous,omitzero"`
	IsRunning bool                       `json:"running,omitzero"`
	Body      string                     `json:"body,omitzero"`
	BodySize  int64                      `json:"body_size,omitzero"`
	Last      map[responsestore.List]int `json:"last,omitzero"`
	Parts     []part                     `json:"parts,omitzero"`
}

// message returns the head as a message.
func (h *head) message(k key) (*nats.Msg, error) {
	meta, err := json.Marshal(&headJSON{ID: []byte(h.ID), Previous: []byte(h.Document.Previous),
		IsRunning: h.IsRunning, Body: h.bodyName, BodySize: h.bodySize, Last: h.last,
		Parts: h.parts})
	if err != nil {
		return nil, err
	}
	body := []byte(h.JSON)
	if h.bodyName != "" {
		body = nil
	}
	data := binary.AppendUvarint(nil, uint64(len(meta)))
	data = append(data, meta...)
	data = binary.AppendUvarint(data, uint64(len(body)))
	data = append(data, body...)
	data = append(data, encodeEntries(h.tail)...)
	return messageOf(k, &h.info, encodeStamps(h.tail), data)
}

// messageOf returns a message of a head.
func messageOf(k key, i *info, stamps string, data []byte) (*nats.Msg, error) {
	text, err := json.Marshal(i)
	if err != nil {
		return nil, err
	}
	header := nats.Header{headerInfo: {string(text)}}
	if stamps != "" {
		header[headerStamps] = []string{stamps}
	}
	return &nats.Msg{Subject: k.head(), Header: header, Data: data}, nil
}

// decodeHead is the reverse of [head.message].
func decodeHead(message *jetstream.RawStreamMsg) (*head, error) {
	h := &head{sequence: message.Sequence}
	damaged := func(what string) error {
		return fmt.Errorf("%w: %s of the message %s", engine.ErrDamaged, what, message.Subject)
	}
	if err := json.Unmarshal([]byte(message.Header.Get(headerInfo)), &h.info); err != nil {
		return nil, damaged("the header")
	}
	if h.IsDeleted {
		return h, nil
	}
	d := decoder{message.Data}
	var meta headJSON
	if err := json.Unmarshal(d.take(d.number()), &meta); err != nil {
		return nil, damaged("the head")
	}
	h.Document = responsestore.Document{ID: string(meta.ID), Previous: string(meta.Previous),
		IsRunning: meta.IsRunning}
	h.JSON = d.take(d.number())
	h.bodyName, h.bodySize, h.last, h.parts = meta.Body, meta.BodySize, meta.Last, meta.Parts
	if d.rest == nil {
		return nil, damaged("the JSON")
	}
	var err error
	h.tail, err = decodeEntries(d.rest)
	return h, err
}

// blobs returns the names of the head's blobs.
func (h *head) blobs() (names []string) {
	if h.bodyName != "" {
		names = append(names, h.bodyName)
	}
	for i := range h.parts {
		names = append(names, h.parts[i].Name)
	}
	return names
}

// gone returns the blobs that the head before had, and h has not.
func (h *head) gone(before []string) (names []string) {
	now := h.blobs()
	for _, name := range before {
		if !slices.Contains(now, name) {
			names = append(names, name)
		}
	}
	return names
}

// ttl returns a time to live for the marker of a deleted document, in whole seconds.
func ttl(seconds int64) []string { return []string{strconv.FormatInt(seconds, 10) + "s"} }
