package main

// attacks are all of them, in the order of the table.
var attacks = []attack{
	{name: "slow-bodies", sends: "announces bodies of 64 MiB and sends one byte", connections: 20,
		once: announce},
	{name: "slow-heads", sends: "sends heads a byte each 200 ms", connections: 200, once: dripHead},
	{name: "half-closed", sends: "closes its side in the middle of a body or at its end",
		connections: 20, once: halfClose},
	{name: "non-readers", sends: "asks for answers of 8 MiB and reads none", connections: 10,
		once: neverRead},
	{name: "junk", sends: "sends bytes that are no request, or a request with bytes changed",
		connections: 8, once: sendJunk},
	{name: "disconnects", sends: "asks and resets the connection at once", connections: 20,
		once: leave},
	{name: "names", sends: "asks for models with new names of up to 1 MB", connections: 4,
		once: nameModels},
	{name: "background", sends: "begins responses in the background that never end", connections: 4,
		once: startBackground},
	{name: "endless-answers", sends: "asks for a model whose answer never ends", connections: 4,
		once:     asksFor("endless"),
		settings: []string{"GEMWIRE_MAX_ANSWER_SIZE=8MiB"}},
	{name: "hostile-answers", sends: "asks for models that answer with junk", connections: 8,
		once: asksFor("cut", "deep", "page", "status-101", "status-301", "status-600", "status-999",
			"status-000")},
	{name: "refused-models", sends: "asks for models that the upstream refuses with 401 and 403",
		connections: 8,
		once:        asksFor("forbidden", "denied")},
}
