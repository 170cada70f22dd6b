package simulate

// link is a server's way to the network for KV. It outlives the process.
type link struct {
	bandwidth float64 // bytes a second, both ways
	failing   float64 // share of its transfers that fail
	in, out   float64 // until when each way is taken
}
