package diagnose

import "time"

// eachStart writes the moment at which a process began into a label, so that each process has a series of its own, and startsSeen tells how
// old each was at its first page: the first that came after a scrape had failed. One that was there before it was watched is left out.
const (
	eachStart  = `count_values by ($server) ("began", process_start_time_seconds)`
	startsSeen = `min_over_time((` + eachStart + ` * on ($server) group_left () ` +
		`max by ($server) (timestamp(process_start_time_seconds) - process_start_time_seconds < 3600) and on ($server) max by ($server) (min_over_time(up[$moment])) == 0)[$window:15s])`
)

// lastPages tells when the last page of each process that has ended came, and lastAges how old it was then.
const (
	lastPages = `(max_over_time((0 * ` + eachStart + ` + on ($server) group_left () max by ($server) (timestamp(process_start_time_seconds)))[$window:5s])` +
		` unless on ($server, began) ` + eachStart + `)`
	lastAges = `max_over_time((0 * ` + eachStart + ` + on ($server) group_left () max by ($server) (timestamp(process_start_time_seconds) - process_start_time_seconds))[$window:5s])`
)

// startRows are about how a process starts: how often, how long it took, how long it lived. They hold while the target is down.
var startRows = []Signal{
	{
		ID: "start_times", Title: "start times seen in 15 minutes", Unit: Count, Level: Server, Window: 15 * time.Minute, Ungated: true,
		Expr: `max by ($server) (changes(process_start_time_seconds[$window]))`,
		Help: "How often the start time of the API process changed, by when its page was seen.",
		Trap: "A process that ends before it listens is never seen. Absent with several API processes.",
	},
	{
		ID: "output_resets", Title: "falls of the output counter in 15 minutes", Unit: Count, Level: Server, Window: 15 * time.Minute, Ungated: true,
		Expr: `max by ($server) (resets(vllm:generation_tokens_total[$window]))`,
		Help: "How often the counter of generated tokens began anew.",
	},
	{
		ID: "prompt_resets", Title: "falls of the prompt counter in 15 minutes", Unit: Count, Level: Server, Window: 15 * time.Minute, Ungated: true,
		Expr: `max by ($server) (resets(vllm:prompt_tokens_total[$window]))`,
		Help: "How often the counter of prompt tokens began anew.",
	},
	{
		ID: "starts", Title: "starts in 15 minutes", Unit: Count, Level: Server,
		Formula: `start_times or (output_resets - clamp_min(output_resets - prompt_resets, 0))`,
		Help:    "How often the server was started anew: by its start time, and where that is hidden by two counters that fell as often.",
	},
	{
		ID: "answered", Title: "answered scrapes, 5 minutes", Unit: Share, Level: Target, Window: 5 * time.Minute, Ungated: true,
		Expr: `max by ($target) (avg_over_time(up[$window]))`,
		Help: "The part of the last five minutes in which the target answered.",
	},
	{
		ID: "away", Title: "without an answer", Unit: Seconds, Level: Target, Window: time.Hour, Ungated: true,
		Expr: `time() - max by ($target) (max_over_time(timestamp(up == 1)[$window:15s]))`,
		Help: "How long ago the target answered last; absent when it did not within the hour.",
	},
	{
		ID: "answered_at_all", Title: "answered within 5 minutes", Unit: YesNo, Level: Target, Window: 5 * time.Minute, Ungated: true,
		Expr: `max by ($target) (max_over_time(up[$window])) and max by ($target) (up offset 4m)`,
		Help: "Whether any scrape of the last five minutes succeeded, of a target that has been watched for so long.",
	},
	{
		ID: "silence", Title: "without an answer in 10 minutes", Unit: Seconds, Level: Target, Window: 10 * time.Minute, Ungated: true,
		Expr: `600 * (1 - max by ($target) (avg_over_time(up[$window]))) and max by ($target) (up offset 9m)`,
		Help: "How much of the last ten minutes the target did not answer, of one that has been watched for so long.",
	},
	{
		ID: "start_took", Title: "from start to first page, at least", Unit: Seconds, Level: Server,
		Formula: `uptime - (600 - silence)`,
		Help:    "Of a start that was seen within ten minutes: the age of the process less the time in which the server answered, the last process included.",
		Trap:    "Says nothing of a process that has been there for longer. The age is by two clocks, the server's and this one.",
	},
	{
		ID: "start_to_page", Title: "from start to first page", Unit: Seconds, Level: Server, Window: 40 * time.Minute, Ungated: true,
		Expr: `min by ($server) (min_over_time((timestamp(process_start_time_seconds) - process_start_time_seconds)[$window:15s])) and max by ($server) (changes(process_start_time_seconds[$window])) > 0`,
		Help: "How long the process took from its start to its first page, where a start was seen within 40 minutes; of several, the quickest.",
	},
	{
		ID: "start_last", Title: "from start to first page, the last start", Unit: Seconds, Level: Server, Window: 20 * time.Minute,
		Expr: `max by ($server) (` + startsSeen + ` and on ($server, began) ` + eachStart + `)`,
		Help: "How long the process that answers took, to a quarter of a minute, where its start was seen within 20 minutes.",
	},
	{
		ID: "start_before", Title: "from start to first page, earlier starts", Unit: Seconds, Level: Server, Window: 6 * time.Hour, Every: SlowInterval, Ungated: true,
		Expr: `quantile by ($server) (0.5, ` + startsSeen + ` unless on ($server, began) ` + eachStart + `)`,
		Help: "The middle one of the server's earlier starts that were seen in six hours.",
	},
	{
		ID: "earlier_start", Title: "an earlier start was seen", Unit: YesNo, Level: Server,
		Formula: `0 * start_before + 1 or 0 * up`,
		Help:    "Where none was, nobody asks how long they took.",
	},
	{
		ID: "start_rise", Title: "from start to first page, last / before", Unit: Ratio, Level: Server,
		Formula: `start_last / start_before`,
		Help:    "How many times as long as its earlier starts the last one took.",
	},
	{
		ID: "loading_for", Title: "GPU memory taken and no answer", Unit: Seconds, Level: Server,
		Formula: `away - clamp_min(away - gpu_memory_taken_for, 0)`,
		Help:    "For how long neither the server answered nor the memory of its GPUs was free: a start lasts for so long at least.",
	},
	{
		ID: "loading_rise", Title: "loading, now / before", Unit: Ratio, Level: Server,
		Formula: `loading_for / start_before`,
		Help:    "How many times as long as its earlier starts took it has been loading.",
	},
	{
		ID: "last_life", Title: "age of the last process", Unit: Seconds, Level: Server, Window: 15 * time.Minute, Ungated: true,
		Expr: `max by ($server) (topk by ($server) (1, ` + lastPages + `) - on ($server, began) ` + lastPages + ` + on ($server, began) ` + lastAges + `) >= 0`,
		Help: "How long the last process that ended had lived at its last page: its loading, and what it served.",
		Trap: "Told by its pages: one that ended before it was asked is left out. The age is by two clocks, the server's and this one.",
	},
	{
		ID: "died_with", Title: "requests when the last process ended", Unit: Count, Level: Target,
		Formula: `left_with or restarted_with`,
		Help:    "Running and waiting at its last good scrape; where another one answers by now, the most of those that ended.",
	},
	{
		ID: "memory_peak", Title: "resident memory, highest in 15 minutes", Unit: Bytes, Level: Server, Window: 15 * time.Minute, Ungated: true,
		Expr: `max by ($server) (max_over_time(process_resident_memory_bytes[$window]))`,
		Help: "The most memory of the API process, those that have ended included.",
		Trap: "The engine is another process, and its memory is not in it.",
	},
}
