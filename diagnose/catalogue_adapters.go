package diagnose

import (
	"fmt"
	"strings"
)

// mostSlots is the largest --max-loras whose slots are counted: above it nothing is known of them.
const mostSlots = 16

// adaptersAtOnce counts the names in the longest list of adapters that ran in the window: of 1, 2, 3 and more names, how many a list has.
// vLLM writes the time into the series of the present list, and leaves those of earlier ones on its page. Where no list changed, which one is
// the present one is not known: a saved page has one moment only, and a proxy may put another value there than the time.
func adaptersAtOnce() string {
	var terms []string
	for n := range mostSlots {
		list := fmt.Sprintf(`vllm:lora_requests_info{running_lora_adapters=~"([^,]+,){%d}[^,]+.*"}`, n)
		terms = append(terms, `(group by ($server) (changes(`+list+`[$window]) > 0) or 0 * group by ($server) (changes(vllm:lora_requests_info[$window]) > 0))`)
	}
	return strings.Join(terms, " + ")
}

// adapterRows are about the slots of LoRA adapters.
var adapterRows = []Signal{
	{
		ID: "adapter_slots", Title: "--max-loras", Unit: Count, Level: Server, Label: "max_lora",
		Expr: `max by ($server, max_lora) (vllm:lora_requests_info{max_lora=~"[1-9]|1[0-6]"})`,
		Help: "How many adapters may be in one batch.",
	},
	{
		ID: "adapters_running", Title: "adapters at once", Unit: Count, Level: Server,
		Expr: adaptersAtOnce(),
		Help: "The most that had requests in the batch at once in the window.",
		Trap: "vLLM names those that run as those that wait, too: an adapter that waits for a slot stands nowhere.",
	},
	{
		ID: "adapter_slots_used", Title: "adapter slots used", Unit: Share, Level: Server,
		Formula: `adapters_running / adapter_slots`,
		Help:    "At 100 % a request for another adapter waits, whatever room there is.",
	},
	{
		ID: "adapters_alone", Title: "adapters seen alone", Unit: Count, Level: Server,
		Expr: `count by ($server) (changes(vllm:lora_requests_info{running_lora_adapters=~"[^,]+"}[10m]) > 0)`,
		Help: "How many ran without another one at some time in ten minutes: with one slot all that are in use.",
	},
	{
		ID: "adapters_wanted", Title: "adapter slots to raise to", Unit: Count, Level: Server,
		Formula: `adapter_slots + 1 + clamp_min((adapters_alone or 0 * adapter_slots) - adapter_slots - 1, 0)`,
		Help:    "As many adapters as are known to be in use, and one more than there are slots at least.",
	},
}
