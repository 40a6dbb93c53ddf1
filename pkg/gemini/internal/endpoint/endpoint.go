package endpoint

import (
	"cmp"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/loopback"
)

// Service is one of the two services that serve Gemini's models.
type Service int

// The services. An express key calls Vertex AI without a project.
const (
	GeminiAPI Service = iota
	VertexAI
	VertexAIExpress
)

// Endpoint is where calls go.
type Endpoint struct {
	Service Service
	// Base is scheme, host and the beginning of the path. Nil is the service's own.
	Base *url.URL
	// Version is the first segment of the path after Base. Nil is the default of the service, and
	// "" omits it.
	Version *string
	// Project and Location are for Vertex AI; Location "" is global.
	Project, Location string
}

// The defaults of the services. Vertex AI has everything of generateContent in v1; the Gemini API
// has thinking, tools and schemas only in v1beta.
const (
	versionGeminiAPI = "v1beta"
	versionVertexAI  = "v1"
	hostGeminiAPI    = "generativelanguage.googleapis.com"
	hostVertexAI     = "aiplatform.googleapis.com"
	global           = "global"
)

// IsVertexAI reports whether calls go to Vertex AI, in either mode.
func (e *Endpoint) IsVertexAI() bool { return e.Service != GeminiAPI }

// URL returns the address of a resource and an action. The resource is an escaped path such as
// "models/m"; the action is "" or a custom method such as "generateContent". folder comes before
// the version; it is "upload" for uploads and otherwise "".
func (e *Endpoint) URL(folder, resource, method string) (*url.URL, error) {
	if !isLocation(locationIn(resource)) {
		return nil, ErrLocation
	}
	segments := []string{e.base(resource)}
	for _, segment := range []string{folder, e.version(), resource} {
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	address := strings.Join(segments, "/")
	if method != "" {
		address += ":" + method
	}
	return url.Parse(address)
}

// Raw returns the address of an escaped path that includes its version, such as
// "/upload/v1beta/files", with a query.
func (e *Endpoint) Raw(path, query string) (*url.URL, error) {
	_, resource, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !isLocation(locationIn(resource)) {
		return nil, ErrLocation
	}
	if err := checkSegments(path); err != nil {
		return nil, err
	}
	address, err := url.Parse(e.base(resource) + "/" + strings.TrimPrefix(path, "/"))
	if err == nil {
		address.RawQuery = query
	}
	return address, err
}

// checkSegments refuses a path that a server, or a proxy before it, might resolve to another
// resource.
func checkSegments(path string) error {
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "" || plain == "." || plain == ".." ||
			strings.ContainsFunc(plain, isControl) {
			return errSegment
		}
	}
	return nil
}

// Origin returns the scheme and host of the service as text.
func (e *Endpoint) Origin() string {
	base, _ := url.Parse(e.base(""))
	return base.Scheme + "://" + base.Host
}

// base returns the address up to the version, without a slash at its end. The host of Vertex AI
// depends on the location. A location in the resource name wins.
func (e *Endpoint) base(resource string) string {
	if e.Base != nil {
		return strings.TrimRight(e.Base.String(), "/")
	}
	switch e.Service {
	case VertexAI:
		return "https://" + vertexHost(cmp.Or(locationIn(resource), e.Location))
	case VertexAIExpress:
		return "https://" + hostVertexAI
	default:
		return "https://" + hostGeminiAPI
	}
}

func (e *Endpoint) version() string {
	switch {
	case e.Version != nil:
		return strings.Trim(*e.Version, "/")
	case e.IsVertexAI():
		return versionVertexAI
	default:
		return versionGeminiAPI
	}
}

// vertexHost returns the host of a location. The host of global has no prefix, and the
// multi-regions us and eu have hosts of another form.
func vertexHost(location string) string {
	switch location {
	case "", global:
		return hostVertexAI
	case "us", "eu":
		return "aiplatform." + location + ".rep.googleapis.com"
	default:
		return location + "-" + hostVertexAI
	}
}

// ErrLocation reports a location that would change the host that it is part of, or make it invalid.
var ErrLocation = errors.New("the location may have only lower-case letters, digits and hyphens")

// CheckLocation returns [ErrLocation] for such a Location.
func (e *Endpoint) CheckLocation() error {
	if !isLocation(e.Location) {
		return ErrLocation
	}
	return nil
}

func isLocation(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// locationIn returns the location in a resource name, or "". A method of a location, such as
// locations/global:evaluateInstances, follows its name.
func locationIn(resource string) string {
	rest, ok := strings.CutPrefix(resource, "projects/")
	if !ok {
		return ""
	}
	segments := strings.SplitN(rest, "/", 4)
	if len(segments) < 3 || segments[1] != "locations" {
		return ""
	}
	location, _, _ := strings.Cut(segments[2], ":")
	return location
}

// The errors for a base URL.
var (
	errNotURL    = errors.New("the base URL is not an absolute http or https URL")
	errUser      = errors.New("the base URL has a user name")
	errQuery     = errors.New("the base URL has a query or a fragment")
	errPlainHTTP = errors.New("credentials are sent only over https or to a loopback address")
)

// ParseBase parses a base URL. Its error does not quote the URL.
func ParseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Hostname() == "",
		base.Opaque != "":
		return nil, errNotURL
	case base.User != nil:
		return nil, errUser
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errQuery
	}
	return base, nil
}

// CheckSecret returns an error for an address that must not receive a credential: plain http on
// another machine.
func CheckSecret(address *url.URL) error {
	if address.Scheme == "https" ||
		address.Scheme == "http" && loopback.IsHost(address.Hostname()) {
		return nil
	}
	return errPlainHTTP
}

// SameOrigin reports whether two addresses have the same scheme, host and port.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		Port(a) == Port(b)
}

// Port returns the port of an http or https address, or else the default port of its scheme.
func Port(address *url.URL) int {
	number, err := strconv.Atoi(address.Port())
	switch {
	case err == nil:
		return number
	case address.Scheme == "http":
		return 80
	default:
		return 443
	}
}
