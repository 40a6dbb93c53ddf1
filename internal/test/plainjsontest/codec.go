package plainjsontest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// WireType is the interface of types with a generated codec.
type WireType[T any] interface {
	*T
	ReadPlainJSON([]byte) bool
	ReadAnyJSON([]byte) error
	AppendPlainJSON([]byte) ([]byte, bool)
}

// Codec is a generated codec, with functions that do the same without the codec. The functions must
// accept everything that the codec accepts, with the same result.
type Codec struct {
	// Root is the type that the codec reads and writes.
	Root reflect.Type
	// Check decodes data with and without the codec, and encodes the result with and without it. It
	// reports whether the codec understood each of them.
	Check func(t *testing.T, data []byte) (decoded, encoded bool)
	// CheckSpoilt decodes data, changes the value by [Spoil], and encodes it with and without the
	// codec.
	CheckSpoilt func(t *testing.T, r *rand.Rand, data []byte) (encoded bool)
}

// NewCodec returns a Codec that compares the codec of T with decode and encode.
func NewCodec[T any, P WireType[T]](decode func([]byte) (*T, error),
	encode func(*T) ([]byte, error)) Codec {
	return Codec{
		Root: reflect.TypeFor[T](),
		Check: func(t *testing.T, data []byte) (decoded, encoded bool) {
			t.Helper()
			want, err := decode(data)
			got, input := new(T), bytes.Clone(data)
			if decoded = P(got).ReadPlainJSON(input); decoded {
				clear(input) // of which nothing may be left in what was decoded
				compareDecoded(t, data, want, got, err)
			}
			return decoded, err == nil && CheckEncoded[T, P](t, want, encode)
		},
		CheckSpoilt: func(t *testing.T, r *rand.Rand, data []byte) bool {
			t.Helper()
			v, err := decode(data)
			if err != nil {
				return false
			}
			Spoil(r, v)
			return CheckEncoded[T, P](t, v, encode)
		},
	}
}

func compareDecoded(t *testing.T, data []byte, want, got any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%q is read, but should be refused: %v", data, err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%q is read otherwise:\n%s", data,
			cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })))
	}
}

// CheckEncoded encodes v with and without the codec. It reports whether the codec could encode v.
func CheckEncoded[T any, P WireType[T]](t *testing.T, v *T,
	encode func(*T) ([]byte, error)) (encoded bool) {
	t.Helper()
	const before = "data: "
	got, encoded := P(v).AppendPlainJSON([]byte(before))
	if !encoded {
		return false
	}
	want, err := encode(v)
	if err != nil {
		t.Fatalf("%s is written, but should be refused: %v", got, err)
	}
	if diff := cmp.Diff(before+string(want), string(got)); diff != "" {
		t.Fatalf("written otherwise:\n%s", diff)
	}
	return true
}

// CheckMembers requires that the codec understands every member of the root type, with every value
// of [Samples]. So it fails if a new field of a wire type is missing in its codec.
func (c Codec) CheckMembers(t *testing.T, enums map[string][]string) {
	t.Helper()
	members := Members(c.Root)
	if len(members) < c.Root.NumField()-1 {
		t.Errorf("%v: only %d members found", c.Root, len(members))
	}
	for _, m := range members {
		for _, value := range Samples(m.Type, enums) {
			document := m.Document(value)
			if decoded, encoded := c.Check(t, document); !decoded || !encoded {
				t.Errorf("%s: %s: decoded %v, encoded %v", m.Path, document, decoded, encoded)
			}
		}
	}
}

// CheckUnkind gives every member values that the codec need not understand, but must not misread.
// In a short run it takes every eighth member.
func (c Codec) CheckUnkind(t *testing.T, enums map[string][]string) {
	t.Helper()
	for i, m := range Members(c.Root) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		for _, value := range unkind {
			c.Check(t, m.Document(value))
		}
		name := m.Path[strings.LastIndexByte(m.Path, '.')+1:]
		for _, value := range Samples(m.Type, enums) {
			// the member occurs twice
			c.Check(t, m.Document(fmt.Sprintf(`%s,%q:%[1]s`, value, name)))
			// or seems to be
			c.Check(t, m.Document(fmt.Sprintf(`%s,%q:1`, value, strings.ToUpper(name))))
			c.Check(t, m.Document(value+`,"unheardOf":[],"x_":{}`))
			c.Check(t, m.Document(value+"]"))
		}
	}
}

// unkind is never modified.
var unkind = []string{
	`null`, `[null]`, `{"k":null}`, `"unheard of"`, `"Stop"`, `1`, `01`, `-`, `1.0`, `1e0`, `.5`,
	`1e400`, `1234567890123456789`, `99999999999999999999`,
	`"40"`, `"NaN"`, `tru`, `truex`, `nul`, `{}x`, `[1,]`, `[1 2]`, `{"a":1,}`, `{"a":1,"a":2}`,
	`{"\u0061":1,"a":2}`, `{"a":{"b":1,"b":2}}`, `{,}`, `{"a"}`, `{"a":}`,
	`"\ud800"`, `"\ud800\u0041"`, `"\ude00\ud83d"`, `"\x"`, `"\u12g4"`, `"\u12`, `"a`, `"a\"`,
	"\"a\nb\"", "\"\xff\"", "\"é\xc3\"", "\"\xed\xa0\x80\"", `"A"`, ``, ` `,
}

// CheckRandom tests the codec with documents of [Random], with mutated documents and with spoilt
// values. It requires that the codec understands a good part of them.
func (c Codec) CheckRandom(t *testing.T, r *rand.Rand, enums map[string][]string) {
	t.Helper()
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	var understood [3]int
	for range rounds {
		data := Random(r, c.Root, enums)
		decoded, encoded := c.Check(t, data)
		for i, ok := range []bool{decoded, encoded, c.CheckSpoilt(t, r, data)} {
			if ok {
				understood[i]++
			}
		}
		for range 3 {
			c.Check(t, Mutate(r, data))
		}
	}
	for _, n := range understood {
		if n < rounds/4 {
			t.Errorf("%v: of %d documents, %v are decoded, encoded, and encoded when spoilt",
				c.Root, rounds, understood)
		}
	}
}
