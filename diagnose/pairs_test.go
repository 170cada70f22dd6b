package diagnose_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

// lookAlikes are pairs that show the same picture, as in section 5 of the rule book. A side is the rules that name it, one of which is
// enough, or nothing where it is no finding.
var lookAlikes = []struct {
	a, b    []string
	picture string
}{
	{codes("D2"), codes("D3"), "the queue grows and the batch does not: the cache is full, or the cap is reached"},
	{codes("D2"), codes("D1"), "the cache is full: requests wait, or are preempted"},
	{codes("D2"), codes("D3 D4"), "a queue at a half-full cache: a huge prompt at its head, or a cap or budget"},
	{codes("D3"), codes("F7"), "the batch stays at a round number: the server's cap, or the clients' pool"},
	{codes("D4"), codes("D8"), "a queue at an empty cache: prefill, or the host"},
	{codes("D7"), codes("E5"), "a busy GPU: arithmetic, or memory"},
	{codes("D8"), codes("D9"), "idle pipes: the host, or the links"},
	{codes("D8"), codes("I1"), "an idle GPU: with or without demand"},
	{codes("D9"), codes("C4 C6"), "GPUs that spin: busy links, or a slow one"},
	{codes("B4"), codes("A3"), "all figures stand still: the engine, or the page"},
	{codes("B4"), nil, "no token for a while: stuck, or a long prefill"},
	{codes("B4"), codes("H1"), "decode does not go on: stuck, or no KV comes"},
	{codes("B4"), codes("D7"), "the GPU is at 100 %: spinning, or computing"},
	{codes("B5"), codes("D6"), "503s: to all, or to some"},
	{codes("B4 C7"), codes("H4"), "a busy GPU without requests: a stranger, or expert parallelism"},
	{codes("E1"), codes("E2"), "late first tokens: the queue, or prefill"},
	{codes("E2"), codes("E3"), "late first tokens without a queue: prefill, or the frontend"},
	{codes("E3"), nil, "users wait: the frontend, or the network"},
	{codes("E2"), codes("G2"), "more prefill: longer prompts, or a colder cache"},
	{codes("E4"), codes("D1"), "a bad tail between tokens: prefill, or preemption"},
	{codes("E4"), codes("E5"), "late tokens: some, or all"},
	{codes("E4"), codes("C1"), "later tokens: prefill, or a throttled clock"},
	{codes("E4"), codes("I3"), "a tail: prefill, or garbage collection"},
	{codes("E4"), nil, "late steps: prefill, or speculation and content users"},
	{codes("E5"), codes("C6"), "a busy memory interface: bandwidth, or a low memory clock"},
	{codes("E5"), codes("F1 F6"), "later tokens: bandwidth, or longer contexts"},
	{codes("C6"), codes("H3"), "one slow replica: itself, or its load"},
	{codes("H3"), nil, "uneven load: bad, or wanted by affinity"},
	{codes("C2"), codes("D7"), "the power reason is set: held down, or at work"},
	{codes("F3"), nil, "more first tokens than ends: clients leave, or the batch grows"},
	{codes("F3"), codes("F4"), "fewer answers: clients leave, or requests fail"},
	{codes("F7"), nil, "less throughput: a pool of clients, or less demand"},
	{codes("F1"), nil, "a larger batch: longer answers, or more requests"},
	{codes("F2"), nil, "all end by length: cut, or a prefill server"},
	{codes("G1"), nil, "no hits: nothing shared, or no cache"},
	{codes("G2"), codes("G3"), "hits fall: another template, or eviction"},
	{codes("G2"), codes("B1"), "hits fall: collapsed, or cold after a restart"},
	{codes("G4"), codes("D7"), "busy pipes and few tokens: drafts for nothing, or load"},
	{codes("H1"), codes("H2"), "a queue at decode: transfers, or too few servers"},
	{codes("H2"), codes("D4"), "a queue at prefill: too few servers, or the budget of a single one"},
	{codes("I2"), nil, "memory rises: for ever, or until it is warm"},
	{codes("A2"), nil, "all is zero: hidden, or idle"},
	{nil, codes("A2"), "no process metrics: several API processes, or a broken page"},
	{codes("A4"), nil, "a flat quantile: the bucket's edge, or steady latency"},
	{codes("B1"), nil, "a counter falls: a restart, or not"},
	{codes("B3"), codes("B4"), "up and no token: loading, or stuck"},
	{nil, codes("B4"), "prompt tokens stop and come in a lump: long prefill, or a stall"},
	{nil, codes("D2"), "the cache is at 95 %: well used, or too small"},
}

// untold are sides that metrics do not show, and why.
var untold = map[string]string{
	"18 B": "no metric of a client or of the network is read: its first token is later than the server's, and nobody counts it",
}

// alwaysJudged are rules that lack nothing on any page, and why.
var alwaysJudged = map[string]string{
	"A1": "it reads whether a target answers, which every scrape tells",
	"A5": "it reads how many GPUs a server has, which is known to be none where there is none",
}

func codes(text string) []string { return strings.Fields(text) }

// A verdict is what the checks of a script say of rules.
type verdict struct {
	named, absent, below, unknown map[string]bool
}

// verdictOf reads the checks of a case.
func verdictOf(checks []check) verdict {
	v := verdict{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, k := range checks {
		words := strings.Fields(k.line)
		if words[0] == "subject" {
			words = words[2:]
		}
		switch {
		case words[0] == "causes":
			for _, code := range words[1:] {
				v.named[code] = true
			}
		case words[0] == "no":
			v.absent[words[1]] = true
		case words[0] == "unknown" || words[0] == "lacks":
			v.unknown[words[1]] = true
		case words[0] == "first":
			v.named[words[1]] = true
		case len(words) == 3 && words[1] == "below" && words[2] != "nothing":
			v.below[words[0]], v.named[words[2]] = true, true
		case len(words) > 1 && (words[1] == "firing" || words[1] == "pending"):
			v.named[words[0]] = true
		}
	}
	return v
}

// shows tells whether one of some rules is named as a cause, and none of others.
func (v verdict) shows(these, others []string) bool {
	is := func(code string) bool { return v.named[code] && !v.below[code] }
	isNot := func(code string) bool { return v.absent[code] || v.below[code] }
	return (len(these) == 0 || slices.ContainsFunc(these, is)) && (len(others) == 0 || slices.ContainsFunc(others, isNot)) &&
		!slices.ContainsFunc(others, is)
}

// everyCase calls do with each case of each script.
func everyCase(t *testing.T, do func(*scriptCase)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		for _, c := range readScript(t, file) {
			do(c)
		}
	}
}

// TestEveryPairHasBothSides holds that of each pair of look-alikes there is a script where the one is named and the other is not, and one
// the other way about.
func TestEveryPairHasBothSides(t *testing.T) {
	shown := map[string]bool{}
	everyCase(t, func(c *scriptCase) {
		v := verdictOf(c.checks)
		for _, pair := range c.pairs {
			var n int
			var side string
			if _, err := fmt.Sscanf(pair, "%d %s", &n, &side); err != nil || n < 1 || n > len(lookAlikes) || side != "A" && side != "B" {
				t.Errorf("%s: no side of a pair: %s", c.name, pair)
				continue
			}
			these, others := lookAlikes[n-1].a, lookAlikes[n-1].b
			if side == "B" {
				these, others = others, these
			}
			if !v.shows(these, others) {
				t.Errorf("%s: pair %s: its checks do not name one of %v and none of %v", c.name, pair, these, others)
			}
			shown[pair] = true
		}
	})
	for i, p := range lookAlikes {
		for _, side := range codes("A B") {
			key := fmt.Sprintf("%d %s", i+1, side)
			if shown[key] == (untold[key] != "") {
				t.Errorf("pair %s (%s): a script shows it: %v; said to be untold: %q", key, p.picture, shown[key], untold[key])
			}
		}
	}
}

// TestEveryRuleIsScripted holds that of each rule there is a script where it fires, one where it does not, and one where it cannot be
// judged.
func TestEveryRuleIsScripted(t *testing.T) {
	named, absent, unknown := map[string]bool{}, map[string]bool{}, map[string]bool{}
	everyCase(t, func(c *scriptCase) {
		v := verdictOf(c.checks)
		for code := range v.named {
			named[code] = true
		}
		for code := range v.absent {
			absent[code] = true
		}
		for code := range v.unknown {
			unknown[code] = true
		}
	})
	for _, rule := range diagnose.Default().Rules {
		code := rule.Code
		if !named[code] || !absent[code] || unknown[code] == (alwaysJudged[code] != "") {
			t.Errorf("%s: a script fires it %v, does not %v, cannot judge it %v, which never happens: %q",
				code, named[code], absent[code], unknown[code], alwaysJudged[code])
		}
	}
}
