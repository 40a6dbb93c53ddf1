package media

import (
	"net/url"
	"strings"
)

// Host is who can get what is at an address.
type Host int

// The hosts.
const (
	HostUnknown  Host = iota
	HostAnybody       // anybody, over http
	HostGoogle        // Google: Cloud Storage and the Files API
	HostFileName      // Google: a file of the Files API by its name
	HostYouTube       // Google: a public video
)

// FilesAPI is in front of the names of files in their addresses.
const FilesAPI = "https://generativelanguage.googleapis.com/v1beta/"

// youTubeHosts are the hosts of videos that Gemini gets itself. It is never written to.
var youTubeHosts = map[string]bool{
	"youtube.com": true, "www.youtube.com": true, "m.youtube.com": true, "music.youtube.com": true,
	"youtu.be": true, "www.youtu.be": true, "youtube-nocookie.com": true, "www.youtube-nocookie.com": true,
}

// HostOf returns the host of an address whose scheme is in small letters.
func HostOf(u *url.URL) Host {
	host := strings.ToLower(u.Hostname())
	switch {
	case u.Scheme == "gs" && host != "":
		return HostGoogle
	case u.Scheme == "" && host == "" && strings.HasPrefix(u.Path, "files/"):
		return HostFileName
	case u.Scheme != "https" && u.Scheme != "http" || host == "":
		return HostUnknown
	case youTubeHosts[host]:
		return HostYouTube
	case host == "generativelanguage.googleapis.com" && strings.Contains(u.Path, "/files/"):
		return HostGoogle
	default:
		return HostAnybody
	}
}
