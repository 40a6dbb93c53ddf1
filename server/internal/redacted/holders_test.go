package redacted_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json/jsontext"
)

const credential = "AIzaSyD-a_secret_of_this_test"

// holders has a value of each exported type that contains a credential, by package and name.
var holders = map[string]func(t *testing.T) any{
	"gateway.Account": func(*testing.T) any { return gateway.KeyAccount("mine", credential) },
	"gateway.Upstream": func(*testing.T) any {
		return &gateway.Upstream{Accounts: []gateway.Account{gateway.KeyAccount("mine",
			credential)}}
	},
	"clientkey.Keys": func(t *testing.T) any { return clientKeys(t) },
	"clientkey.Key": func(t *testing.T) any {
		key := clientKeys(t).Find(credential)
		if key == nil {
			t.Fatal("the key is not found")
		}
		return key
	},
	"inspector.Inspector": func(t *testing.T) any {
		made, err := inspector.New(inspector.WithSecrets(credential))
		if err != nil {
			t.Fatal(err)
		}
		return made
	},
	"gemini.Client": func(t *testing.T) any {
		client, err := gemini.NewClient(gemini.WithAPIKeys(credential, credential+"2"))
		if err != nil {
			t.Fatal(err)
		}
		return client
	},
	"fakegemini.Handler": func(t *testing.T) any {
		handler, err := fakegemini.NewHandler(fakegemini.WithAPIKeys(credential))
		if err != nil {
			t.Fatal(err)
		}
		return handler
	},
	"fakegemini.Server": func(t *testing.T) any {
		server, err := fakegemini.Start(fakegemini.WithAPIKeys(credential))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		return server
	},
	"websearch.Credentials": func(*testing.T) any { return websearch.NewCredentials(credential, credential) },
	"websearch.Client": func(t *testing.T) any {
		client, err := websearch.New(websearch.NewCredentials(credential, credential))
		if err != nil {
			t.Fatal(err)
		}
		return client
	},
	"agent.SessionUpdate": func(*testing.T) any { return session },
	"agent.Result":        func(*testing.T) any { return agent.Result{SessionUpdate: session} },
	"agent.Stream": func(t *testing.T) any {
		s := agent.NewStream(strings.NewReader(relayEvent))
		for range s.Parts() {
			continue
		}
		return s
	},
	"agent.MapperContext": func(*testing.T) any {
		var c agent.MapperContext
		agent.MapNDJSONEvent(jsontext.Value(relayEvent), &c)
		return &c
	},
}

var session = agent.SessionUpdate{RelaySessionID: "r1", RelayToken: credential,
	RelayURL: "https://relay.example/?t=" + credential}

const relayEvent = `{"type":"relay.session","sessionId":"r1","token":"` + credential +
	`","relayUrl":"https://relay.example/` + credential + `"}`

func clientKeys(t *testing.T) *clientkey.Keys {
	t.Helper()
	keys, err := clientkey.Read([]byte("keys:\n- name: one\n  hash: " + clientkey.Hash(credential) +
		"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestNothingThatHoldsACredentialPrintsIt(t *testing.T) {
	t.Parallel()
	for name, holder := range holders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := holder(t)
			for form, text := range printed(value) {
				for _, spelling := range spellings() {
					if strings.Contains(text, spelling) {
						t.Errorf("%s shows the credential: %s", form, text)
					}
				}
			}
		})
	}
}

// printed returns all printed forms of a value: by every verb and in logs, alone and within other
// values.
func printed(value any) map[string]string {
	out := map[string]string{}
	for within, v := range map[string]any{
		"alone": value, "in a struct": struct{ V any }{value}, "in a list": []any{value},
		"in a map": map[string]any{"k": value},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "% x",
			"%T %[1]v"} {
			out[verb+" "+within] = fmt.Sprintf(verb, v)
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "v", value, slog.Group("g", "v", value))
	slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "v", value, slog.Group("g", "v", value))
	out["a log"] = log.String()
	return out
}

// spellings are the forms in which the verbs of package fmt print bytes.
func spellings() []string {
	decimal := fmt.Sprint([]byte(credential))
	return []string{
		credential, hex.EncodeToString([]byte(credential)), fmt.Sprintf("%X", credential),
		fmt.Sprintf("% x", credential),
		strings.Trim(decimal, "[]"), base64.StdEncoding.EncodeToString([]byte(credential)),
	}
}

// secretName matches the names of fields that contain a credential.
var secretName = regexp.MustCompile(`(?i)token|secret|password|apikey|^keys?$|credential|authorization|bearer`)

// harmless are fields with such a name that contain no secret, or whose secret is not printed.
var harmless = map[string]string{
	"config.Account.Key":              "the name of a variable, as ${NAME}: a key itself is refused",
	"config.Config.APIKeyFile":        "the name of a file",
	"config.Config.CountTokens":       "a mode",
	"config.Config.TokenBudget":       "a number of tokens",
	"metrics.Metrics.tokens":          "a metric",
	"metrics.Metrics.toFirstToken":    "a metric",
	"exchange.End.FirstToken":         "a time",
	"normalize.Logprobs.Tokens":       "a piece of text",
	"normalize.TokenLogprob.Token":    "a piece of text",
	"websearch.EventData.Credentials": "the names of those that are missing",
	"vertexauth.Source.credentials":   "a function; package vertexauth tests what the source prints",
	"vertexauth.Source.token":         "a function; package vertexauth tests what the source prints",
}

func TestEveryExportedTypeThatHoldsACredentialIsAmongThoseThatAreTested(t *testing.T) {
	t.Parallel()
	found := 0
	visit := func(path string, entry fs.DirEntry, err error) error {
		isSource := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if err != nil || entry.IsDir() || !isSource || strings.Contains(path, "/internal/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, field := range secretFields(file) {
			typ := field[:strings.LastIndexByte(field, '.')]
			_, isTested := holders[typ]
			if found++; !isTested && harmless[field] == "" {
				t.Errorf("%s: %s holds a credential by its name; add the type to holders, or the reason why not to harmless",
					path, field)
			}
		}
		return nil
	}
	for _, root := range []string{"../../../pkg", "../.."} {
		before := found
		if err := filepath.WalkDir(root, visit); err != nil || found == before {
			t.Errorf("%s: %d fields found, %v", root, found-before, err)
		}
	}
}

// secretFields returns the fields of the exported structs of a file that may hold a credential:
// text fields by their name, and other fields by their type, if it is one of the package's holders.
func secretFields(file *ast.File) []string {
	pkg := file.Name.Name
	var out []string
	for _, declared := range file.Decls {
		general, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if !ok || !typ.Name.IsExported() {
				continue
			}
			fields, ok := typ.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range fields.Fields.List {
				out = append(out, fieldsOf(pkg, typ.Name.Name, field)...)
			}
		}
	}
	return out
}

func fieldsOf(pkg, typ string, field *ast.Field) []string {
	inner := field.Type
	if list, ok := inner.(*ast.ArrayType); ok {
		inner = list.Elt
	}
	named, _ := inner.(*ast.Ident)
	isHolder := named != nil && holders[pkg+"."+named.Name] != nil
	isNumber := named != nil &&
		slices.Contains([]string{"int", "int64", "float64", "bool", "Duration"}, named.Name)
	var out []string
	for _, name := range field.Names {
		if isHolder || secretName.MatchString(name.Name) && !isNumber {
			out = append(out, pkg+"."+typ+"."+name.Name)
		}
	}
	return out
}
