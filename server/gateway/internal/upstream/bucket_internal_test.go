package upstream

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// Clients choose model names, so the memory of quotas is bounded. Quotas that are no longer paused
// make room.
func TestQuotasThatNoLongerRestMakeRoom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	p := NewPool([]*Account{{}}, nil)
	for i := range maxBuckets {
		p.newBucket(bucketKey{model: "m" + strconv.Itoa(i)},
			now).until = now.Add(time.Duration(i%2) * time.Hour)
	}
	if p.newBucket(bucketKey{model: "one more"}, now); len(p.buckets) != maxBuckets/2+1 {
		t.Errorf("%d quotas are remembered, want %d", len(p.buckets), maxBuckets/2+1)
	}
	for i := range maxBuckets {
		p.newBucket(bucketKey{model: "n" + strconv.Itoa(i)}, now).until = now.Add(time.Hour)
	}
	if p.newBucket(bucketKey{model: "too many"}, now); len(p.buckets) > maxBuckets {
		t.Errorf("%d quotas are remembered, above %d", len(p.buckets), maxBuckets)
	}
	p = NewPool([]*Account{{}}, nil)
	if p.newBucket(bucketKey{model: strings.Repeat("x", longestName+1)}, now); len(p.buckets) != 0 {
		t.Error("a name that is too long is remembered")
	}
}
