// Package embedding makes vectors without a model: equal contents have equal vectors, and contents
// that share words lie near each other, so that a search over them finds what a person would.
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

// Model is what vectors of a model are like.
type Model struct {
	// Size is how many numbers a vector has, unless fewer are asked for.
	Size int
	// Normalized says that a vector which was cut has the length 1 all the same. That of
	// gemini-embedding-001 was recorded with 0.58 for 768 of 3072 numbers, that of
	// gemini-embedding-2 with 1.
	Normalized bool
	// CountsTokens says that answers tell what the content took in tokens.
	CountsTokens bool
}

// ModelOf returns what the vectors of a model are like, and false for a model that makes none.
func ModelOf(id string) (Model, bool) {
	for _, row := range families {
		if strings.HasPrefix(id, row.prefix) {
			return row.model, true
		}
	}
	return Model{}, false
}

// families has the models by what their ids begin with. It is never written to.
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

// Vector returns the vector of a content for a task, of size numbers, which is at most that of the
// model.
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

// maxFeatures keeps the vector of a whole book from taking seconds.
const maxFeatures = 2000

// features counts what a content consists of: the words of its texts, and each medium as a whole.
func features(content *geminiapi.Content) map[string]int {
	counts := map[string]int{"": 1} // Nothing has a vector too.
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

// add adds the direction of a feature, which is as good as perpendicular to that of any other.
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

// single is a number with the digits that it has in single precision, as the servers write it.
func single(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	if err != nil {
		return v
	}
	return short
}
