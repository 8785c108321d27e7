package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// nfpm makes the packages, in a pinned version: its own dependencies are pinned
// by its go.sum, and it is no part of dtok's module.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

// config is nfpm's, which reads YAML and so JSON.
type config struct {
	Name        string            `json:"name"`
	Arch        string            `json:"arch"`
	Platform    string            `json:"platform"`
	Version     string            `json:"version"`
	Schema      string            `json:"version_schema"`
	Release     string            `json:"release"`
	Section     string            `json:"section"`
	Priority    string            `json:"priority"`
	Maintainer  string            `json:"maintainer"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	ModTime     string            `json:"mtime"`
	Contents    []content         `json:"contents"`
	RPM         map[string]string `json:"rpm"`
}

type content struct {
	Source      string   `json:"src"`
	Destination string   `json:"dst"`
	Info        fileInfo `json:"file_info"`
}

type fileInfo struct {
	Mode    int    `json:"mode"`
	ModTime string `json:"mtime"`
}

const description = `Terminal console for Kafka delegation tokens
dtok lists the users of a Kafka cluster and the delegation tokens each owns,
creates, renews and expires tokens, and keeps an audit trail of it. It works on
a terminal, and without one for scripts and cron.`

// packages makes a deb and an rpm for each Linux platform.
func (b *build) packages(ctx context.Context) error {
	tools := filepath.Join(b.work, "tools")
	if err := run(ctx, []string{"GOBIN=" + tools, "GOFLAGS=", "CGO_ENABLED=0"}, "go", "install", nfpm); err != nil {
		return err
	}
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		text, err := json.Marshal(b.config(p))
		if err != nil {
			return err
		}
		file := filepath.Join(b.work, p.String()+".nfpm.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		for _, kind := range []string{"deb", "rpm"} {
			err := run(ctx, []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", b.time.Unix())},
				filepath.Join(tools, "nfpm"), "package", "--config", file, "--packager", kind,
				"--target", filepath.Join(b.out, b.name(p)+"."+kind))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *build) config(p platform) config {
	at := b.time.Format(time.RFC3339)
	c := config{
		Name: "dtok", Arch: p.arch, Platform: p.os, Version: b.version, Schema: "semver", Release: "1",
		Section: "admin", Priority: "optional", Maintainer: "The dtok authors <dtok@localhost>", Description: description,
		License: "MIT", ModTime: at, RPM: map[string]string{"buildhost": "localhost"},
	}
	add := func(source, destination string, mode int) {
		c.Contents = append(c.Contents, content{source, destination, fileInfo{mode, at}})
	}
	add(b.binary(p), "/usr/bin/dtok", 0o755)
	for _, name := range slices.Sorted(maps.Keys(b.docs)) {
		if to := installed(name); to != "" {
			add(b.docs[name], to, 0o644)
		}
	}
	return c
}

// installed is where a document belongs on Linux, "" for none.
func installed(name string) string {
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, "man/"):
		return "/usr/share/man/man1/" + base
	case base == "dtok.bash":
		return "/usr/share/bash-completion/completions/dtok"
	case base == "_dtok":
		return "/usr/share/zsh/site-functions/_dtok"
	case base == "dtok.fish":
		return "/usr/share/fish/vendor_completions.d/dtok.fish"
	case base == "LICENSE":
		return "/usr/share/doc/dtok/copyright"
	case base == "LICENSES-OF-OTHERS":
		return "/usr/share/doc/dtok/LICENSES-OF-OTHERS"
	case base == "README.md":
		return "/usr/share/doc/dtok/README.md"
	}
	return ""
}
