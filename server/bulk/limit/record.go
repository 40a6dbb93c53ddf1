package limit

import (
	"encoding/binary"
	"errors"
)

// recordVersion is the first byte of a record.
const recordVersion = 1

var errRecord = errors.New("limit: the record of the project has another version, or is damaged")

// appendRecord appends the register in its storage format: numbers in the encoding of package
// binary, and grains as differences. A minute takes 2 to 5 KB.
func (r *register) appendRecord(b []byte) []byte {
	b = append(b, recordVersion)
	b = binary.AppendVarint(b, r.last)
	b = appendAmounts(b, r.due)
	b = binary.AppendVarint(b, r.resume)
	b = binary.AppendVarint(b, r.quotaUntil)
	b = binary.AppendUvarint(b, r.claim.worker)
	b = binary.AppendVarint(b, r.claim.until)
	b = appendAmounts(b, r.claim.need)
	b = binary.AppendUvarint(b, uint64(len(r.spent)))
	before := int64(0)
	for _, s := range r.spent {
		b = binary.AppendVarint(b, s.grain-before)
		b = appendAmounts(b, s.amounts)
		before = s.grain
	}
	return b
}

func appendAmounts(b []byte, a amounts) []byte {
	for _, n := range a {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// readRegister reads a record. An empty record is an empty register.
func readRegister(record []byte) (*register, error) {
	r := &register{}
	if len(record) == 0 {
		return r, nil
	}
	if record[0] != recordVersion {
		return nil, errRecord
	}
	d := recordReader{rest: record[1:]}
	r.last, r.due, r.resume, r.quotaUntil = d.number(), d.amounts(), d.number(), d.number()
	r.claim = claim{worker: d.unsigned(), until: d.number(), need: d.amounts()}
	count := d.unsigned()
	if count > uint64(len(d.rest)) { // each takes bytes
		return nil, errRecord
	}
	r.spent = make([]spending, 0, count+2)
	before := int64(0)
	for range count {
		s := spending{grain: before + d.number(), amounts: d.amounts()}
		if len(r.spent) > 0 && s.grain <= before {
			d.isBroken = true
		}
		before = s.grain
		r.spent = append(r.spent, s)
		r.total = r.total.plus(s.amounts)
	}
	if d.isBroken || len(d.rest) > 0 {
		return nil, errRecord
	}
	return r, nil
}

// recordReader reads numbers. After a missing number it is broken.
type recordReader struct {
	rest     []byte
	isBroken bool
}

func (d *recordReader) number() int64 {
	value, n := binary.Varint(d.rest)
	d.skip(n)
	return value
}

func (d *recordReader) unsigned() uint64 {
	value, n := binary.Uvarint(d.rest)
	d.skip(n)
	return value
}

func (d *recordReader) skip(n int) {
	if n <= 0 {
		d.isBroken, d.rest = true, nil
		return
	}
	d.rest = d.rest[n:]
}

func (d *recordReader) amounts() (a amounts) {
	for k := range a {
		if a[k] = d.number(); a[k] < 0 {
			d.isBroken = true
		}
	}
	return a
}
