package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notices writes the licences of all modules that are in any of the programs, and
// of Go itself: most of them ask that their text goes along.
func (b *build) notices(ctx context.Context) error {
	versions := map[string]bool{}
	for _, p := range platforms {
		info, err := buildinfo.ReadFile(b.binary(p))
		if err != nil {
			return err
		}
		for _, m := range info.Deps {
			versions[m.Path] = true
		}
	}
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	if texts["Go's standard library"], err = licence(strings.TrimSpace(string(root))); err != nil {
		return err
	}
	args := append([]string{"list", "-m", "-f", "{{.Path}} {{.Version}}\t{{.Dir}}"}, slices.Sorted(maps.Keys(versions))...)
	list, err := output(ctx, "go", args...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if texts[module], err = licence(dir); err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&all, "%s\n%s\n%s\n\n\n", name, strings.Repeat("=", len(name)), strings.TrimSpace(string(texts[name])))
	}
	path := filepath.Join(b.work, "LICENSES-OF-OTHERS")
	b.docs["LICENSES-OF-OTHERS"] = path
	return os.WriteFile(path, []byte(all.String()), 0o644)
}

// licence is the text of the licence in a module's folder, and its notice if it
// has one.
func licence(dir string) ([]byte, error) {
	if dir == "" {
		return nil, errors.New("the module is not here")
	}
	var text []byte
	for _, pattern := range []string{"LICEN[SC]E*", "COPYING*", "NOTICE*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			part, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			text = append(append(text, part...), '\n')
		}
	}
	if len(text) == 0 {
		return licenceOfReadme(dir)
	}
	return text, nil
}

// licenceOfReadme is for a module without a file for its licence: what its
// README has under a heading about it.
func licenceOfReadme(dir string) ([]byte, error) {
	found, err := filepath.Glob(filepath.Join(dir, "README*"))
	if err != nil {
		return nil, err
	}
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		part, inside := "", false
		for line := range strings.Lines(string(text)) {
			if title, isTitle := strings.CutPrefix(line, "#"); isTitle {
				inside = strings.HasPrefix(strings.ToLower(strings.TrimLeft(title, "# ")), "licen")
				continue
			}
			if inside {
				part += line
			}
		}
		if part = strings.TrimSpace(part); part != "" {
			return []byte("(from its " + filepath.Base(path) + ")\n" + part + "\n"), nil
		}
	}
	return nil, fmt.Errorf("there is no licence in %s", dir)
}
