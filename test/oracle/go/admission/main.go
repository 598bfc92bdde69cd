// Answers what a ValidatingAdmissionPolicy says to a request, with upstream's own code.
//
// Reads one JSON object a line from standard input and writes one answer a line. A program of its own, as it is larger and
// takes longer to build than the one of devices.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	kjson "sigs.k8s.io/json"
)

const (
	maxLineBytes = 64 << 20
	timeout      = 10 * time.Second
)

type answer struct {
	ID         json.RawMessage `json:"id,omitempty"`
	InputError string          `json:"inputError,omitempty"`
	Panic      string          `json:"panic,omitempty"`
	Timeout    bool            `json:"timeout,omitempty"`

	*policyAnswer
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLineBytes)
	for lines.Scan() {
		line, err := json.Marshal(answerLine(lines.Bytes()))
		if err != nil {
			fatal(err)
		}
		if _, err := fmt.Printf("%s\n", line); err != nil {
			fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		fatal(err)
	}
}

func answerLine(line []byte) (result answer) {
	var q policyQuestion
	defer func() {
		if problem := recover(); problem != nil {
			result = answer{ID: q.ID, Panic: fmt.Sprintf("%v\n%s", problem, debug.Stack())}
		}
	}()
	if err := decode(line, &q); err != nil {
		return answer{InputError: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	said, err := admit(ctx, &q)
	if err != nil {
		return answer{ID: q.ID, InputError: err.Error()}
	}
	if ctx.Err() != nil {
		// What was interrupted became an error of its expression.
		return answer{ID: q.ID, Timeout: true}
	}
	return answer{ID: q.ID, policyAnswer: said}
}

// decode reads JSON as the API server does: names are case-sensitive, whole numbers stay whole.
func decode(line []byte, into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(line, into)
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
