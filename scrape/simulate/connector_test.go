package simulate

import (
	"math/rand/v2"
	"testing"
)

// holders are the requests that hold blocks.
func (s *scheduler) holders() (all []*request) {
	all = append(append(all, s.running...), s.held...)
	for _, r := range s.waiting {
		if r.fetch == loading || r.fetch == loaded {
			all = append(all, r)
		}
	}
	return all
}

// pair are a prefill and a decode server without traffic of their own, and a load that passes both.
func pair(t *testing.T, release string, f flags) (first, second *server, tr *traffic) {
	t.Helper()
	v, err := parseVersion(release)
	if err != nil {
		t.Fatal(err)
	}
	f.transfers = true
	a := &agenda{}
	d := half("gpu-a")
	d.flags = f
	first, second = newServer(d, v, a, rand.New(rand.NewPCG(1, 1)), 0), newServer(d, v, a, rand.New(rand.NewPCG(1, 2)), 0)
	tr = &traffic{load: load{rate: 1}, agenda: a, random: first.random}
	tr.prefills, tr.router = &router{servers: []*server{first}}, &router{servers: []*server{second}}
	return first, second, tr
}

func (t *traffic) deliver(prompt, output int) *request {
	r := &request{traffic: t, prompt: prompt, output: output, limit: output}
	t.send(r)
	return r
}

// TestHandover follows one request of 1,600 tokens, 100 blocks, through both servers: 209.7 MB at 40 GB/s take 5.2 ms, and
// 3 ms to post and to notice.
func TestHandover(t *testing.T) {
	first, second, tr := pair(t, "0.32.0", roomy)
	r := tr.deliver(1600, 50)
	p, d := first.frontend.engines[0], second.frontend.engines[0]
	for d.scheduler.deferred == 0 {
		tr.agenda.runTo(tr.agenda.now + 1e-4)
	}
	if d.metrics.waiting != 1 || d.metrics.deferred != 1 || d.metrics.running != 0 || d.metrics.stages != [3]int{0, 1, 0} || d.scheduler.cache.free != 899 {
		t.Errorf("while KV is on its way %g wait, %g deferred, %g run, stages %v, %d blocks free; want 1, 1, 0, in progress, 899",
			d.metrics.waiting, d.metrics.deferred, d.metrics.running, d.metrics.stages, d.scheduler.cache.free)
	}
	if p.metrics.running != 0 || p.metrics.success["length"] != 1 || p.scheduler.cache.free != 899 {
		t.Errorf("the prefill server runs %g, finished %v and has %d blocks free; want 0, one by length, 899", p.metrics.running, p.metrics.success, p.scheduler.cache.free)
	}
	for r.fetch == loading {
		tr.agenda.runTo(tr.agenda.now + 1e-4)
	}
	if p.scheduler.cache.usage() != 0 || len(p.scheduler.held) != 0 {
		t.Errorf("usage of the prefill server is %g once its blocks are read, want 0", p.scheduler.cache.usage())
	}
	tr.agenda.runTo(10)
	m := d.metrics
	if x := m.transfers; x.seconds.count() != 1 || !near(x.seconds.sum, transferSeconds+1600*131072/40e9) || x.bytes.sum != 1600*131072 || x.descriptors.sum != 100*32*2 {
		t.Errorf("%d transfers of %g s, %g bytes and %g descriptors", x.seconds.count(), x.seconds.sum, x.bytes.sum, x.descriptors.sum)
	}
	if m.outsideQueries != 1600 || m.outsideHits != 1600 || m.outsideTokens != 1600 || m.promptTokens != 1600 || m.generationTokens != 50 || m.computed.sum != 0 {
		t.Errorf("%g of %g found outside, %g of %g prompt tokens from there, %g generated, %g computed",
			m.outsideHits, m.outsideQueries, m.outsideTokens, m.promptTokens, m.generationTokens, m.computed.sum)
	}
	if p.metrics.outsideQueries != 1600 || p.metrics.outsideHits != 0 {
		t.Errorf("the prefill server found %g of %g outside, want none of 1600", p.metrics.outsideHits, p.metrics.outsideQueries)
	}
	if a, b := first.frontend.http.answers[0].count, second.frontend.http.answers[0].count; a != 1 || b != 1 || !r.left {
		t.Errorf("%g and %g responses, want one of each server", a, b)
	}
	if m.queue.sum < transferSeconds || m.queue.sum > 0.1 {
		t.Errorf("queue time of the decode server is %g s, want that of the transfer", m.queue.sum)
	}
}

// TestLease: blocks that nobody reads stay for the lease.
func TestLease(t *testing.T) {
	for _, test := range []struct {
		name, release string
		gone, kept    float64 // seconds after which the blocks are free, and are not yet
	}{
		{"nobody comes", "0.32.0", 31, 29},
		{"nobody comes, in 0.11", "0.11.0", 482, 470},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, second, tr := pair(t, test.release, roomy)
			second.listening = false
			tr.deliver(1600, 50)
			p := first.frontend.engines[0]
			tr.agenda.runTo(test.kept)
			if p.metrics.usage == 0 || p.metrics.transfers.expired != 0 {
				t.Errorf("after %g s usage is %g, %g expired; want the blocks held", test.kept, p.metrics.usage, p.metrics.transfers.expired)
			}
			tr.agenda.runTo(test.gone)
			if p.metrics.usage != 0 || p.metrics.transfers.expired != 1 {
				t.Errorf("after %g s usage is %g, %g expired; want 0 and 1", test.gone, p.metrics.usage, p.metrics.transfers.expired)
			}
		})
	}
}

// TestHeartbeatsRenewTheLease while the reader waits for its transfer, three minutes over a slow network.
func TestHeartbeatsRenewTheLease(t *testing.T) {
	first, second, tr := pair(t, "0.32.0", roomy)
	second.link.bandwidth = 1600 * 131072 / 180.
	r := tr.deliver(1600, 50)
	tr.agenda.runTo(170)
	if p := first.frontend.engines[0]; r.fetch != loading || len(p.scheduler.held) != 1 || p.metrics.transfers.expired != 0 {
		t.Errorf("stage %d, %d held, %g expired; want loading, 1, 0", r.fetch, len(p.scheduler.held), p.metrics.transfers.expired)
	}
	tr.agenda.runTo(200)
	if m := second.frontend.engines[0].metrics; m.generationTokens != 50 || m.success["stop"] != 1 {
		t.Errorf("%g tokens generated at the end, want 50", m.generationTokens)
	}
}

// TestFailedTransfer ends the request with an error, or is computed again, as the flags say. The other side's lease runs out.
func TestFailedTransfer(t *testing.T) {
	for _, recompute := range []bool{false, true} {
		f := roomy
		f.recompute = recompute
		first, second, tr := pair(t, "0.32.0", f)
		second.link.failing = 1
		r := tr.deliver(1600, 50)
		tr.agenda.runTo(60)
		m, p := second.frontend.engines[0].metrics, first.frontend.engines[0].metrics
		if m.transfers.failed != 1 || p.transfers.expired != 1 || p.usage != 0 || m.usage != 0 || !r.left {
			t.Errorf("recompute %v: %g failed, %g expired, usage %g and %g, over %v; want 1, 1, 0, 0, true", recompute, m.transfers.failed, p.transfers.expired, p.usage, m.usage, r.left)
		}
		if recompute {
			if m.success["stop"] != 1 || m.computed.sum != 1600 || m.outsideTokens != 0 {
				t.Errorf("%v finished, %g tokens computed, %g from outside; want one, 1600, 0", m.success, m.computed.sum, m.outsideTokens)
			}
			continue
		}
		if m.success["error"] != 1 || second.frontend.http.answers[2].count != 1 || m.generationTokens != 0 || m.firstToken.count() != 1 {
			t.Errorf("%v finished, %g with 5xx, %g tokens, %d TTFT; want one error, 1, 0, 1",
				m.success, second.frontend.http.answers[2].count, m.generationTokens, m.firstToken.count())
		}
		if m.queue.sum > -hostUptimeSeconds || m.prefill.sum < hostUptimeSeconds {
			t.Errorf("times in the queue and in prefill are %g and %g s, want the host's uptime", m.queue.sum, m.prefill.sum)
		}
	}
}

// TestClientLeavesBetweenServers: whenever it does, no block stays held and both servers end.
func TestClientLeavesBetweenServers(t *testing.T) {
	first, second, tr := pair(t, "0.32.0", roomy)
	second.link.bandwidth = 2e8
	random := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		tr.patience = 0.05 + 12*random.Float64()
		tr.deliver(500+random.IntN(1500), 400)
		tr.agenda.runTo(tr.agenda.now + random.Float64())
	}
	tr.agenda.runTo(400)
	for _, s := range []*server{first, second} {
		e := s.frontend.engines[0]
		balanced(t, e.scheduler.cache, e.scheduler.holders())
		if len(s.frontend.open) != 0 || e.scheduler.cache.free != e.scheduler.cache.blocks || e.scheduler.deferred != 0 || len(e.scheduler.held) != 0 {
			t.Errorf("%d open, %d of %d blocks free, %d deferred, %d held; want nothing left",
				len(s.frontend.open), e.scheduler.cache.free, e.scheduler.cache.blocks, e.scheduler.deferred, len(e.scheduler.held))
		}
	}
	m := second.frontend.engines[0].metrics
	if served := m.success["stop"]; served < 5 || served > 55 {
		t.Errorf("%g of 60 served: the test does not cover both", served)
	}
}

// TestStore keeps what was used last: a rest of a prompt takes room and is never found.
func TestStore(t *testing.T) {
	s := &store{tokens: 1000}
	tr := &traffic{}
	ask := func(group int) int { return s.find(&request{traffic: tr, group: group, prefix: &prefix{tokens: 300}}) }
	for group := range 3 {
		s.put(entry{tr, group, 300})
	}
	if ask(0) != 300 || ask(5) != 0 {
		t.Fatal("what was put is not found, or what was not is")
	}
	s.put(entry{tokens: 200}) // 1,100 tokens: the oldest goes, which is 1 now
	if ask(1) != 0 || ask(0) != 300 || ask(2) != 300 || s.used != 800 {
		t.Errorf("found %d of 1, %d of 0, %d of 2, %d tokens used; want 0, 300, 300, 800", ask(1), ask(0), ask(2), s.used)
	}
	s.tokens = 350
	if s.fit(); ask(2) != 300 || ask(0) != 0 {
		t.Errorf("in 350 tokens %d of 2 and %d of 0 are found, want the younger alone", ask(2), ask(0))
	}
}

// TestLoadFromTheStore: another engine's prompt of 1,024 shared tokens is loaded, not computed.
func TestLoadFromTheStore(t *testing.T) {
	f := roomy
	f.external = 100000
	s, tr := bench(t, "0.32.0", f)
	tr.prefixes, tr.prefixTokens = 1, 1024
	s.ask(tr, 1200, 1)
	s.agenda.runTo(5)
	s.stop()
	s.start(1)
	s.agenda.runTo(10)
	s.ask(tr, 1200, 1)
	s.agenda.runTo(20)
	m := s.frontend.engines[0].metrics
	if m.queries != 1200 || m.hits != 0 || m.outsideQueries != 1200 || m.outsideHits != 1024 || m.computed.sum != 176 {
		t.Errorf("%g of %g found here, %g of %g outside, %g computed; want 0 of 1200, 1024 of 1200, 176", m.hits, m.queries, m.outsideHits, m.outsideQueries, m.computed.sum)
	}
	// A shared beginning that was loaded is there for the next one.
	s.ask(tr, 1200, 1)
	s.agenda.runTo(30)
	if m.hits != 1024 || m.outsideHits != 1024 || m.outsideQueries != 1200+176 {
		t.Errorf("then %g found here, %g of %g outside; want 1024, and no more of 1376", m.hits, m.outsideHits, m.outsideQueries)
	}
}
