package gemini

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/internal/requestcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

// ValidateRequest checks a request the way the API does, before it is sent. It returns nil or a
// *[validation.Error] with all problems at once; each says where it is and what would be right. No more than
// 1,000 are collected: first how the turns follow each other and what else spans members of the request, then,
// in the order of the description, what is wrong with each member.
//
// A problem is only what a backend is known to answer with HTTP 400, by its own description, by recorded
// replies or by public reports. What no request tells is not looked at: keys, quotas, regions, the number of
// tokens, files and caches that do not exist. So a valid request can still fail, and one that the API is known
// to take is never refused, nor one of which nothing is known.
//
// Looked at are
//
//   - turns: there is one, each has parts and a known role, no part holds two kinds of data; media have
//     bytes and a type, arguments and results are objects
//   - calls: the first comes after the user; each is answered once, in the next turn of the user, or none of
//     them; those of the current turn are signed, and the last turn is the user's, on models that insist
//   - tools: functions have names of their own, allowed functions are declared and go with their mode, and
//     stand beside nothing that the model does not take with them; nothing of this stands beside cachedContent
//   - schemas: a Schema holds no more than the backends read, at any depth, and what goes with its type
//   - configuration: numbers are in range, thinking is set as the model takes it, there is one schema for
//     the answer with a MIME type to it
//   - everything: no unknown members, no unknown values of enums, nothing that only the other backend has
//
// Unknown members and values, and parts of an unknown kind, are no problem in a turn of the model: what the API has
// said goes back to it as it came, also on the day when it says something new.
//
// The names of the rules are required, oneof, format, json_object, type, range, max, unique, one_member (one
// of several members is to be set), excluded (by another member), needs (another member), declared (a name
// refers to something), turns, answers (calls and answers pair), signature, unknown (members that
// the API does not have), backend and model (what only the other one takes).
//
// Without [ForModel] and without a model in the request, only the rules of all models are applied; without
// [ForVertexAI] and [ForGeminiAPI] none that only one of the two has.
//
// The request is not changed. It may be read by others at the same time.
func ValidateRequest(r *geminiapi.GenerateContentRequest, opts ...ValidateOption) error {
	if r == nil {
		r = &geminiapi.GenerateContentRequest{}
	}
	var target requestcheck.Target
	for _, opt := range opts {
		opt(&target)
	}
	found := requestcheck.Check(r, target)
	if len(found) == 0 {
		return nil
	}
	return &validation.Error{Prefix: "gemini", Violations: found}
}

// CheckRequest returns what [Client.GenerateContent] and [Client.StreamGenerateContent] would refuse a request
// for before they send it, such as [ErrModelRequired], with the same options; nil when they would send it. It
// sends nothing, and asks for no token. The request is encoded for it, and once more when it is sent.
func (c *Client) CheckRequest(req *geminiapi.GenerateContentRequest, opts ...Option) error {
	s, err := c.with(opts)
	if err != nil {
		return err
	}
	_, err = s.generation(req, "generateContent")
	return err
}

// ValidateResponse holds an answer, or one chunk of a stream, against the description: no unknown members, no unknown
// values of enums, numbers in range, at most one kind of data in a part. It returns nil or a *validation.Error with all
// problems at once, like [ValidateRequest], whose rules have the same names here.
//
// It is for tests, of recorded answers and of what a server of one's own writes. What the API sends need not pass: it
// says new things before the description knows them, and a program that refused them would break on that day.
func ValidateResponse(r *geminiapi.GenerateContentResponse) error {
	if problems := requestcheck.CheckAnswer(r); problems != nil {
		return &validation.Error{Prefix: "gemini", Violations: problems}
	}
	return nil
}

// ValidateOption says more about where a request is going.
type ValidateOption func(*requestcheck.Target)

// ForModel names the model that the request is for, in any form that models.TraitsOf takes, so that the rules
// that differ between models are applied; a model that is not known is held to those of the newest. The
// default is the member model of the request; "" is the same as no option.
func ForModel(model string) ValidateOption {
	return func(t *requestcheck.Target) { t.Model = model }
}

// ForVertexAI has the rules of Vertex AI applied, and members refused that only the Gemini API knows.
func ForVertexAI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.VertexAI }
}

// ForGeminiAPI has the rules of the Gemini API (generativelanguage.googleapis.com) applied, and members
// refused that only Vertex AI knows.
func ForGeminiAPI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.GeminiAPI }
}
