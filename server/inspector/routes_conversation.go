package inspector

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/inspector/internal/dialogue"
)

// conversationView answers with the messages of an exchange.
func (i *Inspector) conversationView(w http.ResponseWriter, r *http.Request) {
	kept, ok := i.kept(w, r)
	if !ok {
		return
	}
	i.writeBlanked(w, dialogue.Of(kept.talk()))
}

// groupView is a conversation of several exchanges in the page's format.
type groupView struct {
	ID         string           `json:"id"`
	Exchanges  []turnView       `json:"exchanges"`
	Signatures []*signaturePath `json:"signatures"`
}

// turnView is an exchange of a conversation.
type turnView struct {
	Number  int       `json:"number"`
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Turn    int       `json:"turn"`
	Status  int       `json:"status"`
	Running bool      `json:"running"`
	Failure string    `json:"failure"`
	Tokens  tokens    `json:"tokens"`
	Cost    *cost     `json:"cost"`
	Model   string    `json:"model"`
	Preview string    `json:"preview"`
}

// signaturePath is a thought signature on its way through a conversation.
type signaturePath struct {
	Hash  string          `json:"hash"`
	Size  int             `json:"size"`
	Steps []signatureStep `json:"steps"`
}

// signatureStep is a place where a signature was.
type signatureStep struct {
	Number  int              `json:"number"`
	Side    exchange.Side    `json:"side"`
	Pointer string           `json:"pointer"`
	Carrier exchange.Carrier `json:"carrier"`
}

// conversationGroup answers with the exchanges of a conversation and the ways of its signatures.
func (i *Inspector) conversationGroup(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	group := groupView{ID: id, Exchanges: []turnView{}, Signatures: []*signaturePath{}}
	paths := map[string]*signaturePath{}
	for _, number := range i.store.groups.members(id) {
		kept, ok := i.store.snapshot(r.Context(), number)
		if !ok {
			continue
		}
		s := kept.summary(i.store.groups)
		group.Exchanges = append(group.Exchanges, turnView{
			Number: s.Number, ID: s.ID, At: s.At, Turn: s.Turn, Status: s.Status,
			Running: s.Running, Failure: string(kept.failure()), Tokens: s.Tokens, Cost: s.Cost,
			Model: s.Model, Preview: s.Preview,
		})
		group.follow(&kept, paths)
	}
	if len(group.Exchanges) == 0 {
		refuse(w, http.StatusNotFound, "this conversation was dropped")
		return
	}
	writeJSON(w, http.StatusOK, group)
}

// follow adds the signatures of an exchange.
func (g *groupView) follow(r *record, paths map[string]*signaturePath) {
	for n := range r.signatures {
		s := &r.signatures[n]
		hash := dialogue.SignatureHash(r.signatureValue(s))
		if hash == "" {
			continue
		}
		path := paths[hash]
		if path == nil {
			path = &signaturePath{Hash: hash, Size: s.Size}
			paths[hash] = path
			g.Signatures = append(g.Signatures, path)
		}
		path.Steps = append(path.Steps, signatureStep{r.number, s.Side, s.Pointer, s.Carrier})
	}
}
