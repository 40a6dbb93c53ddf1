package upstream

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
)

// scope is the extent of a server's refusal, from the narrowest to the widest.
type scope int

const (
	ofNothing scope = iota
	// ofMethod is a method that needs another kind of credential. It is not remembered.
	ofMethod
	// ofModel is a method of a model.
	ofModel
	// ofProject is the project of the call: the account's project, unless the model's name has
	// another one.
	ofProject
	// ofAccount is the credential itself.
	ofAccount
)

// scopes maps the words with which servers classify a refusal, in lower case, to what they refuse.
// The words are the reasons of Google's ErrorInfo (google/api/error_reason.proto, and the older
// list of errors), and the types and codes of OpenAI's API and of LiteLLM. A reason that begins
// with apiKeyReasons is ofAccount too. The table is read-only.
var scopes = map[string]scope{
	"access_token_expired":  ofAccount,
	"account_state_invalid": ofAccount,
	"keyexpired":            ofAccount,
	"keyinvalid":            ofAccount,
	"iprefererblocked":      ofAccount,

	"accessnotconfigured":      ofProject,
	"service_disabled":         ofProject,
	"service_not_visible":      ofProject,
	"billing_disabled":         ofProject,
	"user_project_denied":      ofProject,
	"consumer_suspended":       ofProject,
	"consumer_invalid":         ofProject,
	"gcp_suspended":            ofProject,
	"resource_project_invalid": ofProject,

	"credentials_missing":             ofMethod,
	"access_token_type_unsupported":   ofMethod,
	"access_token_scope_insufficient": ofModel,
	"iam_permission_denied":           ofNothing, // of the request's resources, too

	"invalid_api_key":              ofAccount,
	"authentication_error":         ofAccount,
	"invalid_authentication_error": ofAccount,
	"account_deactivated":          ofAccount,
	"account_suspended":            ofAccount,
	"billing_not_active":           ofAccount,
	"expired_key":                  ofAccount,
	"token_not_found_in_db":        ofAccount,

	"model_not_found":             ofModel,
	"model_access_denied":         ofModel,
	"key_model_access_denied":     ofModel,
	"team_model_access_denied":    ofModel,
	"user_model_access_denied":    ofModel,
	"org_model_access_denied":     ofModel,
	"project_model_access_denied": ofModel,
}

// apiKeyReasons is the prefix of reasons about API keys, such as API_KEY_INVALID.
const apiKeyReasons = "api_key_"

// accountMessages are prefixes, in lower case, of the messages of 401 and 403 that have none of the
// words above. Only the prefix counts, because the rest may quote the client.
var accountMessages = []string{
	"api key not valid",
	"api key invalid",
	"api key expired",
	"incorrect api key provided",
	"method doesn't allow unregistered callers",
	"your api key was reported as leaked",
	"permission denied: consumer 'api_key:",
	"consumer 'api_key:",
	"request had invalid authentication credentials",
	"request is missing required authentication credential",
}

// scopeOf returns what an error refuses. A 401 in other words refuses the model only, however often
// it occurs. Clients choose the models, and one client must not shut out the others.
func scopeOf(e *gemini.Error, model string) scope {
	switch e.HTTPStatus {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
	default:
		return ofNothing
	}
	found, isKnown := scopeByWord(e)
	switch {
	case isKnown && e.HTTPStatus == http.StatusBadRequest && found != ofAccount:
		return ofNothing
	case isKnown && found == ofProject:
		return scopeOfProject(model)
	case isKnown:
		return found
	case !e.RefusesCredential():
		return ofNothing
	case hasAccountMessage(e):
		return ofAccount
	default:
		return ofModel
	}
}

// scopeOfProject returns the scope of a refusal of the project. A model with a resource name, such
// as projects/p/locations/l/endpoints/e, may belong to another project than the account's.
func scopeOfProject(model string) scope {
	if strings.Contains(model, "projects/") {
		return ofModel
	}
	return ofAccount
}

// isSure reports whether a refusal of a model applies to every request. A refusal in unknown words
// may be about what the request names, such as a file. Then other requests may succeed.
func isSure(e *gemini.Error) bool {
	_, isKnown := scopeByWord(e)
	return isKnown
}

// scopeByWord returns the narrowest scope that the words of an error name.
func scopeByWord(e *gemini.Error) (found scope, isKnown bool) {
	for _, word := range wordsOf(e) {
		named, ok := scopes[word]
		if strings.HasPrefix(word, apiKeyReasons) {
			named, ok = ofAccount, true
		}
		if ok && (!isKnown || named < found) {
			found, isKnown = named, true
		}
	}
	return found, isKnown
}

// wordsOf returns the words by which an error classifies itself, in lower case. A server of another
// API may answer at an address of Google's API, as LiteLLM does.
func wordsOf(e *gemini.Error) []string {
	words := []string{e.Reason()}
	for i := range e.Details {
		words = append(words, e.Details[i].Metadata["type"], e.Details[i].Metadata["code"])
	}
	if body := e.RawBody(); len(body) <= largestKept {
		if said := openai.DecodeForeignError(body); said != nil {
			words = append(words, said.Error.Type, jsonx.Deref(said.Error.Code))
		}
	}
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

func hasAccountMessage(e *gemini.Error) bool {
	message := strings.ToLower(e.Message)
	return slices.ContainsFunc(accountMessages, func(begin string) bool {
		return strings.HasPrefix(message, begin)
	})
}

// largestKept is the size of a body above which it is not searched for words, and not stored during
// a pause.
const largestKept = 16 << 10

// kept returns an error in the form that is stored during a pause. Servers choose the size of
// errors.
func kept(err error) error {
	e, ok := err.(*gemini.Error)
	if !ok || len(e.RawBody()) <= largestKept {
		return err
	}
	message := strings.ToValidUTF8(e.Message[:min(len(e.Message), largestKept)], "")
	return &gemini.Error{HTTPStatus: e.HTTPStatus, Status: e.Status, Message: message,
		RetryAfter: e.RetryAfter}
}
