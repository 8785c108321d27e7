// Command release builds what is published of dtok: static programs for each
// platform in archives, packages for Debian and Red Hat, completions and man
// pages in all of them, a bill of materials for each program, and checksums.
//
// It needs Go and nothing else; nfpm, which makes the packages, is a Go program
// in a pinned version. The same sources give the same bytes: all times are that of
// the commit (or SOURCE_DATE_EPOCH), and no path of the machine goes in.
//
//	go run ./cmd/release [-o dist]
package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// platforms are what is built.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// program is the name of the program on the platform.
func (p platform) program() string {
	if p.os == "windows" {
		return "dtok.exe"
	}
	return "dtok"
}

func main() {
	out := flag.String("o", "dist", "`FOLDER` to make; it must not exist or be one that this program made")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// build is one release in the making.
type build struct {
	// out is the folder that is made, work one for what is on the way.
	out, work string
	// version is that of the programs without its v; time is the commit's.
	version string
	time    time.Time
	// docs are files for every platform, by their path in an archive.
	docs map[string]string
}

func release(ctx context.Context, out string) error {
	b := &build{out: out}
	if err := b.empty(); err != nil {
		return err
	}
	var err error
	if b.work, err = os.MkdirTemp("", "dtok-release"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(b.work) }()
	for i, p := range platforms {
		fmt.Println("building", p)
		if err := b.compile(ctx, p); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := b.origin(); err != nil {
			return err
		}
		fmt.Println("version", b.version, "of", b.time.Format(time.RFC3339))
	}
	if err := b.document(ctx); err != nil {
		return err
	}
	if err := b.notices(ctx); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := b.archive(p); err != nil {
			return err
		}
		if err := b.materials(p); err != nil {
			return err
		}
	}
	if err := b.packages(ctx); err != nil {
		return err
	}
	return b.checksums()
}

// empty makes the folder. What an earlier release left in it goes; a folder that
// has no checksums of one is somebody else's.
func (b *build) empty() error {
	entries, err := os.ReadDir(b.out)
	if errors.Is(err, os.ErrNotExist) {
		return os.MkdirAll(b.out, 0o755)
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(b.out, sums)); err != nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty, and no release was made there", b.out)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(b.out, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// binary is where the program of a platform lies.
func (b *build) binary(p platform) string { return filepath.Join(b.work, p.String(), p.program()) }

// compile builds the program of a platform, static and without the symbols that
// only debuggers read.
func (b *build) compile(ctx context.Context, p platform) error {
	return run(ctx, []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"},
		"go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", b.binary(p), "./cmd/dtok")
}

// origin reads version and time from a program: what it says of itself is what
// the release is called.
func (b *build) origin() error {
	info, err := buildinfo.ReadFile(b.binary(platforms[0]))
	if err != nil {
		return err
	}
	b.version = strings.TrimPrefix(info.Main.Version, "v")
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			if b.time, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return err
			}
		}
	}
	if b.time.IsZero() || b.version == "" || b.version == "(devel)" {
		return errors.New("Go finds no repository around the sources, so there is neither a version nor a date; " +
			"git clone makes one (a git worktree is none to Go)")
	}
	if strings.HasSuffix(b.version, "+dirty") {
		fmt.Fprintln(os.Stderr, "release: the work tree has changes; nobody else can build the same")
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		b.time = time.Unix(seconds, 0)
	}
	b.time = b.time.UTC()
	return nil
}

// document has the program itself write completions and man pages. It is the one
// for this machine, of which a release has none where there is no such platform.
func (b *build) document(ctx context.Context) error {
	host := platform{runtime.GOOS, runtime.GOARCH}
	if _, err := os.Stat(b.binary(host)); err != nil {
		if err := b.compile(ctx, host); err != nil {
			return err
		}
	}
	b.docs = map[string]string{"LICENSE": "LICENSE", "README.md": "README.md"}
	pages := filepath.Join(b.work, "man")
	if err := run(ctx, nil, b.binary(host), "man", "--dir", pages); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(pages, "*.1"))
	if err != nil || len(found) == 0 {
		return fmt.Errorf("there are no man pages: %w", err)
	}
	for _, path := range found {
		b.docs["man/"+filepath.Base(path)] = path
	}
	for shell, name := range completions {
		path := filepath.Join(b.work, name)
		text, err := output(ctx, b.binary(host), "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
		b.docs["completions/"+name] = path
	}
	return nil
}

// completions are the files that the shells look for.
var completions = map[string]string{"bash": "dtok.bash", "zsh": "_dtok", "fish": "dtok.fish", "powershell": "dtok.ps1"}
