package request

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// setService sets how the request is served.
func (c *converter) setService() error {
	if tier, known := serviceTiers[jsonx.Deref(c.rest.ServiceTier)]; known {
		c.out.ServiceTier, c.rest.ServiceTier = &tier, nil
	}
	if c.plain && c.metadata {
		c.setMetadata()
	}
	return nil
}

// serviceTiers maps Gemini's tiers to OpenAI's. It is never modified.
var serviceTiers = map[geminiapi.ServiceTier]openaiapi.ServiceTier{
	geminiapi.ServiceTierStandard: openaiapi.ServiceTierDefault,
	geminiapi.ServiceTierFlex:     openaiapi.ServiceTierFlex,
	geminiapi.ServiceTierPriority: openaiapi.ServiceTierPriority,
}

// mostMetadata is the number of metadata entries that OpenAI accepts. Labels are shorter than
// metadata may be.
const mostMetadata = 16

// setMetadata sends labels as metadata.
func (c *converter) setMetadata() {
	rest := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(c.rest.Labels)) {
		if len(c.out.Metadata) == mostMetadata || len(key) > 64 || len(c.rest.Labels[key]) > 512 {
			rest[key] = c.rest.Labels[key]
			continue
		}
		if c.out.Metadata == nil {
			c.out.Metadata = map[string]string{}
		}
		c.out.Metadata[key] = c.rest.Labels[key]
	}
	c.rest.Labels = rest
}

// setRest puts what no step has converted into the extensions, or reports it as lost.
func (c *converter) setRest() error {
	if c.plain {
		return c.loseAll()
	}
	return c.extendBody()
}

// loseAll reports what remains of the request. Two members are errors, because without them the
// model would answer a different question.
func (c *converter) loseAll() error {
	switch {
	case jsonx.Deref(c.rest.CachedContent) != "":
		return &Error{Pointer: "/cachedContent",
			Problem: "names content at Google, which no other server can read; send the content instead"}
	case jsonx.Deref(c.rest.ContinuationToken) != "":
		return &Error{Pointer: "/continuationToken",
			Problem: "must not be set, because only Google can continue its own answers"}
	}
	c.approximateSettings()
	c.loseRest("", &c.rest)
	c.loseRest(configPointer, &c.config)
	return nil
}

// approximateSettings reports members whose omission loses nothing.
func (c *converter) approximateSettings() {
	if c.rest.Store != nil && !*c.rest.Store {
		c.report.Add(report.Approximated, "/store", "omitted, because other servers keep no log for Google")
		c.rest.Store = nil
	}
	kept := slices.Clone(c.rest.SafetySettings)
	for i := range kept {
		switch jsonx.Deref(kept[i].Threshold) {
		case geminiapi.HarmBlockThresholdBlockNone, geminiapi.HarmBlockThresholdOff:
			c.report.Add(report.Approximated, "/safetySettings/"+strconv.Itoa(i),
				"omitted, because it asks for no filter")
			kept[i] = geminiapi.SafetySetting{}
		}
	}
	c.rest.SafetySettings = kept
	if c.config.MediaResolution != nil && imageDetails[string(*c.config.MediaResolution)] != "" &&
		c.hasDetail() {
		c.report.Add(report.Approximated, configPointer+"/mediaResolution",
			"converted to the detail of each image")
		c.config.MediaResolution = nil
	}
}

// hasDetail reports whether an image has a detail level.
func (c *converter) hasDetail() bool {
	return slices.ContainsFunc(c.out.Messages, func(m openaiapi.ChatMessage) bool {
		parts, _ := m.Content.AsValue()
		return slices.ContainsFunc(parts,
			func(p openaiapi.ContentPart) bool { return p.ImageURL != nil && p.ImageURL.Detail != nil })
	})
}

// extendBody puts the remainder into extra_body.google. Members of generationConfig are on the same
// level as members of the request. Names are in snake case, as in Google's own endpoint.
func (c *converter) extendBody() error {
	request, err := encodeMembers(&c.rest)
	if err != nil {
		return err
	}
	config, err := encodeMembers(&c.config)
	if err != nil {
		return err
	}
	members := append(request, config...)
	if len(members) == 0 {
		return nil
	}
	google := &openaiapi.GoogleExtraBody{}
	if err := decodeMembers(members, google); err != nil {
		return err
	}
	c.out.ExtraBody = &openaiapi.ExtraBody{Google: google}
	c.loseUnread()
	return nil
}

// loseUnread reports unknown members, because readers of extensions do not know them.
func (c *converter) loseUnread() {
	if c.rest.Unknown != nil {
		c.loseRest("", &geminiapi.GenerateContentRequest{Unknown: c.rest.Unknown})
	}
	if c.config.Unknown != nil {
		c.loseRest(configPointer, &geminiapi.GenerationConfig{Unknown: c.config.Unknown})
	}
}

// snakeCase returns the name of a member in snake case, such as safety_settings.
func snakeCase(name string) string {
	var out strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			out.WriteByte('_')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// member is a member of an object.
type member struct {
	name  string
	value jsontext.Value
}
