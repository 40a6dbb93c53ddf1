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

// The services. With an express key, Vertex AI is called without a project.
const (
	GeminiAPI Service = iota
	VertexAI
	VertexAIExpress
)

// Endpoint is where calls go.
type Endpoint struct {
	Service Service
	// Base is scheme, host and the beginning of the path; nil is the service's own.
	Base *url.URL
	// Version is the first segment of the path behind Base; nil is the default of the service, ""
	// is none.
	Version *string
	// Project and Location are those of Vertex AI; Location "" is global.
	Project, Location string
}

// The defaults of the services. Vertex AI names the whole closure of generateContent in v1; the
// Gemini API has thinking, tools and schemas in v1beta only.
const (
	versionGeminiAPI = "v1beta"
	versionVertexAI  = "v1"
	hostGeminiAPI    = "generativelanguage.googleapis.com"
	hostVertexAI     = "aiplatform.googleapis.com"
	global           = "global"
)

// IsVertexAI reports whether calls go to Vertex AI, in either mode.
func (e *Endpoint) IsVertexAI() bool { return e.Service != GeminiAPI }

// URL returns the address of a resource, which is named by an escaped path such as "models/m", and
// of what is to be done with it: "" or a custom method such as "generateContent". Folder stands in
// front of the version; it is "upload" for uploads and else "".
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

// Raw returns the address of an escaped path that has its version, such as "/upload/v1beta/files",
// with a query.
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

// checkSegments refuses a path by which a server, or a proxy in front of it, might be led to
// another resource.
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

// Origin returns the scheme and host that calls go to, for people.
func (e *Endpoint) Origin() string {
	base, _ := url.Parse(e.base(""))
	return base.Scheme + "://" + base.Host
}

// base returns the address up to the version, without a slash at its end. The host of Vertex AI
// depends on the location, which is that of the resource if its name has one.
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

// vertexHost returns the host of a location: global has one without a prefix, the multi-regions us
// and eu have hosts of another form.
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

// ErrLocation reports a location that would make another host, or none, of the one it stands in.
var ErrLocation = errors.New("the location has other characters than small letters, digits and hyphens")

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

// locationIn returns the location that a resource name holds, "" for one without.
func locationIn(resource string) string {
	rest, ok := strings.CutPrefix(resource, "projects/")
	if !ok {
		return ""
	}
	segments := strings.SplitN(rest, "/", 4)
	if len(segments) < 3 || segments[1] != "locations" {
		return ""
	}
	return segments[2]
}

// What is wrong with a base URL.
var (
	errNotURL    = errors.New("the base URL is not an absolute http or https URL")
	errUser      = errors.New("the base URL holds a user name")
	errQuery     = errors.New("the base URL has a query or a fragment")
	errPlainHTTP = errors.New("credentials are sent by https only, or to a loopback address")
)

// ParseBase reads a base URL. Its error quotes nothing of it.
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

// CheckSecret returns an error for an address to which no credential may be sent: one of plain http
// that is not on this machine.
func CheckSecret(address *url.URL) error {
	if address.Scheme == "https" ||
		address.Scheme == "http" && loopback.IsHost(address.Hostname()) {
		return nil
	}
	return errPlainHTTP
}

// SameOrigin reports whether two addresses have scheme, host and port in common.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		Port(a) == Port(b)
}

// Port returns the port of an http or https address: that which it names, else that of its scheme.
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
