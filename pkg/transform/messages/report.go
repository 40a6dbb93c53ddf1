package messages

const detailNoCounterpart = "the Messages API has no place for it"
