package chat

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// shownMembers knows which values of a candidate a completion without extensions shows: values in
// an annotation or in the log probabilities, and values that decide which annotations there are.
type shownMembers struct {
	candidate *geminiapi.Candidate
	counted   []geminiapi.GroundingChunk // sources that the supports refer to
}

// shows reports whether the completion shows a value of the candidate.
func (m *shownMembers) shows(path []string, value string) bool {
	switch path[0] {
	case "groundingMetadata":
		return m.showsGrounding(path[1:], value)
	case "citationMetadata":
		return m.showsCitation(path[1:])
	case "urlContextMetadata":
		return len(path) == 4 && path[1] == "urlMetadata" &&
			wasRead(&m.candidate.URLContextMetadata.URLMetadata[position(path[2])]) &&
			(path[3] == "retrievedUrl" || path[3] == "urlRetrievalStatus")
	case "logprobsResult":
		return showsLogprob(m.candidate.LogprobsResult, path[1:])
	default:
		return false
	}
}

// sourceMembers maps a kind of source to the wire members that it is made of.
var sourceMembers = map[normalize.SourceKind][]string{
	normalize.SourceWeb:   {"web/uri", "web/title"},
	normalize.SourceImage: {"image/sourceUri", "image/imageUri", "image/title"},
	normalize.SourceRetrieved: {"retrievedContext/uri", "retrievedContext/title",
		"retrievedContext/documentName"},
	normalize.SourceMaps:    {"maps/uri", "maps/title"},
	normalize.SourceUnknown: nil,
}

func (m *shownMembers) showsGrounding(path []string, value string) bool {
	if len(path) != 4 {
		return false
	}
	g, i := m.candidate.GroundingMetadata, position(path[1])
	switch path[0] + "/" + path[2] {
	case "groundingSupports/segment":
		return slices.ContainsFunc(g.GroundingSupports[i].GroundingChunkIndices, m.hasAddress) &&
			slices.Contains(segmentMembers, path[3])
	case "groundingSupports/groundingChunkIndices":
		return m.hasAddress(position(value))
	}
	if path[0] != "groundingChunks" {
		return false
	}
	source := normalize.NewSource(&g.GroundingChunks[i])
	return showsSource(&source, path[2]+"/"+path[3], value)
}

// hasAddress reports whether the source at an index has a URL. A source without one gets no
// annotation.
func (m *shownMembers) hasAddress(source int) bool {
	return 0 <= source && source < len(m.counted) &&
		normalize.NewSource(&m.counted[source]).URI != ""
}

// showsSource reports whether the annotation of a source shows a member. It compares the value too,
// because two members can be the title and only one is.
func showsSource(s *normalize.Source, member, value string) bool {
	return s.URI != "" && slices.Contains(sourceMembers[s.Kind], member) &&
		(value == s.URI || value == s.Title)
}

// segmentMembers are the members of a segment that decide the position of its span.
var segmentMembers = []string{"partIndex", "startIndex", "endIndex", "text"}

func (m *shownMembers) showsCitation(path []string) bool {
	if len(path) != 3 {
		return false
	}
	list := m.candidate.CitationMetadata.CitationSources
	if path[0] == "citations" {
		list = m.candidate.CitationMetadata.Citations
	}
	return jsonx.Deref(list[position(path[1])].URI) != "" &&
		slices.Contains(citationMembers, path[2])
}

// citationMembers are the members of a citation that an annotation has.
var citationMembers = []string{"startIndex", "endIndex", "uri", "title"}

// showsLogprob reports whether the choice shows a value of the wire's record, as a token or a log
// probability.
func showsLogprob(l *geminiapi.LogprobsResult, path []string) bool {
	switch {
	case len(path) == 3 && path[0] == "chosenCandidates":
	case len(path) == 5 && path[0] == "topCandidates" && path[2] == "candidates" &&
		position(path[1]) < len(l.ChosenCandidates):
	default:
		return false
	}
	member := path[len(path)-1]
	return member == "token" || member == "logProbability"
}

// position returns an element of a path as a number, or -1 if it is not a number.
func position(name string) int {
	i, err := strconv.Atoi(name)
	if err != nil {
		return -1
	}
	return i
}
