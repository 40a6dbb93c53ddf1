package messages

const detailNoCounterpart = "the Messages API has no member for it"
