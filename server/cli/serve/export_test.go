package serve

// Client is a row of the table of clients.
type Client struct{ Name, Page, Settings string }

// Clients returns the table of clients.
func Clients() []Client {
	var out []Client
	for _, c := range clients {
		out = append(out, Client{c.name, c.page, c.settings})
	}
	return out
}

// ClientHints and CurlHint are tested with settings that need files.
var (
	ClientHints = clientHints
	CurlHint    = curlHint
)
