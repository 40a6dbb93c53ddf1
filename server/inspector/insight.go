package inspector

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/inspector/internal/dialogue"
)

// insight has the facts that the inspector reads from the bodies of an exchange. It never changes.
type insight struct {
	// preview is the beginning of the last text of the user.
	preview string
	// model is the model of a request that could not be converted, or "".
	model string
	// has are the words of [dialogue.View.Has], and tools the names of the called functions.
	has, tools []string
	// answer is the answer of a stream, put together. Other answers are in the body.
	answer string
	// conversation is the id of the group, or "".
	conversation string
}

func (n *insight) size() int {
	size := len(n.preview) + len(n.model) + len(n.answer) + len(n.conversation)
	for _, texts := range [][]string{n.has, n.tools} {
		for _, text := range texts {
			size += 16 + len(text)
		}
	}
	return size
}

// understand reads the bodies of an exchange that has ended, or whose request has just been
// recorded. No client waits for it.
func (s *store) understand(r *record, hasEnded bool) {
	if !s.has(r) || !r.bodies || r.client.request == nil {
		return
	}
	if of, _ := r.talkOfGemini(); of == nil && !hasEnded {
		return
	}
	e := r.talk()
	e.Client = dialogue.Documents{} // Locations are not of interest.
	if !hasEnded {
		e.Gemini.Response, e.Gemini.Chunks = "", nil
	}
	view := dialogue.Of(e)
	known := insight{preview: s.blanked(view.Preview()), has: view.Has(), tools: view.Tools()}
	if e.Unconverted != "" {
		known.model = s.blanked(dialogue.ModelOf(e.Unconverted))
	}
	if hasEnded {
		if len(e.Gemini.Chunks) > 0 {
			known.answer = s.blanked(view.AnswerText())
		}
		known.conversation = s.groups.join(r, view)
	}
	s.change(r, func() int {
		grown := known.size() - r.insight.size()
		r.insight = known
		return grown
	})
}

// blanked returns a text that was joined from recorded pieces without secrets.
func (s *store) blanked(text string) string {
	if s.blank == nil { // as in tests of the store alone
		return text
	}
	return s.blank(text)
}

// numbers returns the numbers of all exchanges.
func (s *store) numbers() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]int, len(s.records))
	for i, r := range s.records {
		out[i] = r.number
	}
	return out
}

// understandAll reads the bodies of exchanges from files, in order, until the channel is closed.
func (s *store) understandAll(numbers []int, closed <-chan struct{}) {
	for _, number := range numbers {
		select {
		case <-closed:
			return
		default:
		}
		var kept *record
		if s.find(number, func(r *record) { kept = r }) {
			s.understand(kept, true)
		}
	}
}

// geminiText returns a request in Gemini's form, or "".
func geminiText(request transform.Request) string {
	converted, _, err := request.ToGemini(transform.Target{Model: request.Model(),
		Time: time.Now(), Stores: true, Serves: true})
	if err != nil {
		return ""
	}
	data, err := gemini.EncodeRequest(converted)
	if err != nil {
		return ""
	}
	return string(data)
}

// understood has the facts of a summary that come from the bodies, or from several exchanges.
type understood struct {
	// Conversation is the id of the conversation, or "". Turn is the position in it from 1.
	Conversation string   `json:"conversation"`
	Turn         int      `json:"turn"`
	Preview      string   `json:"preview"`
	Has          []string `json:"has"`
	Phases       phases   `json:"phases"`
}

func (r *record) understood(g *groups) understood {
	u := understood{Conversation: r.insight.conversation, Preview: r.insight.preview,
		Turn: g.turn(r.insight.conversation, r.number), Has: r.insight.has, Phases: r.phases()}
	if u.Has == nil {
		u.Has = []string{}
	}
	return u
}
