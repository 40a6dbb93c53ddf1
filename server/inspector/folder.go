package inspector

type folder struct{}
