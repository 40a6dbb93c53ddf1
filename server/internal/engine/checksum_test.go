package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/internal/engine"
)

func TestAMessageThatIsNotOursIsDamaged(t *testing.T) {
	t.Parallel()
	url, conn := startServer(t)
	e := open(t, engine.Settings{URL: url, MaxBytes: 1 << 30})
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Files.Create(t.Context(), message(engine.SubjectFiles+"f.0", "kept")); err != nil {
		t.Fatal(err)
	}
	ours, err := e.Files.Get(t.Context(), engine.SubjectFiles+"f.0")
	if err != nil || string(ours.Data) != "kept" {
		t.Fatalf("%v, %v", ours, err)
	}
	for name, m := range map[string]*nats.Msg{
		"without a checksum":     message(engine.SubjectFiles+"f.1", "kept"),
		"with its headers alone": {Subject: engine.SubjectFiles + "f.4", Header: nats.Header{"Gemwire-Entry": {"claim"}}, Data: ours.Data},
		"cut":                    {Subject: engine.SubjectFiles + "f.2", Header: ours.Header, Data: []byte("kep")},
		"as it is elsewhere":     {Subject: engine.SubjectFiles + "f.3", Header: ours.Header, Data: ours.Data},
	} {
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		_, err := e.Files.Get(t.Context(), m.Subject)
		if !errors.Is(err, engine.ErrDamaged) || !strings.Contains(err.Error(), m.Subject) {
			t.Errorf("a message %s: %v; expected %v with its subject", name, err, engine.ErrDamaged)
		}
		_, hasChecksum := m.Header["Gemwire-Sum"]
		if _, isOlder := errors.AsType[*engine.OlderStoreError](err); isOlder == hasChecksum {
			t.Errorf("a message %s is an older version's: %v", name, err)
		}
	}
}

// FuzzAChangedMessageIsDetected changes one byte of a message, its subject or a header, or cuts
// it.
func FuzzAChangedMessageIsDetected(f *testing.F) {
	f.Add("results.job.g.0.1", "claim", "", []byte("AAAA"), uint16(1), byte(1), false)
	f.Add("results.job.g.0.2", "results", "", []byte(`{"number":1,"custom_id":"a"}`+"\n"),
		uint16(12), byte(0), true)
	f.Add("results.job.g.0.3", "large", "large.job.g.0.A", []byte("{}\n{}\n"), uint16(40), byte(32),
		false)
	f.Add("files.f.0", "", "", []byte{}, uint16(0), byte(255), false)
	f.Fuzz(func(t *testing.T, subject, kind, large string, data []byte, at uint16, flip byte,
		cut bool) {
		written := &nats.Msg{Subject: subject, Data: data,
			Header: nats.Header{"Nats-Sequence": {"7"}}}
		if kind != "" {
			written.Header["Gemwire-Entry"] = []string{kind}
		}
		if large != "" {
			written.Header["Gemwire-Large"] = []string{large}
		}
		engine.AddChecksum(written)
		// the server's own headers, which we do not check
		written.Header["Nats-Sequence"] = []string{"8"}
		if err := engine.VerifyChecksum(subject, written.Header, data); err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		fields := [][]byte{[]byte(subject), []byte(kind), []byte(large), data}
		field := int(at) % len(fields)
		changed := append([]byte(nil), fields[field]...)
		switch position := int(at) / len(fields); {
		case position >= len(changed):
			return
		case cut:
			changed = changed[:position]
		case flip == 0:
			return
		default:
			changed[position] ^= flip
		}
		fields[field] = changed
		header := nats.Header{"Gemwire-Sum": written.Header["Gemwire-Sum"]}
		if kind != "" {
			header["Gemwire-Entry"] = []string{string(fields[1])}
		}
		if large != "" {
			header["Gemwire-Large"] = []string{string(fields[2])}
		}
		if err := engine.VerifyChecksum(string(fields[0]), header, fields[3]); !errors.Is(err,
			engine.ErrDamaged) {
			t.Fatalf("field %d was changed to %q, and is taken: %v", field, changed, err)
		}
	})
}
