package answer

import "github.com/gemwire/gemwire/gen/geminiapi"

// Given is an answer from elsewhere, such as a script.
type Given struct{ author *author }

// GivenTo returns a Given that completes an answer to a question.
func GivenTo(q Question) Given { return Given{newAuthor(q)} }

// Sign adds the model's thought signature to the parts of a whole answer.
func (g Given) Sign(parts []geminiapi.Part) { g.author.sign(parts) }

// Count adds the counts to a whole answer.
func (g Given) Count(r *geminiapi.GenerateContentResponse) {
	r.UsageMetadata = g.author.usage(r.Candidates)
}

// CountChunks adds the counts to the chunks of an answer. whole has its complete candidates.
func (g Given) CountChunks(chunks []*geminiapi.GenerateContentResponse,
	whole []geminiapi.Candidate) {
	g.author.addUsage(chunks, g.author.usage(whole))
}
