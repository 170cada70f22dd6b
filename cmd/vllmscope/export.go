package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/print"
	"github.com/vllmscope/vllmscope/scrape"
)

// exportInterval is how often a Prometheus server scrapes and evaluates where nobody says otherwise: its usual interval.
const exportInterval = 15 * time.Second

// exports are the formats of rules export.
var exports = map[string]func(io.Writer, *diagnose.Book, print.Exported) error{
	"prometheus":         print.PrometheusRules,
	"alertmanager":       print.Alertmanager,
	"grafana":            print.Grafana,
	"keda":               print.KEDA,
	"prometheus-adapter": print.PrometheusAdapter,
	"markdown":           print.RuleBook,
}

func newExport(o *options) *cobra.Command {
	var format, jobs, runbook string
	c := &cobra.Command{
		Use:   "export --format FORMAT",
		Short: "The rule book for other programs: " + strings.Join(formats(), ", "),
		Example: `  vllmscope rules export --format prometheus --slo chat --job 'vllm|dcgm' > vllmscope.rules.yaml
  promtool check rules vllmscope.rules.yaml`,
		Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			export := exports[format]
			if export == nil {
				return usage("--format %q: choose one of %s", format, strings.Join(formats(), ", "))
			}
			set, err := o.exported(c.Context())
			if err != nil {
				return err
			}
			if _, err := regexp.Compile(jobs); err != nil {
				return usage("--job %q: it is no regular expression: %w", jobs, err)
			}
			set.Jobs = jobs
			book, err := withRunbooks(o.book(), runbook)
			if err != nil {
				return err
			}
			var whole bytes.Buffer // nothing is written of an export that fails
			if err := export(&whole, book, set); err != nil {
				return err
			}
			_, err = whole.WriteTo(o.streams.out)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "", strings.Join(formats(), ", "))
	c.Flags().StringVar(&jobs, "job", "", "pattern of the jobs of vLLM servers and GPU exporters in your Prometheus (default: whatever showed their series within the hour)")
	c.Flags().StringVar(&runbook, "runbook", "", "address of your page on a rule, with {code} for its code or {name} for its name (default: runbook of the configuration)")
	return c
}

func formats() []string { return slices.Sorted(maps.Keys(exports)) }

// withRunbooks is the book with an address for all rules, if one was given.
func withRunbooks(b *diagnose.Book, address string) (*diagnose.Book, error) {
	if address == "" {
		return b, nil
	}
	all := map[string]diagnose.Override{}
	if err := oneRunbook(b, address, all); err != nil {
		return nil, usage("--runbook: %w", err)
	}
	return b.With(all)
}

// exported are the settings of an export: those of a judgement, at the interval of a Prometheus server.
func (o *options) exported(ctx context.Context) (print.Exported, error) {
	var gpus []scrape.Target
	for _, address := range o.gpus {
		target, err := scrape.NewTarget(address)
		if err != nil {
			return print.Exported{}, usage("--gpu %q: %w", address, err)
		}
		gpus = append(gpus, target)
	}
	set, err := o.settings(gpus)
	if !o.intervalGiven {
		set.Step = exportInterval
	}
	if err == nil {
		err = o.addBaseline(ctx, &set)
	}
	return print.Exported{Settings: set}, err
}
