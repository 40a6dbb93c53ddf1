package inspector

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/server/internal/credential"
)

// Limits of media in bodies.
const (
	minMedia = 1 << 10 // of its base64 in bytes
	// maxMediaShare is the part of all bytes that one medium may take.
	maxMediaShare = 16
	// mediaOverhead is roughly what a medium takes without its bytes.
	mediaOverhead = 200
)

// medium is a picture, a sound or a file that bodies contain as base64. It is kept once for all
// bodies. Only refs changes, under the store's lock.
type medium struct {
	sum       digest
	mediaType string
	data      []byte
	refs      int // from recorded bodies
}

// mediaRef is a place in a recorded body where a medium was.
type mediaRef struct {
	*medium
	at, length int // of its tag in the text
	spelling   spelling
}

// tag returns what the recorded text has in place of the base64.
func (m *medium) tag() string {
	return "[gemwire media sha256:" + hex.EncodeToString(m.sum[:]) + " " + m.mediaType + " " +
		strconv.Itoa(len(m.data)) + " bytes]"
}

// tagPattern matches tags of media.
var tagPattern = regexp.MustCompile(
	`\[gemwire media sha256:([0-9a-f]{64}) ([a-z0-9.+/-]+) ([0-9]+) bytes\]`)

// base64 returns the text that the medium had in the body.
func (r mediaRef) base64() string { return r.spelling.encode(r.data) }

// spelling is how a medium was written as base64.
type spelling struct {
	IsURL     bool `json:"url,omitzero"`      // the alphabet for URLs
	IsRaw     bool `json:"unpadded,omitzero"` // without padding
	IsEscaped bool `json:"escaped,omitzero"`  // each slash is escaped, as PHP does
}

func (s spelling) encoding() *base64.Encoding {
	switch {
	case s.IsURL && s.IsRaw:
		return base64.RawURLEncoding
	case s.IsURL:
		return base64.URLEncoding
	case s.IsRaw:
		return base64.RawStdEncoding
	default:
		return base64.StdEncoding
	}
}

func (s spelling) encode(data []byte) string {
	text := s.encoding().EncodeToString(data)
	if s.IsEscaped {
		return strings.ReplaceAll(text, "/", `\/`)
	}
	return text
}

// decode returns the bytes of a base64 text and its spelling. It reports false for other texts.
func decode(text []byte) (data []byte, how spelling, ok bool) {
	if !isBase64(text[:min(len(text), 256)]) {
		return nil, how, false
	}
	how.IsEscaped = bytes.Contains(text, []byte(`\/`))
	if how.IsEscaped {
		text = bytes.ReplaceAll(text, []byte(`\/`), []byte("/"))
	}
	how.IsURL = bytes.IndexByte(text, '-') >= 0 || bytes.IndexByte(text, '_') >= 0
	how.IsRaw = len(text)%4 != 0
	data, err := how.encoding().Strict().AppendDecode(nil, text)
	return data, how, err == nil
}

// isBase64 reports whether the beginning of a text may be base64.
func isBase64(text []byte) bool {
	for _, c := range text {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte(`+/-_=\`, c) >= 0:
		default:
			return false
		}
	}
	return true
}

// medium returns the medium that a JSON string has as base64, alone or in a data URL, and where the
// base64 begins. It reports false for other texts: those whose type is unknown, such as thought
// signatures, and those that hold a secret.
func (r *retention) medium(data []byte, begin, end int) (ref mediaRef, at int, ok bool) {
	at = begin
	declared := ""
	if bytes.HasPrefix(data[begin:end], []byte("data:")) {
		head, _, found := bytes.Cut(data[begin:min(end, begin+200)], []byte(";base64,"))
		if !found {
			return ref, 0, false
		}
		at = begin + len(head) + len(";base64,")
		declared = string(bytes.ToLower(head[len("data:"):]))
	}
	if end-at < minMedia {
		return ref, 0, false
	}
	text := data[at:end]
	key := r.seen.keyOf(text)
	if ref, ok = r.seen.find(key); ok {
		return ref, at, true
	}
	decoded, how, ok := decode(text)
	if !ok || len(decoded) > r.maxMedia {
		return ref, 0, false
	}
	mediaType := typeOf(decoded)
	isShown := mediaType != ""
	if !isShown {
		mediaType = cmp.Or(cleanType(declared), cleanType(declaredNear(data, begin, end)))
	}
	// In the base64 of a picture chance makes what looks like a key.
	if mediaType == "" || r.hasSecret(string(decoded), true) ||
		r.hasSecret(string(text), !isShown) {
		return ref, 0, false
	}
	ref = mediaRef{spelling: how,
		medium: &medium{sum: sha256.Sum256(decoded), mediaType: mediaType, data: decoded}}
	if isShown {
		r.seen.add(key, ref)
	}
	return ref, at, true
}

// hasSecret reports whether a text holds a known secret, or one that looks like a key of Google's.
func (r *retention) hasSecret(text string, orLooksSecret bool) bool {
	return len(r.known().Find(text)) > 0 || orLooksSecret && credential.IsIn(text)
}

// typeOr returns the media type that the beginning of a file shows, or the declared one.
func typeOr(data []byte, declared string) string {
	return cmp.Or(typeOf(data), cleanType(declared))
}

// typeOf returns the media type that the beginning of a file shows, or "".
func typeOf(data []byte) string {
	for start, mediaType := range map[string]string{
		"fLaC": "audio/flac", "\xff\xfb": "audio/mpeg", "\xff\xf3": "audio/mpeg",
		"\xff\xf2": "audio/mpeg",
		"\xff\xf1": "audio/aac", "\xff\xf9": "audio/aac",
	} {
		if bytes.HasPrefix(data, []byte(start)) {
			return mediaType
		}
	}
	mediaType, _, _ := strings.Cut(http.DetectContentType(data), ";")
	switch {
	case mediaType == "application/octet-stream", strings.HasPrefix(mediaType, "text/"):
		return ""
	case mediaType == "audio/wave":
		return "audio/wav"
	case mediaType == "application/ogg":
		return "audio/ogg"
	}
	return mediaType
}

// typePattern matches media types of media, without parameters.
var typePattern = regexp.MustCompile(`^(audio|video|image|application|text|font|model)/[a-z0-9.+-]{1,60}$`)

// cleanType returns a declared media type without its parameters, or "" for an invalid one.
func cleanType(declared string) string {
	mediaType, _, _ := strings.Cut(strings.ToLower(declared), ";")
	if mediaType = strings.TrimSpace(mediaType); typePattern.MatchString(mediaType) {
		return mediaType
	}
	return ""
}

// nearPattern matches the members in which the APIs name the type of a medium.
var nearPattern = regexp.MustCompile(
	`"(mimeType|mime_type|media_type|format)"\s*:\s*"([a-zA-Z0-9.+/;= -]{1,80})"`)

// declaredNear returns the media type that a member of the same object names, or "".
func declaredNear(data []byte, begin, end int) string {
	const reach = 300
	before := data[max(0, begin-reach):begin]
	if at := bytes.LastIndexAny(before, "{}"); at >= 0 {
		before = before[at:]
	}
	after := data[min(end, len(data)):min(end+reach, len(data))]
	if at := bytes.IndexAny(after, "{}"); at >= 0 {
		after = after[:at]
	}
	for _, text := range [][]byte{before, after} {
		if found := nearPattern.FindSubmatch(text); found != nil {
			if mediaType := string(found[2]); string(found[1]) != "format" {
				return mediaType
			} else if slices.Contains(soundFormats, mediaType) {
				return "audio/" + mediaType
			}
		}
	}
	return ""
}

// soundFormats are the formats of sound in OpenAI's API.
var soundFormats = []string{"wav", "mp3", "flac", "opus", "aac", "pcm16"}

// share replaces the media of a body by equal media of the store, and counts the body as their
// user. The store must be locked.
func (s *store) share(b *body) {
	for n := range b.media {
		ref := &b.media[n]
		kept := s.media[ref.sum]
		if kept == nil {
			kept = ref.medium
			s.media[kept.sum] = kept
			s.bytes += len(kept.data) + mediaOverhead
		}
		kept.refs++
		ref.medium = kept
	}
}

// release ends the use of media by a body. The store must be locked.
func (s *store) release(b *body) {
	for _, ref := range b.media {
		kept := s.media[ref.sum]
		if kept == nil {
			continue
		}
		if kept.refs--; kept.refs == 0 {
			delete(s.media, kept.sum)
			s.bytes -= len(kept.data) + mediaOverhead
			if s.lostMedium != nil {
				s.lostMedium(kept)
			}
		}
	}
}

// findMedium returns a medium by the hexadecimal digits of its hash, or nil.
func (s *store) findMedium(sum string) *medium {
	var key digest
	decoded, err := hex.DecodeString(sum)
	if err != nil || len(decoded) != len(key) {
		return nil
	}
	copy(key[:], decoded)
	return s.medium(key)
}

// medium returns the medium with a hash, or nil.
func (s *store) medium(sum digest) *medium {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.media[sum]
}

// shownTypes are the media types that a browser shows by itself without running them. Others are
// downloaded.
var shownTypes = []string{
	"image/png", "image/jpeg", "image/webp", "image/gif", "video/mp4", "video/webm",
	"application/pdf",
}

// medium answers with a medium. A client or a model sent it, so no type is served that can
// contain a running script.
func (i *Inspector) medium(w http.ResponseWriter, r *http.Request) {
	m := i.store.findMedium(r.PathValue("sum"))
	if m == nil {
		refuse(w, http.StatusNotFound, "this file was dropped")
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	if strings.HasPrefix(m.mediaType, "audio/") || slices.Contains(shownTypes, m.mediaType) {
		header.Set("Content-Type", m.mediaType)
		header.Set("Content-Disposition", "inline")
	} else {
		header.Set("Content-Type", "application/octet-stream")
		header.Set("Content-Disposition", `attachment; filename="gemwire-media"`)
	}
	http.ServeContent(w, r, "", i.clock(), bytes.NewReader(m.data))
}

// withMedia returns an edited text of a body with the base64 of the media that the text names. It
// returns an error for a medium that the body does not have.
func (b *body) withMedia(edited string) (string, error) {
	var wrong error
	text := tagPattern.ReplaceAllStringFunc(edited, func(tag string) string {
		sum := tagPattern.FindStringSubmatch(tag)[1]
		for _, ref := range b.media {
			if hex.EncodeToString(ref.sum[:]) == sum {
				return ref.base64()
			}
		}
		wrong = errUnknownMedium
		return tag
	})
	return text, wrong
}
