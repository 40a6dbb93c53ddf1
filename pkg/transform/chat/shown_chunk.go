package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// chunkForm adapts a stream to [answer.ReportChunk].
type chunkForm Stream

func (f *chunkForm) IsAnswer(int) bool { return true }

func (f *chunkForm) ReportCandidate(entries *report.Report, wire *geminiapi.Candidate, index int) {
	var counted []geminiapi.GroundingChunk
	if g := wire.GroundingMetadata; g != nil {
		if counted = g.GroundingChunks; merge.CountsBeyond(g) {
			counted = f.driver.Source.Sources(index)
		}
	}
	reportCandidate(entries, "", wire, counted)
}

func (f *chunkForm) ReportCall(entries *report.Report, part *geminiapi.Part) {
	f.reportPart(entries, "", part, openaiapi.PartMemberToolCalls)
}

func (s *Stream) losePart(at normalize.Location, part *geminiapi.Part,
	member openaiapi.PartMember) {
	s.unshown = s.unshown[:0]
	s.reportPart(&s.unshown, "", part, member)
	answer.AddReport(s.driver.Source, at, s.unshown)
}

// reportBlock reports what the completion shows of a block in another form, or not at all. The
// member is the message member that holds the block, or "".
func (s *Stream) reportBlock(c *streamChoice, e *normalize.Event, member openaiapi.PartMember) {
	if member == openaiapi.PartMemberAudio {
		if c.audioID == "" {
			s.driver.Source.AddEntry(report.Added, e.Source, "", detailSoundAdded)
		} else if s.plain && !c.heard.joined {
			c.heard.joined = true
			s.driver.Source.AddEntry(report.Approximated, e.Source, "/inlineData/data",
				detailSoundsJoined)
		}
	}
	if s.plain {
		s.losePart(e.Source, e.Block.WirePart(), member)
	}
}

// reportText reports that the text of a part is joined with another text or comes after a call.
// Only the extension shows that.
func (s *Stream) reportText(c *streamChoice, e *normalize.Event) {
	if !s.plain {
		return
	}
	isNewPart := e.Part != c.textPart ||
		e.Source.Part() != c.textSource.Part() && e.Source.Chunk() == c.textSource.Chunk()
	if isNewPart && (!c.textSource.IsZero() || c.calls > 0) && !c.joined {
		c.joined = true
		s.driver.Source.AddEntry(report.Approximated, e.Source.InCandidate(e.Source.Candidate()),
			"/content/parts", detailJoined)
	}
	c.textPart, c.textSource = e.Part, e.Source
}
