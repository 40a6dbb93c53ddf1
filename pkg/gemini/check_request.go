package gemini

import "github.com/gemwire/gemwire/gen/geminiapi"

// CheckRequest returns what [Client.GenerateContent] and [Client.StreamGenerateContent] would refuse a request
// for before they send it, such as [ErrModelRequired], with the same options; nil when they would send it. It
// sends nothing, and asks for no token. The request is encoded for it, and once more when it is sent.
func (c *Client) CheckRequest(req *geminiapi.GenerateContentRequest, opts ...Option) error {
	s, err := c.with(opts)
	if err != nil {
		return err
	}
	_, err = s.generation(req, "generateContent")
	return err
}
