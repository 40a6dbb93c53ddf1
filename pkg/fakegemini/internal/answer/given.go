package answer

import "github.com/gemwire/gemwire/gen/geminiapi"

// Given is an answer that was not made here, such as that of a script.
type Given struct{ author *author }

// GivenTo returns what an answer to a question is completed by.
func GivenTo(q Question) Given { return Given{newAuthor(q)} }

// Sign gives the parts of a whole answer the thought signature that the model gives.
func (g Given) Sign(parts []geminiapi.Part) { g.author.sign(parts) }

// Count adds the counts to a whole answer.
func (g Given) Count(r *geminiapi.GenerateContentResponse) {
	r.UsageMetadata = g.author.usage(r.Candidates)
}

// CountChunks adds the counts to the chunks of an answer, of which whole are the candidates.
func (g Given) CountChunks(chunks []*geminiapi.GenerateContentResponse,
	whole []geminiapi.Candidate) {
	g.author.addUsage(chunks, g.author.usage(whole))
}
