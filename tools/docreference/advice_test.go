package docreference

// lossesIntroduction is the page that leads to the others. The verb is the table.
const lossesIntroduction = `# What a conversion loses

` + "```sh" + `
curl -i http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \
  -d '{"model": "gemini-3.6-flash", "user": "u1", "messages": [{"role": "user", "content": "hello"}]}'
` + "```" + `

The answer has the header ` + "`x-gemwire-losses: 1`" + `, because Gemini has no field ` + "`user`" + `. A conversion keeps each value,
or reports it. The pages in this table list every field that a conversion reports, with the reason and what to do.

Reports call a field of a JSON object a *member*.

%s
## See what a request lost

| you use | you see losses |
|---|---|
| the gateway | as a number in the header ` + "[`x-gemwire-losses`](headers.md#x-gemwire-losses)" + `, as a list with ` + "`x-gemwire-report: true`" + `, and in the [inspector](../inspector.md) |
| the command | as a number on standard error, and as a list with ` + "`gemwire convert --report FILE`" + ` |
| Go | in the ` + "`report.Report`" + ` that each converter returns |

` + "`x-gemwire-strict: true`" + `, ` + "`--strict`" + ` and ` + "`report.Strict()`" + ` make a loss an error.

## How these pages are made

The tests of each conversion have payloads that together have every field of the API. ` + "`go generate ./tools/docreference`" + `
converts each payload, then changes one value at a time and converts it again. These pages list all entries of the
reports. Requests are converted for gemini-3.6-flash, gemini-2.5-flash and gemini-3.1-flash-image, each on the Gemini
API and on Vertex AI. If a reason ends in names of models, it does not apply to gemini-3.6-flash. Reports for other
models can have further entries.
`
