package simulate

// transferMetrics is what the NIXL connector exports.
type transferMetrics struct {
	seconds, posted, bytes, descriptors *histogram
	failed, expired                     float64
}

// Bucket edges of the NIXL connector.
var (
	postEdges       = []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 5}
	transferEdges   = postEdges[1:]
	byteEdges       = []float64{1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19, 1 << 21, 1 << 23, 1 << 25, 1 << 27, 1 << 29, 1 << 31, 1 << 33}
	descriptorEdges = []float64{10, 20, 30, 50, 75, 100, 200, 400, 1000, 2000, 4000, 10000, 20000, 50000}
)

func newTransferMetrics() transferMetrics {
	return transferMetrics{
		seconds: newHistogram(transferEdges), posted: newHistogram(postEdges),
		bytes: newHistogram(byteEdges), descriptors: newHistogram(descriptorEdges),
	}
}

// observeOutside takes in what a step's report says of KV from outside.
func (m *engineMetrics) observeOutside(o *report) {
	m.outsideQueries += float64(o.outside[0])
	m.outsideHits += float64(o.outside[1])
	m.stages = o.stages
	x := &m.transfers
	x.failed += float64(o.transfers.failed)
	x.expired += float64(o.transfers.expired)
	for _, t := range o.transfers.done {
		x.seconds.observe(t.seconds, 1)
		x.posted.observe(t.posted, 1)
		x.bytes.observe(t.bytes, 1)
		x.descriptors.observe(float64(t.descriptors), 1)
	}
}

// hostUptimeSeconds is how long the host had been up when the fleet began, which an engine's clock counts.
const hostUptimeSeconds = 40 * 86400

// observeFailed counts a request that ended without ever being scheduled. vLLM takes the moments that never were for 0 of the
// engine's clock (issue 49135): its times in the queue and in prefill are as large as the host's uptime, one of them
// negative. That it ends is an output, so that there is a TTFT too.
func (m *engineMetrics) observeFailed(r *request, now float64) {
	m.success["error"]++
	m.firstToken.observe(now-r.arrived, 1)
	m.endToEnd.observe(now-r.arrived, 1)
	m.perToken.observe(0, 1)
	m.queue.observe(-(hostUptimeSeconds + r.queued), 1)
	m.inference.observe(hostUptimeSeconds+now, 1)
	m.prefill.observe(hostUptimeSeconds+now, 1)
	m.decode.observe(0, 1)
	m.prompt.observe(float64(r.prompt), 1)
	m.generation.observe(0, 1)
	m.limit.observe(float64(r.limit), 1)
	m.computed.observe(float64(r.prompt), 1)
	m.samples.observe(1, 1)
	m.evictions.observe(0, 1)
}

// stage is how many requests are at a stage of their load.
func stage(m *engineMetrics, name string) float64 {
	return float64(map[string]int{"waiting_to_start": m.stages[0], "in_progress": m.stages[1], "completed_waiting": m.stages[2]}[name])
}

// transferFamilies are the rows of the NIXL connector.
func transferFamilies() []family {
	return []family{
		{
			name: "vllm:nixl_xfer_time_seconds", help: "Time of a transfer of KV.", from: 11001,
			shape: func(m *engineMetrics) *histogram { return m.transfers.seconds },
		},
		{
			name: "vllm:nixl_post_time_seconds", help: "Time to post a transfer of KV.", from: 11001,
			shape: func(m *engineMetrics) *histogram { return m.transfers.posted },
		},
		{
			name: "vllm:nixl_bytes_transferred", help: "Bytes of a transfer of KV.", from: 11001,
			shape: func(m *engineMetrics) *histogram { return m.transfers.bytes },
		},
		{
			name: "vllm:nixl_num_descriptors", help: "Descriptors of a transfer of KV.", from: 11001,
			shape: func(m *engineMetrics) *histogram { return m.transfers.descriptors },
		},
		{
			name: "vllm:nixl_num_failed_transfers_total", help: "Transfers of KV that failed.", from: 11001,
			counter: func(m *engineMetrics, _ string) float64 { return m.transfers.failed },
		},
		{name: "vllm:nixl_num_failed_notifications_total", help: "Notifications between servers that failed.", from: 11001, counter: none},
		{
			name: "vllm:nixl_num_kv_expired_reqs_total", help: "Requests whose KV nobody read in time.", from: expiredCounted,
			counter: func(m *engineMetrics, _ string) float64 { return m.transfers.expired },
		},
		{
			name: "vllm:nixl_num_notifications_after_expiry_total", help: "Notifications for requests whose KV had expired.",
			from: release0320, counter: none,
		},
	}
}
