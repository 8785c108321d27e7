package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

// piece is a part of a stream in which faults are put: a frame, or with TLS all
// that belongs to an operation.
type piece struct {
	conn      int
	direction direction
	at, size  int
	// change is set for a change and its answer.
	change bool
}

// pieces makes a run without a fault and cuts it up.
func pieces(ctx context.Context, name string, w way, folder string) ([]piece, error) {
	e, err := execute(ctx, run{operation: name, way: w, fault: fault{kind: none, direction: request}}, folder)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", name, w, err)
	}
	var out []piece
	for i, l := range e.proxy.all() {
		if i >= len(e.over) {
			break // it was made afterwards
		}
		from, to := e.begin(i), e.over[i]
		if w == tls13 {
			out = append(out, piece{i, request, from.requests, to.requests - from.requests, false},
				piece{i, answer, from.answers, to.answers - from.answers, false})
			continue
		}
		changed := map[int]bool{}
		for n, a := range requestsOf(l.requests.read) {
			changed[n] = a.isChange()
			if a.at >= from.requests && a.at < to.requests {
				out = append(out, piece{i, request, a.at, a.size, changed[n]})
			}
		}
		for n, a := range framesOf(l.answers.read) {
			if a.at >= from.answers && a.at < to.answers {
				out = append(out, piece{i, answer, a.at, a.size, changed[n]})
			}
		}
	}
	return out, nil
}

// runsIn are the runs with one kind of fault at every byte boundary of a piece.
func runsIn(name string, w way, k kind, p piece, dice *rand.Rand) []run {
	if k == late && p.direction == answer {
		return nil // there is nobody to deliver it to
	}
	var out []run
	at := func(at int, after bool) {
		f := fault{kind: k, conn: p.conn, direction: p.direction, at: p.at + at, after: after}
		if k.sized() {
			f.size = sizeIn(p, at, dice)
		}
		if k == garbage {
			f.seed = dice.Uint64() % 1000
		}
		out = append(out, run{name, w, f})
	}
	for n := range p.size {
		at(n, false)
	}
	if k.atEnd() {
		at(p.size, true)
	}
	return out
}

// sizeIn is how many bytes a fault is about: one, a number's, all that is left,
// or the whole frame.
func sizeIn(p piece, at int, dice *rand.Rand) int {
	switch dice.IntN(4) {
	case 0:
		return 1
	case 1:
		return 4
	case 2:
		return p.size
	}
	return p.size - at
}

// plan chooses runs. All is every boundary of everything.
type plan struct {
	changes []run            // every boundary of every change
	rest    map[string][]run // everything else, by cell
	order   []string
}

// draw makes the plan: the same one for the same seed.
func draw(ctx context.Context, seed uint64, folder string) (plan, error) {
	p := plan{rest: map[string][]run{}}
	for _, k := range kinds[1:] {
		for _, o := range operations {
			p.order = append(p.order, cell(o.name, plain, k), cell(o.name, tls13, k))
		}
	}
	for i, o := range operations {
		for j, w := range ways {
			if w == scram && o.name != opDial || w == redial && (o.name == opDial || o.name == opTestSignIn) {
				continue // it would be the same as plain
			}
			// Signatures in TLS vary in length, and must not change the rest.
			dice := rand.New(rand.NewPCG(seed, uint64(i*len(ways)+j)))
			found, err := pieces(ctx, o.name, w, folder)
			if err != nil {
				return plan{}, err
			}
			for _, piece := range found {
				for _, k := range kinds[1:] {
					runs := runsIn(o.name, w, k, piece, dice)
					if piece.change && w == plain {
						p.changes = append(p.changes, runs...)
					} else {
						at := cell(o.name, w, k)
						p.rest[at] = append(p.rest[at], runs...)
					}
				}
			}
		}
	}
	shuffle(rand.New(rand.NewPCG(seed, 1000)), p.changes)
	for i, cell := range p.order {
		shuffle(rand.New(rand.NewPCG(seed, 1001+uint64(i))), p.rest[cell])
	}
	return p, nil
}

// cell is what the rest is drawn from: an operation, a kind, and with or without
// TLS.
func cell(operation string, w way, k kind) string {
	if w != tls13 {
		w = plain
	}
	return operation + "/" + string(w) + "/" + string(k)
}

func shuffle(dice *rand.Rand, runs []run) {
	dice.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
}

// choose takes n runs: all changes if they fit in, a third of n otherwise, and
// the rest from every cell alike.
func (p plan) choose(n int) []run {
	out := append([]run(nil), p.changes[:p.changesIn(n)]...)
	for i := 0; len(out) < n; i++ {
		before := len(out)
		for _, cell := range p.order {
			if i < len(p.rest[cell]) && len(out) < n {
				out = append(out, p.rest[cell][i])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// changesIn is how many of n runs have their fault inside a change.
func (p plan) changesIn(n int) int {
	if len(p.changes) > n*2/3 {
		return n / 3
	}
	return len(p.changes)
}

// size is how many runs there are.
func (p plan) size() int {
	n := len(p.changes)
	for _, runs := range p.rest {
		n += len(runs)
	}
	return n
}

// sample is how many runs a plain go test makes.
const sample = 480

// wanted is how many runs to make, as DTOK_FAULTS says; of all.
func wanted(all int) (int, error) {
	switch text := os.Getenv("DTOK_FAULTS"); text {
	case "":
		return sample, nil
	case "all":
		return all, nil
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("DTOK_FAULTS is a number of runs or all, not %q", text)
		}
		return n, nil
	}
}

// seedWanted is DTOK_FAULTS_SEED, 1 without it.
func seedWanted() (uint64, error) {
	text := os.Getenv("DTOK_FAULTS_SEED")
	if text == "" {
		return 1, nil
	}
	return strconv.ParseUint(text, 10, 64)
}
