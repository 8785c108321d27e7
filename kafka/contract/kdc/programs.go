package kdc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"dtok/kafka/contract/apache"
)

// programs are the paths of what makes a realm. libs and plugins are set for
// programs that are not installed.
type programs struct {
	kdc, util, admin, kinit string
	libs, plugins           string
}

const missing = "a Kerberos KDC is missing (krb5kdc, kdb5_util, kadmin.local, kinit): on Debian install krb5-kdc, krb5-admin-server and krb5-user, on Fedora krb5-server and krb5-workstation"

// findPrograms takes installed programs, and Debian's packages otherwise.
func findPrograms(ctx context.Context) (programs, error) {
	if p, ok := programsIn(filepath.SplitList(os.Getenv("PATH") + ":/usr/sbin:/sbin:/usr/local/sbin:/opt/homebrew/opt/krb5/sbin:/opt/homebrew/opt/krb5/bin")...); ok {
		return p, nil
	}
	home, err := apache.Home()
	if err != nil {
		return programs{}, err
	}
	dir := filepath.Join(home, ".libs", "krb5-"+runtime.GOARCH)
	if _, err := os.Stat(dir); err != nil {
		if err := unpackDebian(ctx, dir); err != nil {
			return programs{}, fmt.Errorf("%s; unpacking Debian's packages failed: %w", missing, err)
		}
	}
	p, ok := programsIn(filepath.Join(dir, "usr/sbin"), filepath.Join(dir, "usr/bin"))
	libs, _ := filepath.Glob(filepath.Join(dir, "usr/lib/*-linux-gnu*"))
	if !ok || len(libs) == 0 {
		return programs{}, errors.New(missing)
	}
	more, _ := filepath.Glob(filepath.Join(dir, "lib/*-linux-gnu*"))
	p.libs = strings.Join(append(libs, more...), ":")
	p.plugins = filepath.Join(libs[0], "krb5/plugins/kdb")
	return p, nil
}

func programsIn(folders ...string) (programs, bool) {
	var p programs
	for name, path := range map[string]*string{"krb5kdc": &p.kdc, "kdb5_util": &p.util, "kadmin.local": &p.admin, "kinit": &p.kinit} {
		for _, folder := range folders {
			if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil && *path == "" {
				*path = found
			}
		}
		if *path == "" {
			return programs{}, false
		}
	}
	return p, true
}

var packageFile = regexp.MustCompile(`(?m)^'[^']+' ([^_ ]+)_\S+\.deb `)

// unpackDebian downloads the packages that this system lacks and unpacks them
// into dir. apt's lists are fetched into a folder of our own where the system
// has none, as in a fresh container.
func unpackDebian(ctx context.Context, dir string) error {
	for _, tool := range []string{"apt-get", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	apt := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		cmd.Dir = part
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("apt-get %s: %w\n%s", args[len(args)-1], err, said.Bytes())
		}
		return out, err
	}
	want := []string{"install", "--print-uris", "-qq", "-y", "--no-install-recommends", "krb5-kdc", "krb5-admin-server", "krb5-user"}
	var lists []string
	list, err := apt(want...)
	if err != nil {
		for _, folder := range []string{"state/lists/partial", "cache/archives/partial"} {
			if err := os.MkdirAll(filepath.Join(part, folder), 0o755); err != nil {
				return err
			}
		}
		lists = []string{"-o", "Dir::State::lists=" + filepath.Join(part, "state/lists"), "-o", "Dir::Cache=" + filepath.Join(part, "cache"),
			"-o", "APT::Sandbox::User=root", "-o", "Debug::NoLocking=1"}
		if _, err := apt(append(lists, "-qq", "update")...); err != nil {
			return err
		}
		if list, err = apt(append(lists, want...)...); err != nil {
			return err
		}
	}
	var names []string
	for _, found := range packageFile.FindAllSubmatch(list, -1) {
		names = append(names, string(found[1]))
	}
	if _, err := apt(append(append(lists, "-qq", "-o", "APT::Sandbox::User=root", "download"), names...)...); err != nil {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(part, "*.deb"))
	root := filepath.Join(part, "root")
	for _, file := range files {
		if out, err := exec.CommandContext(ctx, "dpkg", "-x", file, root).CombinedOutput(); err != nil {
			return fmt.Errorf("dpkg -x %s: %w\n%s", filepath.Base(file), err, out)
		}
	}
	return os.Rename(root, dir)
}
