package openaitest

import "math"

const ACall = `{"functionCall":{"id":"a","name":"f"}}`

const AThought = `{"text":"Think 灯. ","thought":true}`

const AText = `{"text":"Say 🗼. "}`

const ASound = `{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAE="}}`

const ASigned = `{"text":"Signed.","thoughtSignature":"c2ln"}`

var Inf = math.Inf(-1)
