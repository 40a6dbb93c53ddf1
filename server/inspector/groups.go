package inspector

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/inspector/internal/dialogue"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// groups finds which exchanges belong to one conversation. It knows conversations by the ids that
// clients and servers give them, and by their messages. It is safe for concurrent use.
type groups struct {
	max int // of keys

	mu    sync.Mutex
	known map[dialogue.Key][]link
	keys  []dialogue.Key // of known, the oldest first
	byID  map[string]*group
}

// link says that an exchange of a conversation has a key.
type link struct {
	number int
	of     *group
}

// maxSameKey is how many exchanges a key leads to. Several conversations may begin with the same
// messages, and the newest one is the most likely to continue.
const maxSameKey = 4

// group is a conversation.
type group struct {
	id      string
	numbers []int // sorted
	earlier int   // exchanges before the first of numbers
	keys    int   // in known
}

func newGroups(maxExchanges int) *groups {
	const each = 4 // keys of an exchange, at most in general
	return &groups{max: each * maxExchanges, known: map[dialogue.Key][]link{},
		byID: map[string]*group{}}
}

// join adds an exchange to its conversation, and returns the id of the conversation, or "".
func (g *groups) join(r *record, view *dialogue.View) string {
	client := cmp.Or(r.start.ClientName, r.start.UserAgent)
	shared, previous, own := r.namesOfConversation()
	earlier, after := view.Keys(client)
	earlier = slices.Concat(keysOf(client, shared), keysOf(client, previous), earlier)
	after = slices.Concat(keysOf(client, shared), keysOf(client, own), after)
	if len(after) == 0 {
		after = keysOf(client, previous)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.find(earlier, r.number)
	if of == nil {
		if len(after) == 0 {
			return ""
		}
		of = g.begin(cmp.Or(r.groupID, idOf(cmp.Or(r.start.ID, string(after[0][:])))))
	}
	of.add(r.number, g.max)
	for _, key := range after {
		g.put(key, link{r.number, of})
	}
	if of.keys == 0 { // It would never be forgotten.
		g.put(keysOf(client, []string{"id " + of.id})[0], link{r.number, of})
	}
	return of.id
}

// find returns the conversation to which the first known key leads, or nil. Only exchanges before a
// number count, because exchanges may end in another order.
func (g *groups) find(keys []dialogue.Key, before int) *group {
	for _, key := range keys {
		links := g.known[key]
		for i := len(links) - 1; i >= 0; i-- {
			if links[i].number < before {
				return links[i].of
			}
		}
	}
	return nil
}

// idOf returns the id of a conversation that begins with an exchange.
func idOf(first string) string {
	sum := sha256.Sum256([]byte(first))
	return "c" + hex.EncodeToString(sum[:6])
}

// groupPattern matches ids of conversations.
var groupPattern = regexp.MustCompile(`^c[0-9a-f]{12}$`)

// clear forgets all conversations.
func (g *groups) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known, g.keys, g.byID = map[dialogue.Key][]link{}, nil, map[string]*group{}
}

// begin returns a new conversation, or the existing conversation with the id.
func (g *groups) begin(id string) *group {
	if of := g.byID[id]; of != nil {
		return of
	}
	of := &group{id: id}
	g.byID[id] = of
	return of
}

// put makes a key lead to a conversation. The oldest keys are forgotten, and with its last key a
// conversation.
func (g *groups) put(key dialogue.Key, to link) {
	links := g.known[key]
	if links == nil {
		g.keys = append(g.keys, key)
	}
	to.of.keys++
	links = append(links, to)
	slices.SortFunc(links, func(a, b link) int { return cmp.Compare(a.number, b.number) })
	if len(links) > maxSameKey {
		g.release(links[0], to.of)
		links = slices.Delete(links, 0, 1)
	}
	g.known[key] = links
	for len(g.keys) > g.max {
		for _, old := range g.known[g.keys[0]] {
			g.release(old, to.of)
		}
		delete(g.known, g.keys[0])
		g.keys = g.keys[1:]
	}
}

// release counts one key less of a conversation. A conversation that has no key and is not in use
// is forgotten.
func (g *groups) release(old link, used *group) {
	if old.of.keys--; old.of.keys == 0 && old.of != used {
		delete(g.byID, old.of.id)
	}
}

// add adds an exchange, up to a number of them.
func (g *group) add(number, most int) {
	at, found := slices.BinarySearch(g.numbers, number)
	if !found {
		g.numbers = slices.Insert(g.numbers, at, number)
	}
	if len(g.numbers) > most {
		g.numbers = slices.Delete(g.numbers, 0, 1)
		g.earlier++
	}
}

// turn returns the position of an exchange in its conversation from 1, or 0 for no conversation.
func (g *groups) turn(id string, number int) int {
	if id == "" {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.byID[id]
	if of == nil {
		return 0
	}
	at, found := slices.BinarySearch(of.numbers, number)
	if !found {
		return 0
	}
	return of.earlier + at + 1
}

// members returns the numbers of the exchanges of a conversation.
func (g *groups) members(id string) []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if of := g.byID[id]; of != nil {
		return slices.Clone(of.numbers)
	}
	return nil
}

// keysOf returns a key for each name of a client.
func keysOf(client string, names []string) []dialogue.Key {
	keys := make([]dialogue.Key, len(names))
	for i, name := range names {
		sum := sha256.Sum256([]byte("name\x00" + client + "\x00" + name))
		copy(keys[i][:], sum[:])
	}
	return keys
}

// sessionFields are header fields with the id of an agent's conversation, from the narrowest. The
// thread of codex is a part of its session. A second field distinguishes agents of one session.
var sessionFields = [][]string{
	{"thread-id"}, {"thread_id"}, {"conversation_id"},
	{"x-claude-code-session-id", "x-claude-code-agent-id"},
	{"x-session-id"}, {"session-id"}, {"session_id"},
}

// namesOfConversation returns the names by which client and server know the conversation: shared by
// all its exchanges, of the exchange before, and of this one.
func (r *record) namesOfConversation() (shared, previous, own []string) {
	if session := r.session(); session != "" {
		shared = append(shared, "session "+session)
	}
	body := jsontext.Value(r.client.request.text())
	if id := textOf(jsonx.Member(body, "previous_response_id")); id != "" {
		previous = append(previous, "response "+id)
	}
	if id := textOf(jsonx.Member(body, "previous_interaction_id")); id != "" {
		previous = append(previous, "interaction "+id)
	}
	talk := jsonx.Member(body, "conversation")
	if id := cmp.Or(textOf(talk), textOf(jsonx.Member(talk, "id"))); id != "" {
		shared = append(shared, "conversation "+id)
	}
	switch r.start.Form {
	case "responses":
		own = r.answerIDs("response")
	case "interactions":
		own = r.answerIDs("interaction")
	}
	return shared, previous, own
}

// session returns the id of the agent's session, or "".
func (r *record) session() string {
	if r.client.request == nil {
		return ""
	}
	values := map[string]string{}
	for _, f := range r.client.request.header {
		values[strings.ToLower(f.Name)] = f.Value
	}
	for _, fields := range sessionFields {
		if values[fields[0]] == "" {
			continue
		}
		session := fields[0]
		for _, name := range fields {
			session += " " + values[name]
		}
		return session
	}
	return ""
}

// answerIDs returns the id of a stored answer, which the next request names.
func (r *record) answerIDs(kind string) []string {
	id := textOf(jsonx.Member(jsontext.Value(r.client.response.text()), "id"))
	const first = 4 // events that may have the id
	for i := 0; id == "" && i < min(first, len(r.client.chunks)); i++ {
		event := jsontext.Value(r.client.chunks[i].body.text)
		id = textOf(jsonx.Member(jsonx.Member(event, kind), "id"))
	}
	if id == "" {
		return nil
	}
	return []string{kind + " " + id}
}

// textOf returns a JSON string, or "" for another value.
func textOf(value jsontext.Value) string {
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}
