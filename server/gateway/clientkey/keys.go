package clientkey

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
)

// Keys are the keys of a file. They are safe for concurrent use. Their printed form contains no
// key.
type Keys struct{ keys []*Key }

// New returns a new key: "gw-" and 43 characters of letters, digits, _ and -.
func New() string {
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // it never fails
	return "gw-" + base64.RawURLEncoding.EncodeToString(bits[:])
}

// hashPrefix is the prefix of a hash in a file.
const hashPrefix = "sha256:"

// Hash returns the hash of a key as files contain it.
func Hash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hashPrefix + hex.EncodeToString(sum[:])
}

// ReadFile reads the keys of a file.
func ReadFile(path string) (*Keys, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("clientkey: %w", err)
	}
	keys, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

// entry is a key in a file.
type entry struct {
	Name              string   `json:"name"`
	Hash              string   `json:"hash"`
	Models            []string `json:"models"`
	RequestsPerMinute int      `json:"requests_per_minute"`
	TokensPerMinute   int      `json:"tokens_per_minute"`
	Concurrent        int      `json:"concurrent"`
	Budget            *budget  `json:"budget"`
	Admin             bool     `json:"admin"`
}

// budget is a budget in a file.
type budget struct {
	Amount   jsontext.Value `json:"amount"`
	Currency string         `json:"currency"`
	Tokens   int64          `json:"tokens"`
	Period   quota.Period   `json:"period"`
}

// read returns the budget, or the name of the invalid member.
func (b *budget) read() (out quota.Budget, member string, err error) {
	if b == nil {
		return out, "", nil
	}
	out = quota.Budget{Currency: b.Currency, Tokens: b.Tokens, Period: b.Period}
	if b.Amount != nil {
		if out.Amount, err = money.Parse(strings.Trim(string(b.Amount), `"`)); err != nil {
			return out, "/budget/amount", err
		}
		if out.Currency == "" {
			out.Currency = defaultCurrency
		}
	}
	if out.Currency != "" && b.Amount == nil {
		return out, "/budget", errors.New("needs an amount in the currency")
	}
	if member, err = out.Check(); err != nil && member != "" {
		member = "/" + member
	}
	return out, "/budget" + member, err
}

// defaultCurrency is the currency of Google's prices.
const defaultCurrency = "USD"

// Read reads keys: a list of them, alone or as the member keys. At least one is required. The error
// names the line.
func Read(data []byte) (*Keys, error) {
	var file struct {
		Keys []entry `json:"keys"`
	}
	into, list := any(&file), "/keys"
	if beginsList(data) {
		into, list = &file.Keys, ""
	}
	lines, err := document.Read(data, into, document.Form{Unknown: unknownName, Want: wantAt})
	if err != nil {
		return nil, fmt.Errorf("clientkey: %w", err)
	}
	if len(file.Keys) == 0 {
		return nil, errors.New("clientkey: the file has no keys")
	}
	out := &Keys{}
	for i, e := range file.Keys {
		key, member, err := out.read(e)
		if err != nil {
			return nil, fmt.Errorf("clientkey: %w",
				lines.Error(fmt.Sprintf("%s/%d%s", list, i, member), err.Error()))
		}
		out.keys = append(out.keys, key)
	}
	return out, nil
}

// beginsList reports whether a document is a list, so that `gemwire serve --new-key NAME >> FILE`
// can append to it.
func beginsList(data []byte) bool {
	// a byte order mark
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		line = bytes.TrimSpace(line)
		if begun, isMark := bytes.CutPrefix(line, []byte("---")); isMark { // of a document
			line = bytes.TrimSpace(begun)
		}
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return line[0] == '[' ||
			line[0] == '-' && (len(line) == 1 || line[1] == ' ' || line[1] == '\t')
	}
	return false
}

// read returns the key of an entry, or the name of the invalid member.
func (k *Keys) read(e entry) (key *Key, member string, err error) {
	key = &Key{name: e.Name, models: e.Models}
	digits, hasPrefix := strings.CutPrefix(e.Hash, hashPrefix)
	sum, err := hex.DecodeString(digits)
	switch {
	case e.Name == "":
		return nil, "", errors.New("the key needs a name, which logs show")
	case !hasPrefix || err != nil || copy(key.sum[:], sum) != len(key.sum) ||
		len(sum) != len(key.sum):
		return nil, "/hash",
			errors.New("must be sha256: and 64 hexadecimal digits, not the key itself")
	case e.RequestsPerMinute < 0:
		return nil, "/requests_per_minute",
			errors.New("must not be negative; leave it out for no limit")
	case e.TokensPerMinute < 0:
		return nil, "/tokens_per_minute",
			errors.New("must not be negative; leave it out for no limit")
	case e.Concurrent < 0:
		return nil, "/concurrent",
			errors.New("must not be negative; leave it out for no limit")
	}
	if key.budget, member, err = e.Budget.read(); err != nil {
		return nil, member, err
	}
	for _, other := range k.keys {
		if other.name == e.Name {
			return nil, "/name", errors.New("another key has the same name")
		}
		if other.sum == key.sum {
			return nil, "/hash", errors.New("another key has the same hash")
		}
	}
	key.limits = Limits{RequestsPerMinute: e.RequestsPerMinute, TokensPerMinute: e.TokensPerMinute,
		Concurrent: e.Concurrent}
	key.isAdmin = e.Admin
	return key, "", nil
}

// names are the member names of a file, for suggestions.
var names = []string{"keys", "name", "hash", "models", "requests_per_minute", "tokens_per_minute",
	"concurrent", "budget", "amount", "currency", "tokens", "period", "admin"}

func unknownName(pointer string) string {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if meant := document.NearestName(name, names); meant != "" {
		return fmt.Sprintf("unknown member %q of a key file; did you mean %q?", name, meant)
	}
	return fmt.Sprintf("unknown member %q of a key file", name)
}

// wantAt returns what a member has to be, or "" if its type says it.
func wantAt(pointer string) string {
	if strings.HasSuffix(pointer, "/budget") {
		return "a table such as {amount: 5, currency: USD, period: day}"
	}
	return ""
}

// Find returns the key that a client has sent, or nil if it is unknown. It takes the same time in
// both cases.
func (k *Keys) Find(sent string) *Key {
	sum := sha256.Sum256([]byte(sent))
	var found *Key
	for _, key := range k.keys {
		if subtle.ConstantTimeCompare(sum[:], key.sum[:]) == 1 {
			found = key
		}
	}
	return found
}

// Named returns the key with a name, or nil.
func (k *Keys) Named(name string) *Key {
	for _, key := range k.keys {
		if key.name == name {
			return key
		}
	}
	return nil
}

// All returns the keys in the order of the file.
func (k *Keys) All() []*Key { return slices.Clone(k.keys) }

// Len returns the number of keys.
func (k *Keys) Len() int { return len(k.keys) }

// String returns the number of keys.
func (k *Keys) String() string { return fmt.Sprintf("%d client keys", len(k.keys)) }

// GoString returns the same text as String, for %#v.
func (k *Keys) GoString() string { return k.String() }

// Format writes the same text as String, for every verb.
func (k *Keys) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// LogValue returns the same text as String, for logs.
func (k *Keys) LogValue() slog.Value { return slog.StringValue(k.String()) }

// Key is the key of one client. Its printed form is its name.
type Key struct {
	name    string
	sum     [sha256.Size]byte
	models  []string
	limits  Limits
	budget  quota.Budget
	isAdmin bool
}

// Limits are the limits of a key. 0 is no limit.
type Limits struct {
	RequestsPerMinute, TokensPerMinute int
	// Concurrent is the number of requests at a time.
	Concurrent int
}

// Limits returns the limits of the key.
func (k *Key) Limits() Limits { return k.limits }

// Budget returns the budget of the key. It is zero for no budget.
func (k *Key) Budget() quota.Budget { return k.budget }

// IsAdmin reports whether the key may read the usage of all keys.
func (k *Key) IsAdmin() bool { return k.isAdmin }

// Models returns the models that the key allows. It is empty for all models.
func (k *Key) Models() []string { return slices.Clone(k.models) }

// Name returns the name of the key's client.
func (k *Key) Name() string { return k.name }

// Sum returns the SHA-256 hash of the key.
func (k *Key) Sum() [sha256.Size]byte { return k.sum }

// String returns the name.
func (k *Key) String() string { return k.name }

// GoString returns the same text as String, for %#v.
func (k *Key) GoString() string { return k.name }

// Format writes the same text as String, for every verb.
func (k *Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.name) }

// LogValue returns the same text as String, for logs.
func (k *Key) LogValue() slog.Value { return slog.StringValue(k.name) }

// PermitsAll reports whether the key allows all models.
func (k *Key) PermitsAll() bool { return len(k.models) == 0 }

// Permits reports whether the key allows a model. The model is the name that the client uses, with
// or without the prefix "models/".
func (k *Key) Permits(model string) bool {
	if len(k.models) == 0 {
		return true
	}
	model = strings.TrimPrefix(model, "models/")
	for _, permitted := range k.models {
		beginning, isPattern := strings.CutSuffix(permitted, "*")
		if permitted == model || isPattern && strings.HasPrefix(model, beginning) {
			return true
		}
	}
	return false
}
