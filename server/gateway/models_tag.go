package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// writeTagged writes the answer that encode appends, with an entity tag. It writes 304 without a
// body if the client has the same answer already.
func (c *call) writeTagged(encode func(dst []byte) ([]byte, error)) *problem.Problem {
	buf := takeBuffer()
	defer buf.release()
	var err error
	if buf.data, err = encode(buf.data); err != nil {
		return c.failed(err)
	}
	tag := entityTag(buf.data)
	c.writer.Header().Set("Etag", tag)
	c.noteCatalog(tag)
	if hasTag(c.request.Header.Values("If-None-Match"), tag) {
		c.isAnswered, c.end.Status = true, http.StatusNotModified
		c.writer.WriteHeader(http.StatusNotModified)
		return nil
	}
	c.writeWhole(http.StatusOK, buf.data)
	return nil
}

// entityTag returns the entity tag of an answer.
func entityTag(answer []byte) string {
	sum := sha256.Sum256(answer)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// hasTag reports whether the values of If-None-Match contain a tag. Weak tags count, as RFC 9110
// (13.1.2) requires.
func hasTag(values []string, tag string) bool {
	for _, value := range values {
		for known := range strings.SplitSeq(value, ",") {
			known = strings.TrimPrefix(strings.TrimSpace(known), "W/")
			if known == tag || known == "*" {
				return true
			}
		}
	}
	return false
}
