package request

// The tables, for tests that go through them.
var (
	AspectRatios = aspectRatios
	ImageSizes   = imageSizes
)
