package diagnose

import (
	"fmt"
	"math"
	"slices"

	"github.com/prometheus/prometheus/promql/parser"
)

// A formula is arithmetic over signals, parsed as PromQL whose selectors are signal ids. NaN stands for absent.
type formula struct {
	tree     parser.Expr
	operands []string
}

// compile parses a formula and refuses what eval does not know, so that eval cannot fail.
func compile(text string) (formula, error) {
	tree, err := promqlParser.ParseExpr(text)
	if err != nil {
		return formula{}, fmt.Errorf("formula %q: %w", text, err)
	}
	f := formula{tree: tree}
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case nil, *parser.ParenExpr, *parser.NumberLiteral, *parser.UnaryExpr, parser.Expressions:
		case *parser.VectorSelector:
			f.operands = append(f.operands, n.Name)
		case *parser.BinaryExpr:
			if !slices.Contains(formulaOperators, n.Op) {
				err = fmt.Errorf("formula %q: unknown operator %s", text, n.Op)
			}
		case *parser.Call:
			if formulaFunctions[n.Func.Name] == nil {
				err = fmt.Errorf("formula %q: unknown function %s", text, n.Func.Name)
			}
		default:
			err = fmt.Errorf("formula %q: %T is not arithmetic", text, node)
		}
		return nil
	})
	return f, err
}

var formulaOperators = []parser.ItemType{parser.ADD, parser.SUB, parser.MUL, parser.DIV, parser.MOD, parser.POW, parser.LOR}

// formulaFunctions are PromQL's, with its meaning: clamp_max(x, 3) is at most 3.
var formulaFunctions = map[string]func(args []float64) float64{
	"clamp_max": func(a []float64) float64 { return smaller(a[0], a[1]) },
	"clamp_min": func(a []float64) float64 { return -smaller(-a[0], -a[1]) },
	"floor":     func(a []float64) float64 { return math.Floor(a[0]) },
	"ceil":      func(a []float64) float64 { return math.Ceil(a[0]) },
}

// smaller is NaN when either is.
func smaller(a, b float64) float64 { return math.Min(a, b) }

// eval computes the formula; get returns the value of a signal, NaN when it is absent.
func (f formula) eval(get func(id string) float64) float64 { return eval(f.tree, get) }

func eval(e parser.Expr, get func(id string) float64) float64 {
	switch n := e.(type) {
	case *parser.NumberLiteral:
		return n.Val
	case *parser.VectorSelector:
		return get(n.Name)
	case *parser.ParenExpr:
		return eval(n.Expr, get)
	case *parser.UnaryExpr:
		if n.Op == parser.SUB {
			return -eval(n.Expr, get)
		}
		return eval(n.Expr, get)
	case *parser.Call:
		args := make([]float64, len(n.Args))
		for i, a := range n.Args {
			args[i] = eval(a, get)
		}
		return formulaFunctions[n.Func.Name](args)
	case *parser.BinaryExpr:
		return combine(n.Op, eval(n.LHS, get), eval(n.RHS, get))
	}
	return math.NaN()
}

// combine applies an operator. A quotient with 0 below and something above is infinite, 0 by 0 is absent: that tells "no
// observations" from "nothing but".
func combine(op parser.ItemType, a, b float64) float64 {
	switch op {
	case parser.ADD:
		return a + b
	case parser.SUB:
		return a - b
	case parser.MUL:
		return a * b
	case parser.DIV:
		return a / b
	case parser.MOD:
		return math.Mod(a, b)
	case parser.POW:
		return math.Pow(a, b)
	case parser.LOR:
		if math.IsNaN(a) {
			return b
		}
		return a
	}
	return math.NaN()
}
