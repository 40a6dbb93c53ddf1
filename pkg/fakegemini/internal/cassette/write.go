package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const heading = "# Recorded by fakegemini; keys are removed. Texts are exact, without the carriage returns where crlf says so.\n"

// Write returns the file of a cassette.
func (c *Cassette) Write() ([]byte, error) {
	texts := make([][]byte, len(c.Exchanges))
	for i := range c.Exchanges {
		text, err := c.Exchanges[i].write()
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return file(c.Upstream, texts)
}

// file returns a file with exchanges.
func file(upstream string, exchanges [][]byte) ([]byte, error) {
	out := []byte(heading)
	if upstream != "" {
		line, err := yaml.Marshal(map[string]string{"upstream": upstream})
		if err != nil {
			return nil, fmt.Errorf("cassette: %w", err)
		}
		out = append(out, line...)
	}
	if len(exchanges) == 0 {
		return append(out, "exchanges: []\n"...), nil
	}
	out = append(out, "exchanges:\n"...)
	return append(out, bytes.Join(exchanges, nil)...), nil
}

// write returns an exchange as an element of the list in a file.
func (e *Exchange) write() ([]byte, error) {
	for _, inBlocks := range []bool{true, false} {
		text, err := e.writeAs(inBlocks)
		if err != nil {
			return nil, err
		}
		// Some texts do not survive the library's block style; in quotes, all do.
		again, err := Read(append([]byte("exchanges:\n"), text...))
		if err == nil && len(again.Exchanges) == 1 && again.Exchanges[0].equal(e) {
			return text, nil
		}
	}
	return nil, errors.New("cassette: a text cannot be written in YAML")
}

// equal reports whether two exchanges have the same content. An empty list or map equals an absent
// one.
func (e *Exchange) equal(other *Exchange) bool {
	sameChunk := func(a, b Chunk) bool { return a.After == b.After && bytes.Equal(a.Body, b.Body) }
	return e.Request.Method == other.Request.Method && e.Request.URL == other.Request.URL &&
		maps.Equal(e.Request.Header, other.Request.Header) &&
		bytes.Equal(e.Request.Body, other.Request.Body) &&
		e.Reply.Status == other.Reply.Status && e.Reply.Incomplete == other.Reply.Incomplete &&
		maps.EqualFunc(e.Reply.Header, other.Reply.Header, slices.Equal) &&
		slices.EqualFunc(e.Reply.Chunks, other.Reply.Chunks, sameChunk)
}

func (e *Exchange) writeAs(inBlocks bool) ([]byte, error) {
	var document yaml.Node
	if err := document.Encode([]*Exchange{e}); err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	setStyle(&document, inBlocks)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	return out.Bytes(), nil
}

// setStyle writes the values of a header on one line, and texts of several lines in blocks if
// requested.
func setStyle(node *yaml.Node, inBlocks bool) {
	switch {
	case node.Kind == yaml.SequenceNode && len(node.Content) > 0 &&
		node.Content[0].Kind == yaml.ScalarNode:
		node.Style = yaml.FlowStyle
	case node.Kind == yaml.ScalarNode && inBlocks && isBlock(node.Value):
		node.Style = yaml.LiteralStyle
	}
	for _, child := range node.Content {
		setStyle(child, inBlocks)
	}
}

// isBlock reports whether a text is easier to read as a block. Leading white space would be taken
// for indentation.
func isBlock(text string) bool {
	return strings.Contains(text, "\n") && strings.TrimLeft(text, " \t\r\n") == text
}

// save replaces a file, or leaves it unchanged.
func save(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails after the rename
	if _, err := temporary.Write(data); err != nil {
		temporary.Close()
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
