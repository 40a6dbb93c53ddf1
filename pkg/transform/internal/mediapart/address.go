package mediapart

import (
	"net/url"
	"strings"
)

// host says who can read an address.
type host int

const (
	hostUnknown  host = iota
	hostAnybody       // any server, over http
	hostGoogle        // Google: Cloud Storage and the Files API
	hostFileName      // Google: a file of the Files API by its name
	hostYouTube       // Google: a public video
)

// filesAPI is the prefix of file addresses of the Gemini API.
const filesAPI = "https://generativelanguage.googleapis.com/v1beta/"

// youTubeHosts lists the hosts of videos that Gemini reads itself. It is never modified.
var youTubeHosts = map[string]bool{
	"youtube.com": true, "www.youtube.com": true, "m.youtube.com": true, "music.youtube.com": true,
	"youtu.be": true, "www.youtu.be": true, "youtube-nocookie.com": true,
	"www.youtube-nocookie.com": true,
}

// parseAddress parses an address. The scheme of the result is in lower case.
func parseAddress(address string) (*url.URL, error) {
	parsed, err := url.Parse(address)
	if err == nil {
		parsed.Scheme = strings.ToLower(parsed.Scheme)
	}
	return parsed, err
}

// hostOf returns the host of an address whose scheme is in lower case.
func hostOf(u *url.URL) host {
	name := strings.ToLower(u.Hostname())
	switch {
	case u.Scheme == "gs" && name != "":
		return hostGoogle
	case u.Scheme == "" && name == "" && strings.HasPrefix(u.Path, "files/"):
		return hostFileName
	case u.Scheme != "https" && u.Scheme != "http" || name == "":
		return hostUnknown
	case youTubeHosts[name]:
		return hostYouTube
	case isInFilesAPI(u):
		return hostGoogle
	default:
		return hostAnybody
	}
}

// IsInFilesAPI reports whether an address is a file of the Gemini API.
func IsInFilesAPI(address string) bool {
	u, err := parseAddress(address)
	return err == nil && isInFilesAPI(u)
}

// IsYouTube reports whether an address is a video of YouTube, which Gemini reads itself.
func IsYouTube(address string) bool {
	u, err := parseAddress(address)
	return err == nil && hostOf(u) == hostYouTube
}

func isInFilesAPI(u *url.URL) bool {
	return strings.EqualFold(u.Hostname(), "generativelanguage.googleapis.com") &&
		strings.Contains(u.Path, "/files/")
}
