package simulate

import (
	"testing"
	"time"
)

// pooled watches all servers of a scenario, in their order, before the onset and from the third to the sixth minute after it.
func pooled(t *testing.T, name string) (before, after []span) {
	t.Helper()
	s := scenario(t, name)
	s.Warm = 2 * time.Minute
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	return everyServer(t, f, noon, onset), everyServer(t, f, onset.Add(3*time.Minute), onset.Add(6*time.Minute))
}

// everyServer is watch for all servers, without their GPUs.
func everyServer(t *testing.T, f *Fleet, from, to time.Time) []span {
	t.Helper()
	spans := make([]span, len(f.servers))
	for at := from; !at.After(to); at = at.Add(5 * time.Second) {
		f.AdvanceTo(at)
		for i, server := range f.servers {
			page := read(t, f, server.name)
			if at.Equal(from) {
				spans[i].first = page
			}
			spans[i].samples, spans[i].last, spans[i].seconds = append(spans[i].samples, page), page, to.Sub(from).Seconds()
		}
	}
	return spans
}

// waits is the mean number of requests that wait for a reason.
func (s span) waits(reason string) float64 {
	total := 0.0
	for _, sample := range s.samples {
		total += sample[`vllm:num_requests_waiting_by_reason{engine="0",model_name="`+llama8B.name+`",reason="`+reason+`"}`]
	}
	return total / float64(len(s.samples))
}

func TestDisaggregationInBalance(t *testing.T) {
	_, all := pooled(t, "disaggregation-in-balance")
	p, d := all[0], all[1]
	check(
		t,
		bound{"requests of both servers, against each other", p.rate(finished) / d.rate(finished), 0.9, 1.1},
		bound{"tokens of the prefill server a request", p.rise(generated) / p.rise(finished), 0.98, 1.02},
		bound{"prompt tokens that the decode server computed", d.rise("vllm:request_prefill_kv_computed_tokens_sum"), 0, 0},
		bound{"found outside by the decode server", d.rise(outsideFound) / d.rise(outsideAsked), 1, 1},
		bound{"found outside by the prefill server", p.rise(outsideFound), 0, 0},
		bound{"seconds of a transfer", d.mean(transferTime), 0.005, 0.04},
		bound{"gigabytes of a transfer", d.mean("vllm:nixl_bytes_transferred") / 1e9, 0.3, 0.7},
		bound{"transfers of the prefill server", p.rise(transferTime + "_count"), 0, 0},
		bound{"transfers a request", d.rise(transferTime+"_count") / d.rise(finished), 0.9, 1.1},
		bound{"failed and expired", d.rise(transferFailed) + p.rise(readTooLate), 0, 0},
		bound{"deferred", d.waits("deferred"), 0, 0.3},
		bound{"TTFT of the decode server", d.mean(ttft), 0.01, 0.1},
		bound{"ITL p99 of the decode server", d.quantile(itl, 0.99), 0, 0.025},
	)
}

func TestPrefillPoolShort(t *testing.T) {
	before, all := pooled(t, "prefill-pool-short")
	check(
		t,
		bound{"waiting before the prefill server", all[0].waits("capacity"), 40, 120},
		bound{"and earlier", before[0].waits("capacity"), 0, 0.2},
		bound{"TTFT of the prefill server", all[0].mean(ttft), 5, 20},
		bound{"waiting before the decode servers", average(all[1].gauge(waiting)) + average(all[2].gauge(waiting)), 0, 1},
		bound{"most KV of a decode server", all[1].most(kv), 0, 0.4},
		bound{"ITL of a decode server", all[1].mean(itl), 0.005, 0.02},
		bound{"requests of each decode server a second", all[2].rate(finished), 3, 6},
	)
}

func TestDecodePoolShort(t *testing.T) {
	_, all := pooled(t, "decode-pool-short")
	d := all[2]
	check(
		t,
		bound{"waiting before the prefill servers", average(all[0].gauge(waiting)) + average(all[1].gauge(waiting)), 0, 0.5},
		bound{"KV median of the decode server", median(d.gauge(kv)), 0.93, 1},
		bound{"waiting before it for room", d.waits("capacity"), 5, 120},
		bound{"waiting before it for KV", d.waits("deferred"), 0, 3},
		bound{"TTFT of the decode server", d.mean(ttft), 5, 60},
		bound{"running", average(d.gauge(running)), 120, 220},
	)
}

// TestSlowTransfers: 3,600 tokens of 131,072 bytes at 0.6 GB/s make 1.3 requests a second at most, and the clients ask for
// more.
func TestSlowTransfers(t *testing.T) {
	before, all := pooled(t, "slow-transfers")
	p, d := all[0], all[1]
	check(
		t,
		bound{"deferred", d.waits("deferred"), 4, 20},
		bound{"deferred before", before[1].waits("deferred"), 0, 0.5},
		bound{"waiting for room", d.waits("capacity"), 0, 0.1},
		bound{"requests a second", d.rate(finished), 1.1, 1.5},
		bound{"seconds of a transfer", d.mean(transferTime), 3, 15},
		bound{"gigabytes a second", d.rate("vllm:nixl_bytes_transferred_sum") / 1e9, 0.57, 0.62},
		bound{"queue time against transfer time", d.mean(queue) / d.mean(transferTime), 0.9, 1.1},
		bound{"KV of the decode server, held while it comes", average(d.gauge(kv)), 0.07, 0.4},
		bound{"KV of the prefill server, until it is read", average(p.gauge(kv)), 0.05, 0.3},
		bound{"running on the prefill server", average(p.gauge(running)), 0, 1},
		bound{"failed and expired", d.rise(transferFailed) + p.rise(readTooLate), 0, 0},
		bound{"ITL against before", d.mean(itl) / before[1].mean(itl), 0.8, 1.1},
	)
}

func TestTransferFailures(t *testing.T) {
	before, all := pooled(t, "transfer-failures")
	p, d := all[0], all[1]
	check(
		t,
		bound{"share of transfers that fail", d.rise(transferFailed) / (d.rise(transferFailed) + d.rise(transferTime+"_count")), 0.2, 0.4},
		bound{"failed before", before[1].last.sum(transferFailed), 0, 0},
		bound{"errors of the engine against them", d.since(finished, `"error"`) / d.rise(transferFailed), 0.95, 1.05},
		bound{"expired on the prefill server against them", p.rise(readTooLate) / d.rise(transferFailed), 0.8, 1.2},
		bound{"KV of the prefill server, that nobody reads", average(p.gauge(kv)), 0.1, 0.3},
		bound{"and before", average(before[0].gauge(kv)), 0, 0.03},
	)
}

func TestTransfersRecomputed(t *testing.T) {
	before, all := pooled(t, "transfers-recomputed")
	d := all[1]
	check(
		t,
		bound{"share of transfers that fail", d.rise(transferFailed) / (d.rise(transferFailed) + d.rise(transferTime+"_count")), 0.4, 0.6},
		bound{"5xx", d.rise(answers) - d.rise(finished), -3, 3},
		bound{"prompt tokens computed by the decode server, a second", d.rise("vllm:request_prefill_kv_computed_tokens_sum") / d.seconds, 2000, 8000},
		bound{"ITL against before", d.mean(itl) / before[1].mean(itl), 1.05, 1.5},
	)
}
