package merge

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// HasCounts reports whether a record counts tokens. Some records of Vertex AI have only the traffic
// type.
func HasCounts(u *geminiapi.UsageMetadata) bool {
	return u != nil && (u.PromptTokenCount != nil || u.CandidatesTokenCount != nil ||
		u.ThoughtsTokenCount != nil ||
		u.TotalTokenCount != nil || u.CachedContentTokenCount != nil ||
		u.ToolUsePromptTokenCount != nil ||
		u.ResponseTokenCount != nil || u.InitialPromptTokenCount != nil)
}

// mergeUsage takes all counts from the later record if it has any. The counts are running totals,
// which may also fall. Only the counts of one record have a consistent sum.
func mergeUsage(old, later *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	if old == nil || later == nil {
		return either(old, later)
	}
	if !HasCounts(later) {
		return mergeUsageDetails(old, later)
	}
	if replacesAll(old, later) {
		return later // as in nearly every chunk, which spares a copy
	}
	out := *later
	out.ServiceTier = either(later.ServiceTier, old.ServiceTier)
	out.TrafficType = either(later.TrafficType, old.TrafficType)
	out.BillablePromptUsage = either(later.BillablePromptUsage, old.BillablePromptUsage)
	out.Unknown = jsonx.MergeObjects(old.Unknown, later.Unknown)
	return &out
}

// replacesAll reports whether a later record with counts has every non-count member of an earlier
// record.
func replacesAll(old, later *geminiapi.UsageMetadata) bool {
	return (old.ServiceTier == nil || later.ServiceTier != nil) &&
		(old.TrafficType == nil || later.TrafficType != nil) &&
		(old.BillablePromptUsage == nil || later.BillablePromptUsage != nil) &&
		len(old.Unknown) == 0
}

// mergeUsageDetails adds a record without counts.
func mergeUsageDetails(old, later *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	out := *old
	out.ServiceTier = either(later.ServiceTier, old.ServiceTier)
	out.TrafficType = either(later.TrafficType, old.TrafficType)
	out.BillablePromptUsage = either(later.BillablePromptUsage, old.BillablePromptUsage)
	out.CacheTokensDetails = eitherList(later.CacheTokensDetails, old.CacheTokensDetails)
	out.CandidatesTokensDetails = eitherList(later.CandidatesTokensDetails,
		old.CandidatesTokensDetails)
	out.PromptTokensDetails = eitherList(later.PromptTokensDetails, old.PromptTokensDetails)
	out.ResponseTokensDetails = eitherList(later.ResponseTokensDetails, old.ResponseTokensDetails)
	out.ToolUsePromptTokensDetails = eitherList(later.ToolUsePromptTokensDetails,
		old.ToolUsePromptTokensDetails)
	out.Unknown = jsonx.MergeObjects(old.Unknown, later.Unknown)
	return &out
}

// usageRecord is the usageMetadata of one chunk, or of several chunks with equal usageMetadata.
type usageRecord struct {
	wire *geminiapi.UsageMetadata

	locations  Locations // of the chunks
	isReplaced bool      // A later record has replaced something of it, which is reported.
	isInEvent  bool      // An event has had it.
}

// usageRecords are the records with a member in the usage so far. There is usually one, because
// nearly every chunk has a record that replaces the record before it.
type usageRecords struct {
	list  []usageRecord
	first [1]usageRecord // what list points to as long as it is enough
}

// add adds the record of a chunk. It reports the records that the new record replaces in whole or
// in part. It does not report a record that the new one continues, because later totals include
// earlier totals.
func (r *usageRecords) add(log *Log, at Location, wire *geminiapi.UsageMetadata) {
	if wire == nil {
		return
	}
	if r.list == nil {
		r.list = r.first[:0]
	}
	record := usageRecord{wire: wire}
	kept := 0
	for i := range r.list {
		u := &r.list[i]
		replaced, outlasts, same := compareUsage(u.wire, wire)
		if replaced && !countsOn(u.wire, wire) {
			u.replace(log)
		}
		switch {
		case same:
			record.locations, record.isInEvent = u.locations, u.isInEvent
		case outlasts:
			r.list[kept] = *u
			kept++
		}
	}
	record.locations.Add(at)
	r.list = append(r.list[:kept], record)
}

// countsOn reports whether a record replaces another one with equal or higher totals and new
// members only.
func countsOn(earlier, later *geminiapi.UsageMetadata) bool {
	return (len(earlier.Unknown) == 0 || repeatsMembers(earlier.Unknown, later.Unknown)) &&
		isSameOrNew(earlier.ServiceTier, later.ServiceTier) &&
		isSameOrNew(earlier.TrafficType, later.TrafficType) &&
		billedRises(earlier.BillablePromptUsage, later.BillablePromptUsage) &&
		(!HasCounts(later) || totalsRise(earlier, later)) && detailsRise(earlier, later)
}

// repeatsMembers reports whether every member of an object has the same value in a later object.
func repeatsMembers(earlier, later jsontext.Value) bool {
	for name, value := range jsonx.Members(earlier) {
		if now := jsonx.Member(later, name); now != nil &&
			sortedMembers(now) != sortedMembers(value) {
			return false
		}
	}
	return true
}

// isSameOrNew reports whether a value is equal to the old value, or has no old value.
func isSameOrNew[T comparable](earlier, later *T) bool {
	return earlier == nil || later == nil || *earlier == *later
}

// billedRises reports whether the billed count of the prompt does not fall.
func billedRises(earlier, later *geminiapi.BillablePromptUsage) bool {
	return earlier == nil || later == nil || string(earlier.Unknown) == string(later.Unknown) &&
		jsonx.Deref(later.TextCount) >= jsonx.Deref(earlier.TextCount)
}

// totalsRise reports whether no count of a record is higher than the same count of a later record.
func totalsRise(earlier, later *geminiapi.UsageMetadata) bool {
	for _, total := range [...][2]*int{
		{earlier.PromptTokenCount, later.PromptTokenCount},
		{earlier.CandidatesTokenCount, later.CandidatesTokenCount},
		{earlier.ThoughtsTokenCount, later.ThoughtsTokenCount},
		{earlier.TotalTokenCount, later.TotalTokenCount},
		{earlier.CachedContentTokenCount, later.CachedContentTokenCount},
		{earlier.ToolUsePromptTokenCount, later.ToolUsePromptTokenCount},
		{earlier.ResponseTokenCount, later.ResponseTokenCount},
		{earlier.InitialPromptTokenCount, later.InitialPromptTokenCount},
	} {
		if total[0] != nil && (total[1] == nil || *total[1] < *total[0]) {
			return false
		}
	}
	return true
}

// detailsRise does the same for the counts by modality.
func detailsRise(earlier, later *geminiapi.UsageMetadata) bool {
	mayMiss := !HasCounts(later)
	return risesInEach(earlier.CacheTokensDetails, later.CacheTokensDetails, mayMiss) &&
		risesInEach(earlier.CandidatesTokensDetails, later.CandidatesTokensDetails, mayMiss) &&
		risesInEach(earlier.PromptTokensDetails, later.PromptTokensDetails, mayMiss) &&
		risesInEach(earlier.ResponseTokensDetails, later.ResponseTokensDetails, mayMiss) &&
		risesInEach(earlier.ToolUsePromptTokensDetails, later.ToolUsePromptTokensDetails, mayMiss)
}

// risesInEach does the same for one list. If mayMiss is set, an empty later list changes
// nothing.
func risesInEach(earlier, later []geminiapi.ModalityTokenCount, mayMiss bool) bool {
	if len(later) == 0 && mayMiss {
		return true
	}
	for i := range earlier {
		e := &earlier[i]
		isIn := func(l geminiapi.ModalityTokenCount) bool {
			return jsonx.Deref(l.Modality) == jsonx.Deref(e.Modality) &&
				jsonx.Deref(l.TokenCount) >= jsonx.Deref(e.TokenCount)
		}
		if e.Unknown != nil || !slices.ContainsFunc(later, isIn) {
			return false
		}
	}
	return true
}

// replace reports a replaced record once.
func (u *usageRecord) replace(log *Log) {
	if u.isReplaced {
		return
	}
	u.isReplaced = true
	s := ForAll
	if u.isInEvent {
		s = ForJoined
	}
	for _, at := range u.locations.runs() {
		log.addRun(at, report.Entry{Pointer: memberUsage, Kind: report.Approximated,
			Detail: detailReplaced}, s)
	}
}

// locationsOf returns the chunks whose record has a member in the usage so far. For a given member
// it returns the last of them.
func (r *usageRecords) locationsOf(pointer string) []Location {
	var all, last []Location
	for i := range r.list {
		u := &r.list[i]
		all = append(all, u.locations.List()...)
		if u.hasMember(jsontext.Pointer(pointer)) {
			last = []Location{u.locations.latest()}
		}
	}
	if pointer == memberUsage {
		return all
	}
	return last
}

// hasMember reports whether a record has the member at a pointer, or a member around it.
func (u *usageRecord) hasMember(pointer jsontext.Pointer) bool {
	for name := range usageMembers(u.wire) {
		if jsontext.Pointer(memberUsage).AppendToken(name).Contains(pointer) {
			return true
		}
	}
	return false
}

const memberUsage = "/usageMetadata"

// compareUsage compares a record with a later one by the rules of [mergeUsage]. replaced reports
// that the later record replaces a member. outlasts reports that a member stays in the usage and
// only the earlier record has it. same reports that both are equal.
func compareUsage(earlier, later *geminiapi.UsageMetadata) (replaced, outlasts, same bool) {
	counts := HasCounts(later)
	if counts && replacesAll(earlier, later) &&
		jsonx.Deref(earlier.TotalTokenCount) != jsonx.Deref(later.TotalTokenCount) {
		return true, false, false // as in nearly every chunk
	}
	if isSameText(earlier, later) {
		return false, true, true
	}
	earlierMembers, laterMembers := usageMembers(earlier), usageMembers(later)
	if maps.Equal(earlierMembers, laterMembers) {
		return false, true, true
	}
	for name, value := range earlierMembers {
		laterValue, isThere := laterMembers[name]
		switch {
		case isThere:
			replaced = replaced || laterValue != value
		case counts && isCount(earlier, name):
			replaced = true
		default:
			outlasts = true
		}
	}
	return replaced, outlasts || !replaced, false
}

// isSameText reports whether two records have the same JSON, as in streams that count only at the
// end. Then they need not be decoded. Equal records may differ in the order of unknown members.
func isSameText(a, b *geminiapi.UsageMetadata) bool {
	buffer := usageTexts.Get().(*usageText)
	defer usageTexts.Put(buffer)
	var enc plainjson.Encoder
	both := a.EncodePlain(&enc, buffer.text[:0])
	size := len(both)
	both = b.EncodePlain(&enc, both)
	return enc.Done() && bytes.Equal(both[:size], both[size:])
}

// usageText is memory for the JSON of two records.
type usageText struct{ text [1 << 10]byte }

var usageTexts = sync.Pool{New: func() any { return new(usageText) }}

// usageMembers returns the members of a record as JSON that is the same for equal values.
func usageMembers(u *geminiapi.UsageMetadata) map[string]string {
	data, err := json.Marshal(u, jsonx.Canonical)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for name, value := range jsonx.Members(data) {
		out[name] = sortedMembers(value)
	}
	return out
}

// isCount reports whether a member of a record is a count or the details of a count.
func isCount(u *geminiapi.UsageMetadata, name string) bool {
	return name != "serviceTier" && name != "trafficType" && name != "billablePromptUsage" &&
		jsonx.Member(u.Unknown, name) == nil
}
