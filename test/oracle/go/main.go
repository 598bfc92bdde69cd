// Answers questions about device selectors and allocations with upstream's own code.
//
// Reads one JSON object a line from standard input and writes one answer a line, in the shapes of `kubectl-dra eval` and
// `kubectl-dra allocate`; "kind" says which of the two it is. Adds "alternatives" where upstream answers the same question
// in several ways (it iterates over Go maps), and "timeout" where the time for one question was over.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"syscall"
	"time"

	kjson "sigs.k8s.io/json"
)

const (
	maxLineBytes   = 64 << 20
	maxMemoryBytes = 4 << 30
)

var (
	timeout = flag.Duration("timeout", 10*time.Second, "time for one question")
	repeat  = flag.Int("repeat", 4, "how often each question is asked, as some answers depend on the order of Go maps")
	budget  = flag.Duration("time", 0, "instead of answering a question, measure for this long how long one answer takes")
)

type question struct {
	ID         json.RawMessage `json:"id,omitempty"`
	Kind       string          `json:"kind"`
	Kubernetes string          `json:"kubernetes,omitempty"`
	Features   map[string]bool `json:"features,omitempty"`
}

// answer has the fields of both kinds; each question fills those of its own.
type answer struct {
	ID json.RawMessage `json:"id,omitempty"`

	InputError string `json:"inputError,omitempty"`
	Panic      string `json:"panic,omitempty"`
	Timeout    bool   `json:"timeout,omitempty"`
	// Other answers that upstream gave to the same question.
	Alternatives []answer `json:"alternatives,omitempty"`

	*selectorAnswer
	*allocationAnswer
}

func main() {
	flag.Parse()
	limitMemory()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLineBytes)
	out := bufio.NewWriter(os.Stdout)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		line, err := json.Marshal(reply(lines.Bytes()))
		if err != nil {
			fatal(err)
		}
		out.Write(line)
		out.WriteByte('\n')
		if err := out.Flush(); err != nil {
			fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		fatal(err)
	}
}

func reply(line []byte) any {
	if *budget > 0 {
		return timeLine(line, *budget)
	}
	return repeatedAnswer(line)
}

// limitMemory lets a question die that would take the machine with it: lists.range(9223372036854775807) has no bound upstream.
func limitMemory() {
	limit := syscall.Rlimit{Cur: maxMemoryBytes, Max: maxMemoryBytes}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// repeatedAnswer collects the different answers of one question.
func repeatedAnswer(line []byte) answer {
	first := answerLine(line)
	known := map[string]bool{comparable(first): true}
	for i := 1; i < *repeat && !first.Timeout; i++ {
		next := answerLine(line)
		if key := comparable(next); !known[key] {
			known[key] = true
			first.Alternatives = append(first.Alternatives, next)
		}
	}
	return first
}

var shareID = regexp.MustCompile(`"shareID":"[^"]*"`)

func comparable(a answer) string {
	text, err := json.Marshal(a)
	if err != nil {
		fatal(err)
	}
	return shareID.ReplaceAllString(string(text), `"shareID":""`)
}

func answerLine(line []byte) (result answer) {
	var q question
	defer func() {
		if problem := recover(); problem != nil {
			result = answer{ID: q.ID, Panic: fmt.Sprintf("%v\n%s", problem, debug.Stack())}
		}
	}()
	if err := decode(line, &q); err != nil {
		return answer{InputError: err.Error()}
	}
	if q.Kubernetes != "" && q.Kubernetes != kubernetesMinor {
		return answer{ID: q.ID, InputError: fmt.Sprintf("this program is Kubernetes %s, not %s", kubernetesMinor, q.Kubernetes)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	var err error
	switch q.Kind {
	case "eval":
		result.selectorAnswer, err = evaluate(ctx, line, gates(q.Features))
	case "allocate":
		result.allocationAnswer, err = allocate(ctx, line, gates(q.Features))
	default:
		err = fmt.Errorf("unknown kind %q", q.Kind)
	}
	result.ID = q.ID
	result.Timeout = errors.Is(ctx.Err(), context.DeadlineExceeded)
	if err != nil {
		result.InputError = err.Error()
	}
	return result
}

// decode reads JSON as the API server does: names are case-sensitive, whole numbers stay whole.
func decode(line []byte, into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(line, into)
}

// gates gives every feature gate that is on: the defaults of this minor, and what the question says.
func gates(chosen map[string]bool) func(name string) bool {
	return func(name string) bool {
		if on, ok := chosen[name]; ok {
			return on
		}
		return gateDefaults[name]
	}
}
