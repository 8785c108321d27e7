package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The parts of a CycloneDX 1.6 document that are used here.
type (
	materials struct {
		Format       string      `json:"bomFormat"`
		SpecVersion  string      `json:"specVersion"`
		SerialNumber string      `json:"serialNumber"`
		Version      int         `json:"version"`
		Metadata     metadata    `json:"metadata"`
		Components   []component `json:"components"`
		Dependencies []dependsOn `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependsOn struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// materials writes what is in the program of a platform: its modules, as the
// linker noted them in the program itself, and Go's standard library.
func (b *build) materials(p platform) error {
	info, err := buildinfo.ReadFile(b.binary(p))
	if err != nil {
		return err
	}
	program, err := os.ReadFile(b.binary(p))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(describe(info, p, program, b.time), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, b.name(p)+".cdx.json"), append(text, '\n'), 0o644)
}

func describe(info *debug.BuildInfo, p platform, program []byte, at time.Time) materials {
	sum := sha256.Sum256(program)
	main := component{
		Type: "application", Ref: "dtok", Name: "dtok", Version: info.Main.Version,
		Hashes:     []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
		Properties: []property{{"go:GOOS", p.os}, {"go:GOARCH", p.arch}},
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			main.Properties = append(main.Properties, property{"vcs:revision", s.Value})
		}
	}
	version := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{Type: "library", Name: "std", Version: version, Ref: "pkg:golang/std@" + version, PURL: "pkg:golang/std@" + version}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, moduleOf(m))
	}
	slices.SortFunc(parts, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	all := dependsOn{Ref: main.Ref}
	depends := []dependsOn{}
	for _, c := range parts {
		all.On = append(all.On, c.Ref)
		depends = append(depends, dependsOn{Ref: c.Ref})
	}
	return materials{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1, SerialNumber: serial(sum),
		Metadata:   metadata{Timestamp: at.Format(time.RFC3339), Component: main},
		Components: parts, Dependencies: append([]dependsOn{all}, depends...),
	}
}

// moduleOf names a module. The hash in go.sum is one over the module's files and
// their names (golang.org/x/mod/sumdb/dirhash), so it goes into a property and is
// none of CycloneDX's hashes.
func moduleOf(m *debug.Module) component {
	// The parts of a module's path are lower-case names in the purl of type
	// golang, apart from what the ecosystem distinguishes: it distinguishes all.
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(raw) == sha256.Size {
		c.Properties = []property{{"go:h1", m.Sum}}
	}
	return c
}

// serial is a UUID made of the program's hash (RFC 9562, version 8), so that the
// same program has the same one.
func serial(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
