package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/vertexauth"
	"github.com/gemwire/gemwire/pkg/interactionsbridge"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/spf13/pflag"
)

// connectionHelp is the part of a help text about the flags of a [connection].
const connectionHelp = `The key comes from the environment variable GEMINI_API_KEY or GOOGLE_API_KEY, or from the
file of --api-key-file. Without a key the built-in fake server answers, and standard error
says so. GOOGLE_GEMINI_BASE_URL or --base-url selects another server, such as gemwire
emulate. --vertex calls Vertex AI with the machine's Application Default Credentials.`

// connection has the flags that all commands of this package share: the server and how to call it.
type connection struct {
	keyFile, baseURL  string
	project, location string // of Vertex AI; the project "" is the Gemini API
	timeout           time.Duration
	maxAttempts       int
	headers           []string
	storage           string
	api               string // "" is auto
	// lost is called with the losses of a conversion to the Interactions API and back.
	lost func(report.Report)
}

// The ways of --api.
const (
	apiAuto         = "auto"
	apiGenerate     = "generate_content"
	apiInteractions = "interactions"
)

// addAPIFlag adds the flag that selects Google's API.
func (c *connection) addAPIFlag(flags *pflag.FlagSet) {
	flags.StringVar(&c.api, "api", apiAuto,
		"call this `API`: generate_content, interactions, or auto, by model")
}

// bridge returns the option that calls the Interactions API, or nil.
func (c *connection) bridge() ([]gemini.ClientOption, error) {
	opts := []interactionsbridge.Option{interactionsbridge.WithReport(
		func(request, answer report.Report) {
			if c.lost != nil {
				c.lost(append(request.Of(report.Lost), answer.Of(report.Lost)...))
			}
		})}
	switch c.api {
	case "", apiAuto:
	case apiInteractions:
		opts = append(opts, interactionsbridge.ForAllModels())
	case apiGenerate:
		return nil, nil
	default:
		return nil, usageError{fmt.Errorf(
			"--api: %q is not an API; use auto, generate_content or interactions", c.api)}
	}
	return []gemini.ClientOption{
		gemini.WithMiddleware(interactionsbridge.Middleware(opts...))}, nil
}

func (c *connection) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&c.keyFile, "api-key-file", "", "read the API key from this `FILE`")
	flags.StringVar(&c.baseURL, "base-url", "",
		"call the server at this `URL`, without an API version")
	flags.StringVar(&c.project, "vertex", "", "call Vertex AI for this `PROJECT`")
	flags.StringVar(&c.location, "location", "",
		"call Vertex AI at this `LOCATION` (default global)")
	flags.DurationVar(&c.timeout, "timeout", 0,
		"give up after this `TIME`, such as 90s (default never)")
	flags.IntVar(&c.maxAttempts, "max-attempts", 3,
		"maximum number `N` of attempts when the server is busy")
	flags.StringVar(&c.storage, "store-at-google", string(gemini.StorageOff),
		"let Google store requests: `WAY` is off, on or project")
	flags.StringArrayVar(&c.headers, "header", nil, "send this `NAME:VALUE`; repeatable")
}

// open returns a client, and a function that closes it.
func (c *connection) open(ctx context.Context, stderr io.Writer) (*gemini.Client, func(), error) {
	opts, err := c.options(ctx)
	if err != nil {
		return nil, nil, err
	}
	if c.hasServer() {
		if cmp.Or(c.keyFile, c.project, keyOfEnvironment()) == "" {
			return nil, nil, errNoKey
		}
		client, err := gemini.NewClient(opts...)
		return client, func() {}, err
	}
	fmt.Fprintln(stderr,
		"gemwire: no API key in GEMINI_API_KEY; the built-in fake server answers")
	fake, err := fakegemini.Start(fakegemini.WithoutRequestLog())
	if err != nil {
		return nil, nil, err
	}
	client, err := fake.NewClient(opts...)
	return client, fake.Close, err
}

// hasServer reports whether a flag or a variable names a server or a key.
func (c *connection) hasServer() bool {
	return cmp.Or(c.keyFile, c.baseURL, c.project, keyOfEnvironment(),
		os.Getenv("GOOGLE_GEMINI_BASE_URL"), os.Getenv("GOOGLE_BASE_URL")) != ""
}

func keyOfEnvironment() string {
	return cmp.Or(os.Getenv("GEMINI_API_KEY"), os.Getenv("GOOGLE_API_KEY"))
}

var errNoKey = errors.New("no API key; set GEMINI_API_KEY, or name a file with a key in --api-key-file")

// options returns the client options of the flags. Its errors are usage errors, except errors of
// files.
func (c *connection) options(ctx context.Context) ([]gemini.ClientOption, error) {
	opts := []gemini.ClientOption{gemini.WithUserAgent("gemwire-command"),
		gemini.WithTimeout(c.timeout), gemini.WithMaxAttempts(c.maxAttempts)}
	opts = append(opts, gemini.WithStorage(gemini.Storage(c.storage)))
	headers, err := c.headerOptions()
	if err != nil {
		return nil, err
	}
	opts = append(opts, headers...)
	bridge, err := c.bridge()
	if err != nil {
		return nil, err
	}
	opts = append(opts, bridge...)
	if c.baseURL != "" {
		opts = append(opts, gemini.WithBaseURL(c.baseURL))
	}
	switch {
	case !slices.Contains(gemini.Storages(), gemini.Storage(c.storage)):
		return nil, usageError{fmt.Errorf("--store-at-google: %q is not valid; use off, on or project",
			c.storage)}
	case c.maxAttempts < 1:
		return nil, usageError{errors.New("--max-attempts must be 1 or more")}
	case c.timeout < 0:
		return nil, usageError{errors.New("--timeout must not be negative")}
	case c.location != "" && c.project == "":
		return nil, usageError{errors.New("--location is for Vertex AI and needs --vertex PROJECT")}
	case c.project != "" && c.keyFile != "":
		return nil, usageError{errors.New("--vertex takes no API key; remove --api-key-file")}
	case c.project != "":
		return c.addVertexAI(opts)
	case c.keyFile != "":
		return c.addKey(ctx, opts)
	}
	return opts, nil
}

func (c *connection) headerOptions() ([]gemini.ClientOption, error) {
	var opts []gemini.ClientOption
	for _, header := range c.headers {
		name, value, found := strings.Cut(header, ":")
		if !found || name == "" {
			return nil, usageError{errors.New("--header must have the form NAME:VALUE")}
		}
		opts = append(opts,
			gemini.WithHeader(textproto.TrimString(name), textproto.TrimString(value)))
	}
	return opts, nil
}

func (c *connection) addVertexAI(opts []gemini.ClientOption) ([]gemini.ClientOption, error) {
	source, err := vertexauth.New()
	if err != nil {
		return nil, err
	}
	return append(opts, gemini.WithVertexAI(c.project, c.location), gemini.WithTokenSource(source)),
		nil
}

func (c *connection) addKey(ctx context.Context, opts []gemini.ClientOption) ([]gemini.ClientOption,
	error) {
	data, err := readFile(ctx, c.keyFile)
	if err != nil {
		return nil, err
	}
	key := string(bytes.TrimSpace(data))
	if key == "" || strings.ContainsAny(key, " \r\n\t") {
		return nil, &fileError{c.keyFile, errors.New("does not contain an API key; expected one word")}
	}
	return append(opts, gemini.WithAPIKey(key)), nil
}
