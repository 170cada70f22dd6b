package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// queryOptions are the flags of query.
type queryOptions struct {
	*options
	from   []string
	span   duration
	at     string
	format string
}

func newQuery(o *options) *cobra.Command {
	q := queryOptions{options: o, span: duration(time.Millisecond)}
	cmd := &cobra.Command{
		Use:   "query EXPR [URL ...]",
		Short: "Any PromQL over the same data",
		Long: `query evaluates a PromQL expression over the pages of running servers, or over saved pages (--from DIR).

Servers are scraped twice at least, an interval apart, so that rates have a value; --for scrapes longer.`,
		Args: takes(1, math.MaxInt, "an expression"),
		RunE: func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0], args[1:]) },
	}
	cmd.Flags().StringSliceVar(&q.from, "from", nil, "folder of saved pages; can be repeated")
	cmd.Flags().Var(&q.span, "for", "how long to scrape before: two scrapes at least")
	cmd.Flags().StringVar(&q.at, "at", "", "moment in saved pages, as for check")
	cmd.Flags().StringVar(&q.format, "format", "text", "text, or json as Prometheus's HTTP API prints it")
	return cmd
}

func (q queryOptions) run(ctx context.Context, expr string, args []string) error {
	if q.format != "text" && q.format != "json" {
		return usage("--format %q: choose text or json", q.format)
	}
	s, at, err := q.read(ctx, append(args, q.from...), time.Duration(q.span), q.at)
	if err != nil {
		return err
	}
	defer s.close() //nolint:errcheck // what was asked for is printed; a temporary directory left behind is no reason to fail
	series, err := s.source.Range(ctx, expr, at, at, s.settings.Step)
	if err != nil {
		return usage("%w", err)
	}
	if q.format == "json" {
		return writeVectorJSON(q.streams.out, series)
	}
	if len(series) == 0 {
		names, err := s.source.Names(ctx, at)
		if err != nil {
			return err
		}
		return q.writeNoResult(expr, names)
	}
	return q.writeVector(series)
}

// writeNoResult says on the error stream why there may be none.
func (q queryOptions) writeNoResult(expr string, names []string) error {
	hint := prom.Never(expr, names)
	if hint == "" && strings.Contains(expr, "[") {
		hint = "a rate needs two pages of a target in its range"
	}
	if hint != "" {
		hint = "; " + diagnose.Plain(hint)
	}
	_, err := fmt.Fprintf(q.streams.err, "vllmscope: no result%s\n", hint)
	return err
}

func (q queryOptions) writeVector(series []diagnose.Series) error {
	for _, one := range series {
		if _, err := fmt.Fprintf(q.streams.out, "%s  %s\n", diagnose.Plain(one.Labels.String()), number(one.Points[0].Value)); err != nil {
			return err
		}
	}
	return nil
}

// writeVectorJSON prints what /api/v1/query answers.
func writeVectorJSON(w io.Writer, series []diagnose.Series) error {
	type sample struct {
		Metric map[string]string `json:"metric"`
		Value  [2]any            `json:"value"`
	}
	result := []sample{}
	for _, one := range series {
		p := one.Points[0]
		result = append(result, sample{one.Labels.Map(), [2]any{float64(p.Time) / 1000, number(p.Value)}})
	}
	return json.NewEncoder(w).Encode(map[string]any{
		"status": "success",
		"data":   map[string]any{"resultType": "vector", "result": result},
	})
}

// number prints a sample's value as Prometheus does.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
