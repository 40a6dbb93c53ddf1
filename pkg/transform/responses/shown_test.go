package responses

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/internal/answer/answertest"
)

func TestEachRowOfATableIsAboutOneMemberOfTheDescription(t *testing.T) {
	t.Parallel()
	answertest.CheckTable(t, "response", responseMembers)
	answertest.CheckTable(t, "candidate", candidateMembers)
	answertest.CheckTable(t, "content", contentMembers)
	answertest.CheckTable(t, "call", callMembers)
	answertest.CheckTable(t, "usage", usageMembers)
	answertest.CheckTable(t, "part", callPartMembers)
}
