package gateway

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// conversationRoutes adds the paths of OpenAI's Conversations API. A conversation is a list of
// items to which responses are added.
func conversationRoutes(router chi.Router, base string, s openAIServer) {
	router.Post(base+"/conversations", s.createConversation)
	router.Get(base+"/conversations/{id}", s.retrieveConversation)
	router.Post(base+"/conversations/{id}", s.updateConversation)
	router.Delete(base+"/conversations/{id}", s.deleteConversation)
	router.Get(base+"/conversations/{id}/items", s.listConversationItems)
	router.Post(base+"/conversations/{id}/items", s.addConversationItems)
	router.Get(base+"/conversations/{id}/items/{item}", s.retrieveConversationItem)
	router.Delete(base+"/conversations/{id}/items/{item}", s.deleteConversationItem)
}

// conversation is a conversation as clients receive it.
type conversation struct {
	ID        string            `json:"id"`
	Object    string            `json:"object"`
	CreatedAt int64             `json:"created_at"`
	Metadata  map[string]string `json:"metadata"`
}

// conversationRequest is the body of a request that creates or changes a conversation.
type conversationRequest struct {
	Items    []openaiapi.ResponseItem `json:"items"`
	Metadata map[string]string        `json:"metadata"`
	Unknown  jsontext.Value           `json:",embed"`
}

// conversationMembers are the members of a [conversationRequest]. It is read-only.
var conversationMembers = []string{"items", "metadata"}

// maxConversationItems is the number of items that OpenAI accepts at once.
const maxConversationItems = 20

// readConversation reads the body of a request. An empty body has no members. It replaces item
// references with their items, and keeps only items that a response can continue. A response that
// continued the other items would fail each time.
func (c *call) readConversation(kept *history.History) (*conversationRequest, *problem.Problem) {
	in := &conversationRequest{}
	if len(c.body) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(c.body, in, jsonx.ReadByMember); err != nil {
		return nil, problem.Unreadable(codec.NewMalformedError(payloadConversation, c.body, err))
	}
	for name := range jsonx.Members(in.Unknown) {
		return nil, problem.UnknownMember(name, conversationMembers)
	}
	if len(in.Items) > maxConversationItems {
		return nil, problem.Invalid("", "/items",
			"/items: has "+strconv.Itoa(len(in.Items))+" items; expected at most 20")
	}
	items, err := kept.Resolve(c.request.Context(), in.Items)
	if err != nil {
		return nil, c.missing(err).In("/input", "/items")
	}
	for i := range items {
		if items[i].Type == "" && items[i].Role == "" {
			at := "/items/" + strconv.Itoa(i) + "/type"
			return nil, problem.Invalid("", at, at+": must be set, or the role of a message")
		}
	}
	in.Items = history.Identify(items)
	return in, nil
}

var payloadConversation = codec.Payload{Wire: "responses", Name: "conversation"}

func (s openAIServer) createConversation(w http.ResponseWriter, r *http.Request) {
	s.serveKept(w, r, func(c *call, kept *history.History) *problem.Problem {
		in, p := c.readConversation(kept)
		if p != nil {
			return p
		}
		made := &conversation{ID: history.NewDocumentID(history.KindConversation),
			Object: "conversation", CreatedAt: c.start.Unix(), Metadata: in.Metadata}
		if made.Metadata == nil {
			made.Metadata = map[string]string{}
		}
		entries, err := history.Entries(responsestore.Items, in.Items)
		if err != nil {
			return c.failed(err)
		}
		return c.writeConversation(kept, made, entries)
	})
}

// writeConversation stores a conversation with more items, and answers with it.
func (c *call) writeConversation(kept *history.History, made *conversation,
	more []responsestore.Entry) *problem.Problem {
	body, err := json.Marshal(made)
	if err != nil {
		return c.failed(err)
	}
	write := responsestore.Write{Document: &responsestore.Document{ID: made.ID, JSON: body},
		Entries: more}
	if err := kept.Store.Put(c.request.Context(), kept.Owner, write); err != nil {
		return c.missing(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// serveConversation answers a request about a stored conversation.
func (s openAIServer) serveConversation(w http.ResponseWriter, r *http.Request,
	answer func(c *call, kept *history.History, found *conversation) *problem.Problem) {
	s.serveKept(w, r, func(c *call, kept *history.History) *problem.Problem {
		id := pathParameter(r, "id")
		if !history.KindConversation.Names(id) {
			return c.notFound(responsestore.ErrNotFound, "conversation", id)
		}
		document, err := kept.Store.Get(r.Context(), kept.Owner, id)
		if err != nil {
			return c.notFound(err, "conversation", id)
		}
		found := &conversation{}
		if err := json.Unmarshal(document.JSON, found); err != nil {
			return c.failed(err)
		}
		return answer(c, kept, found)
	})
}

// pathParameter returns an unescaped path parameter. The router leaves the escapes of some paths in
// place.
func pathParameter(r *http.Request, name string) string {
	text := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return text
	}
	if meant, err := url.PathUnescape(text); err == nil {
		return meant
	}
	return text
}

func (s openAIServer) retrieveConversation(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, _ *history.History, found *conversation) *problem.Problem {
			return c.writeValue(found)
		})
}

func (s openAIServer) updateConversation(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			in, p := c.readConversation(kept)
			if p != nil {
				return p
			}
			if in.Metadata != nil {
				found.Metadata = in.Metadata
			}
			return c.writeConversation(kept, found, nil)
		})
}

// deleted is the answer to a deletion.
type deleted struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Deleted bool   `json:"deleted"`
}

func (s openAIServer) deleteConversation(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			if err := kept.Store.Delete(r.Context(), kept.Owner, found.ID); err != nil {
				return c.notFound(err, "conversation", found.ID)
			}
			return c.writeValue(&deleted{ID: found.ID, Object: "conversation.deleted",
				Deleted: true})
		})
}

func (s openAIServer) listConversationItems(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			query, p := itemQueryOfValues(r)
			if p != nil {
				return p
			}
			return c.writePage(kept, history.KindConversation, found.ID, responsestore.Items, query)
		})
}

// itemQueryOfValues reads the query string.
func itemQueryOfValues(r *http.Request) (history.Query, *problem.Problem) {
	values := r.URL.Query()
	var limit *int
	if text := values.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			n = -1
		}
		limit = &n
	}
	order, after := openaiapi.ListOrder(values.Get("order")), values.Get("after")
	return itemQueryOf(limit, &order, &after)
}

func (s openAIServer) addConversationItems(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			in, p := c.readConversation(kept)
			if p != nil {
				return p
			}
			if len(in.Items) == 0 {
				return problem.Invalid("missing_required_parameter", "/items",
					"/items: must have at least one item")
			}
			entries, err := history.Entries(responsestore.Items, in.Items)
			if err != nil {
				return c.failed(err)
			}
			if err := kept.Store.Put(r.Context(), kept.Owner,
				responsestore.Write{ID: found.ID, Entries: entries}); err != nil {
				return c.notFound(err, "conversation", found.ID)
			}
			return c.writeValue(pageOf(entries))
		})
}

// pageOf returns entries as a page that holds all of them.
func pageOf(entries []responsestore.Entry) *history.Page {
	page := &history.Page{Object: "list", Data: make([]jsontext.Value, len(entries))}
	for i := range entries {
		page.Data[i] = entries[i].JSON
	}
	page.FirstID, page.LastID = &entries[0].ID, &entries[len(entries)-1].ID
	return page
}

func (s openAIServer) retrieveConversationItem(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			id := pathParameter(r, "item")
			item, err := kept.Item(r.Context(), found.ID, responsestore.Items, id)
			if err != nil {
				return c.notFound(err, "item", id)
			}
			c.writeWhole(http.StatusOK, item)
			return nil
		})
}

func (s openAIServer) deleteConversationItem(w http.ResponseWriter, r *http.Request) {
	s.serveConversation(w, r,
		func(c *call, kept *history.History, found *conversation) *problem.Problem {
			id := pathParameter(r, "item")
			if err := kept.Store.DeleteEntry(r.Context(), kept.Owner, found.ID, id); err != nil {
				return c.notFound(err, "item", id)
			}
			return c.writeValue(found)
		})
}
