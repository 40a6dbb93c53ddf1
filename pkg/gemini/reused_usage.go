package gemini

import (
	"math"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/plainjson"
)

// reusedUsage reads the usage records in the chunks of a stream. Nearly every chunk has a record
// with the same members and higher counts. So a record reuses the memory of the record before the
// last.
//
// This is safe for readers such as package merge, which keep the newest record, and older records
// only if a newer one lacks a member. A record without a total, or with other members than the last
// record, gets new memory.
type reusedUsage struct {
	last, before *usageRecord // the last two; nil without two that have the same members
	text         []byte       // the JSON of last, "" if it is long
	details      []geminiapi.ModalityTokenCount
	detailsText  []byte // the JSON of details
}

// usageRecord is a record and the numbers that it points to.
type usageRecord struct {
	wire    geminiapi.UsageMetadata
	counts  [usageCounts]int
	members uint64 // a bit for each
}

const usageCounts = 6

// maxUsageText is the maximum size of a record's JSON that is worth a comparison.
const maxUsageText = 1 << 10

// read reads a record, which is the last one if it has the same bytes.
func (u *reusedUsage) read(d *plainjson.Decoder, data []byte) *geminiapi.UsageMetadata {
	if u.last != nil && d.Again(u.text) {
		return &u.last.wire
	}
	begin := *d
	r := u.next()
	if !u.decode(d, data, r) {
		*d, u.last, u.before = begin, nil, nil
		usage := new(geminiapi.UsageMetadata)
		usage.DecodePlain(d)
		return usage
	}
	u.before, u.last = u.last, r
	u.text = u.text[:0]
	if from, to := begin.Offset(), d.Offset(); to-from <= maxUsageText {
		u.text = append(u.text, data[from:to]...)
	}
	return &r.wire
}

// next returns the memory for a record.
func (u *reusedUsage) next() *usageRecord {
	if u.before == nil || u.before.members != u.last.members {
		return new(usageRecord)
	}
	*u.before = usageRecord{}
	return u.before
}

// decode reads a record that has only counts and the modalities of the prompt. It returns false for
// any other record.
func (u *reusedUsage) decode(d *plainjson.Decoder, data []byte, r *usageRecord) bool {
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		count := -1
		switch string(name) {
		case "promptTokenCount":
			count, r.wire.PromptTokenCount = 0, &r.counts[0]
		case "candidatesTokenCount":
			count, r.wire.CandidatesTokenCount = 1, &r.counts[1]
		case "totalTokenCount":
			count, r.wire.TotalTokenCount = 2, &r.counts[2]
		case "thoughtsTokenCount":
			count, r.wire.ThoughtsTokenCount = 3, &r.counts[3]
		case "cachedContentTokenCount":
			count, r.wire.CachedContentTokenCount = 4, &r.counts[4]
		case "toolUsePromptTokenCount":
			count, r.wire.ToolUsePromptTokenCount = 5, &r.counts[5]
		case "promptTokensDetails":
			r.members = d.Once(r.members, 1<<usageCounts)
			r.wire.PromptTokensDetails = u.readDetails(d, data)
			continue
		default:
			return false
		}
		r.members = d.Once(r.members, 1<<count)
		r.counts[count] = d.Int()
	}
	total := r.counts[2]
	return 0 < total && total <= math.MaxInt32 && d.Offset() > 0 // it is 0 after a failure
}

// readDetails reads the counts of modalities. If their bytes equal the bytes of the last record, it
// returns the last counts.
func (u *reusedUsage) readDetails(d *plainjson.Decoder,
	data []byte) []geminiapi.ModalityTokenCount {
	if d.Again(u.detailsText) {
		return u.details
	}
	begin := d.Offset()
	list := make([]geminiapi.ModalityTokenCount, 0, 1)
	for more := d.BeginList(); more; more = d.NextElement() {
		list = append(list, readModalityTokenCount(d))
	}
	if end := d.Offset(); end > begin {
		u.details, u.detailsText = list, append(u.detailsText[:0], data[begin:end]...)
	}
	return list
}

// readModalityTokenCount reads the count of a modality that is known.
func readModalityTokenCount(d *plainjson.Decoder) (out geminiapi.ModalityTokenCount) {
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "modality":
			seen = d.Once(seen, 1<<0)
			modality := geminiapi.Modality(d.Word())
			switch modality {
			case geminiapi.ModalityText, geminiapi.ModalityImage, geminiapi.ModalityVideo,
				geminiapi.ModalityAudio, geminiapi.ModalityDocument:
			default:
				d.Fail()
			}
			out.Modality = &modality
		case "tokenCount":
			seen = d.Once(seen, 1<<1)
			out.TokenCount = new(d.Int())
		default:
			d.Fail()
		}
	}
	return out
}
