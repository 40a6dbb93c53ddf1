package inspector

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sessionFile is a file with exchanges: what [Inspector.exportSession] writes.
type sessionFile struct {
	Format string `json:"format"`
	// Media are the bytes of all media by the hexadecimal digits of their hash.
	Media     map[string][]byte `json:"media"`
	Exchanges []storedExchange  `json:"exchanges"`
}

// exportSession answers with all exchanges, or with the numbers in the query, as a file
// that another inspector can import.
func (i *Inspector) exportSession(w http.ResponseWriter, r *http.Request) {
	var records []record
	if asked := r.URL.Query().Get("numbers"); asked == "" {
		records = i.store.all(r.Context())
	} else {
		seen := map[string]bool{}
		for name := range strings.SplitSeq(asked, ",") {
			if seen[name] {
				continue
			}
			seen[name] = true
			number, err := strconv.Atoi(name)
			kept, ok := i.store.snapshot(r.Context(), number)
			if err != nil || !ok {
				refuse(w, http.StatusNotFound, "request "+strconv.Quote(name)+" was dropped")
				return
			}
			records = append(records, kept)
		}
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Disposition", `attachment; filename="gemwire-session.json"`)
	if err := writeSession(w, records); err != nil {
		panic(http.ErrAbortHandler) // Half a file must not look whole.
	}
}

// writeSession writes exchanges piece by piece, because they may be large.
func writeSession(w io.Writer, records []record) error {
	out := jsontext.NewEncoder(w)
	media := map[string][]byte{}
	for n := range records {
		for b := range records[n].allBodies() {
			for _, ref := range b.media {
				media[hex.EncodeToString(ref.sum[:])] = ref.data
			}
		}
	}
	e := errorWriter{out: out}
	e.token(jsontext.BeginObject, jsontext.String("format"), jsontext.String(sessionFormat),
		jsontext.String("media"), jsontext.BeginObject)
	for sum, data := range media {
		e.token(jsontext.String(sum), jsontext.String(base64.StdEncoding.EncodeToString(data)))
	}
	e.token(jsontext.EndObject, jsontext.String("exchanges"), jsontext.BeginArray)
	for n := range records {
		if e.err == nil {
			e.err = json.MarshalEncode(out, records[n].stored())
		}
	}
	e.token(jsontext.EndArray, jsontext.EndObject)
	return e.err
}

// errorWriter writes tokens until the first error.
type errorWriter struct {
	out *jsontext.Encoder
	err error
}

func (e *errorWriter) token(tokens ...jsontext.Token) {
	for _, token := range tokens {
		if e.err == nil {
			e.err = e.out.WriteToken(token)
		}
	}
}

// importSession adds the exchanges of a file as the newest ones. The file may come from anywhere:
// its exchanges are marked as imported, get new numbers, and are cut to this inspector's limits.
func (i *Inspector) importSession(w http.ResponseWriter, r *http.Request) {
	if !i.importing.TryLock() { // Each may take much memory.
		refuse(w, http.StatusConflict, "another import is running; try again after it")
		return
	}
	defer i.importing.Unlock()
	var file sessionFile
	if !readAnyJSON(w, r, &file) {
		return
	}
	if file.Format != sessionFormat {
		refuse(w, http.StatusBadRequest,
			"this is not a session of the inspector; want a file of the format "+sessionFormat)
		return
	}
	if most := i.maxExchanges; len(file.Exchanges) > most {
		refuse(w, http.StatusRequestEntityTooLarge, "the session has "+
			strconv.Itoa(len(file.Exchanges))+" requests; at most "+strconv.Itoa(most)+" are kept")
		return
	}
	for n := range file.Exchanges {
		if file.Exchanges[n].Start.Path == "" { // as in null
			refuse(w, http.StatusBadRequest, "/exchanges/"+strconv.Itoa(n)+
				"/start/path: must be set, with the path of the request")
			return
		}
	}
	writeJSON(w, http.StatusOK, struct {
		Numbers []int `json:"numbers"`
	}{i.addSession(&file)})
}

// addSession adds the exchanges of a file in the order of their numbers, and returns their new
// numbers without those that were dropped at once.
func (i *Inspector) addSession(file *sessionFile) []int {
	media := map[digest]*medium{}
	t := &restorer{retain: i.retain, forms: i.forms, backlog: i.backlog,
		media: func(sum digest, mediaType string) *medium {
			if m := media[sum]; m != nil {
				return m
			}
			data := file.Media[hex.EncodeToString(sum[:])]
			mediaType = typeOr(data, mediaType)
			if len(data) > i.retain.maxMedia || sha256.Sum256(data) != sum || mediaType == "" ||
				i.retain.hasSecret(string(data), true) {
				return nil
			}
			media[sum] = &medium{sum: sum, mediaType: mediaType, data: data}
			return media[sum]
		}}
	slices.SortStableFunc(file.Exchanges,
		func(a, b storedExchange) int { return a.Number - b.Number })
	numbers := []int{}
	renamed := map[int]int{}
	for n := range file.Exchanges {
		stored := &file.Exchanges[n]
		record := t.record(stored)
		record.isImported, record.pinned, record.groupID = true, false, ""
		record.replayOf = renamed[record.replayOf] // 0 for one that the file does not have
		number := i.store.restored(record)
		renamed[stored.Number] = number
		numbers = append(numbers, number)
	}
	i.store.understandAll(numbers, i.closed)
	return slices.DeleteFunc(numbers,
		func(number int) bool { return !i.store.find(number, func(*record) {}) })
}
