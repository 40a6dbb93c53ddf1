package normalize_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// recorded runs a test for each recorded response that is JSON.
func recorded(t *testing.T, test func(t *testing.T, p corpustest.Payload, data []byte)) {
	t.Helper()
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		data := p.Read(t)
		if !jsontext.Value(data).IsValid() {
			continue
		}
		t.Run(p.Name, func(t *testing.T) { test(t, p, data) })
	}
}

func TestEveryRecordedResponseIsNormalized(t *testing.T) {
	t.Parallel()
	normal, blocked, failed, notJSON := 0, 0, 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		out, err := normalize.Parse(p.Read(t))
		refusal, isRefusal := errors.AsType[*normalize.BlockedError](err)
		apiError, isAPIError := errors.AsType[*gemini.Error](err)
		switch {
		case isRefusal:
			blocked++
			out = refusal.Response
			if refusal.Reason == "" && refusal.Message == "" {
				t.Errorf("%s: blocked for no reason", p.Name)
			}
		case isAPIError:
			failed++
			if apiError.Message == "" {
				t.Errorf("%s: an error without a message", p.Name)
			}
			continue
		case errors.Is(err, normalize.ErrInvalidJSON):
			notJSON++
			if jsontext.Value(p.Read(t)).IsValid() {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", p.Name, err)
			continue
		default:
			normal++
		}
		if len(out.Ignored) != 0 {
			t.Errorf("%s: ignored %v", p.Name, out.Ignored)
		}
		if err := normalize.Validate(out); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	t.Logf("%d normalised, %d blocked, %d errors, %d not JSON", normal, blocked, failed, notJSON)
	if normal < corpustest.AtLeast(860) || blocked < corpustest.AtLeast(1) {
		t.Errorf("only %d responses were normalised, and %d blocked", normal, blocked)
	}
}

func TestEveryRecordedResponseSurvivesItsJSONForm(t *testing.T) {
	t.Parallel()
	recorded(t, func(t *testing.T, _ corpustest.Payload, data []byte) {
		out := responseOf(t, data)
		if out == nil {
			return
		}
		encoded, err := normalize.Encode(out)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := normalize.Decode(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(out, decoded, cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
			sameJSON); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		again, err := normalize.Encode(decoded)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, encoded) {
			t.Error("encoding it again gives other bytes")
		}
		if err := normalize.Validate(decoded); err != nil {
			t.Error(err)
		}
	})
}

// sameJSON compares free-form values without white space, which the JSON form leaves out.
var sameJSON = cmp.FilterValues(
	func(a, b jsontext.Value) bool { return len(a) > 0 || len(b) > 0 },
	cmp.Comparer(func(a, b jsontext.Value) bool {
		a, b = a.Clone(), b.Clone()
		_, _ = a.Compact(), b.Compact()
		return bytes.Equal(a, b)
	}))

// responseOf normalises a recorded response. For a refused prompt it returns the rest of the
// response. For an error envelope it returns nil.
func responseOf(t *testing.T, data []byte) *normalize.Response {
	t.Helper()
	wire, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := normalize.FromResponse(wire, fixedIDs)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		return blocked.Response
	}
	if _, ok := errors.AsType[*gemini.Error](err); ok {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNothingOfARecordedResponseIsLost(t *testing.T) {
	t.Parallel()
	changed, limit := 0, 2<<20
	if testing.Short() {
		limit = 1 << 16
	}
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		data := p.Read(t)
		if jsontext.Value(data).IsValid() {
			changed += everyLeafShows(t, p.Name, data, limit)
		}
	}
	t.Logf("%d leaves changed", changed)
}

// everyLeafShows changes the leaves of a response one after the other. It fails if the normalised
// form stays the same. It returns the number of changed leaves. If the number of leaves times the
// size of the response is above the limit, it changes only a part of them, evenly spread.
func everyLeafShows(t *testing.T, name string, data []byte, limit int) int {
	t.Helper()
	before, reported := visible(data), joinedPieces(data)
	leaves, err := jsonleaf.All(data)
	if err != nil {
		t.Fatal(err)
	}
	step := 1 + len(leaves)*len(data)/limit
	count := 0
	for i := 0; i < len(leaves); i += step {
		leaf := leaves[i]
		if after := visible(leaf.Change(data)); after == before && !reported.Covers(leaf.Pointer) {
			t.Errorf("%s: changing %s does not change the normalised form", name, leaf.Pointer)
		}
		count++
	}
	return count
}

// joinedPieces returns the report entries for calls in pieces.
func joinedPieces(data []byte) report.Report {
	wire, err := gemini.DecodeResponse(data)
	if err != nil {
		return nil
	}
	out, err := normalize.FromResponse(wire, fixedIDs)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		out = blocked.Response
	}
	if out == nil {
		return nil
	}
	return out.JoinedPieces
}

// visible is all that a caller can see of a response.
func visible(data []byte) string {
	wire, err := gemini.DecodeResponse(data)
	if err != nil {
		return "malformed: " + err.Error()
	}
	out, err := normalize.FromResponse(wire, fixedIDs)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		out = blocked.Response
	}
	if apiError, ok := errors.AsType[*gemini.Error](err); ok {
		return string(apiError.RawBody())
	}
	if out == nil {
		return err.Error()
	}
	encoded, err := normalize.Encode(out)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
