// Package embedding makes vectors without a model. Equal contents have equal vectors, and contents
// with common words are close to each other, so that a search over them finds what a person would.
package embedding

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Model describes the vectors of a model.
type Model struct {
	// Size is the default length of a vector.
	Size int
	// Normalized is true if a cut vector still has the length 1. A recorded vector of
	// gemini-embedding-001 had the length 0.58 for 768 of 3072 numbers; one of gemini-embedding-2
	// had 1.
	Normalized bool
	// CountsTokens is true if answers have the token count of the content.
	CountsTokens bool
}

// ModelOf describes the vectors of a model. It returns false for a model without vectors.
func ModelOf(id string) (Model, bool) {
	for _, row := range families {
		if strings.HasPrefix(id, row.prefix) {
			return row.model, true
		}
	}
	return Model{}, false
}

// families has the models by the prefixes of their ids. It is never modified.
var families = []struct {
	prefix string
	model  Model
}{
	{"gemini-embedding-2", Model{Size: 3072, Normalized: true, CountsTokens: true}},
	{"gemini-embedding", Model{Size: 3072}},
	{"embedding-", Model{Size: 768}},
	{"text-embedding-", Model{Size: 768}},
	{"textembedding-", Model{Size: 768}},
	{"text-multilingual-embedding-", Model{Size: 768}},
}

// taskWeight is how much the task moves a vector.
const taskWeight = 0.2

// Vector returns the vector of a content for a task. size is its length, at most the model's.
func (m Model) Vector(content *geminiapi.Content, task geminiapi.TaskType, size int) []float64 {
	sum := make([]float64, m.Size)
	for feature, count := range features(content) {
		add(sum, feature, math.Sqrt(float64(count)))
	}
	if task != "" && task != geminiapi.TaskTypeUnspecified {
		add(sum, "task "+string(task), taskWeight*length(sum))
	}
	scale(sum)
	sum = sum[:size]
	if m.Normalized {
		scale(sum)
	}
	for i := range sum {
		sum[i] = single(sum[i])
	}
	return sum
}

// maxFeatures limits the time that the vector of a whole book takes.
const maxFeatures = 2000

// features counts the features of a content: the words of its texts, and each medium as a whole.
func features(content *geminiapi.Content) map[string]int {
	counts := map[string]int{"": 1} // Empty content also has a vector.
	if content == nil {
		return counts
	}
	for _, part := range content.Parts {
		var found []string
		switch {
		case part.Text != nil:
			found = strings.FieldsFunc(strings.ToLower(*part.Text), isBetweenWords)
		case part.InlineData != nil && part.InlineData.Data != nil:
			found = []string{"data " + *part.InlineData.Data}
		case part.FileData != nil && part.FileData.FileURI != nil:
			found = []string{"file " + *part.FileData.FileURI}
		}
		for _, feature := range found {
			if _, known := counts[feature]; known || len(counts) < maxFeatures {
				counts[feature]++
			}
		}
	}
	if len(counts) > 1 {
		delete(counts, "")
	}
	return counts
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// add adds the direction of a feature, which is nearly perpendicular to any other direction.
func add(sum []float64, feature string, weight float64) {
	digest := fnv.New128a()
	_, _ = digest.Write([]byte(feature))
	seed := digest.Sum(nil)
	random := rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed),
		binary.BigEndian.Uint64(seed[8:])))
	weight /= math.Sqrt(float64(len(sum)))
	for i := range sum {
		sum[i] += weight * random.NormFloat64()
	}
}

func length(vector []float64) float64 {
	sum := 0.0
	for _, v := range vector {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// scale gives a vector the length 1.
func scale(vector []float64) {
	factor := 1 / length(vector)
	for i := range vector {
		vector[i] *= factor
	}
}

// single is a number with the digits of single precision, as the servers write it.
func single(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	if err != nil {
		return v
	}
	return short
}
