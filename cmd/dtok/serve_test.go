package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dtok/config"
	"dtok/kafka"
	"dtok/kafka/demo"
)

// TestServe takes what dtok demo --serve prints at its word: for each listener
// the printed client.properties is read as a person's would be, and reaches
// the broker.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t), "demo", "--serve", "--as", "alice")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	blocks, head := printedBlocks(t, bufio.NewScanner(out), 5)
	for _, user := range demo.Users() {
		if !strings.Contains(head, user) {
			t.Errorf("the user %s is not named in %q", user, head)
		}
	}
	for title, text := range blocks {
		file := filepath.Join(t.TempDir(), "client.properties")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.ReadProperties(file)
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		addresses, err := kafka.ParseBootstrap(c.Bootstrap)
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		client, err := kafka.Dial(ctx, settingsOf(c, addresses))
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		if !strings.Contains(head, client.Session().Address) {
			t.Errorf("%s: the address %s is not in %q", title, client.Session().Address, head)
		}
		if c.Mechanism != "" && client.Session().Principal != kafka.UserPrincipal("alice") {
			t.Errorf("%s: signed in as %v", title, client.Session().Principal)
		}
		client.Close()
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("interrupting the broker gives %v, want status 0", err)
	}
}

// printedBlocks reads want blocks of client.properties, and the text before.
func printedBlocks(t *testing.T, lines *bufio.Scanner, want int) (blocks map[string]string, head string) {
	t.Helper()
	lines.Buffer(nil, 1<<20)
	blocks = map[string]string{}
	title := ""
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "# client.properties for "):
			title = line
			blocks[title] = ""
		case title == "":
			head += line + "\n"
		case line != "":
			blocks[title] += line + "\n"
		}
		if len(blocks) == want && finished(blocks[title]) {
			return blocks, head
		}
	}
	t.Fatalf("the output ended after %d blocks, want %d", len(blocks), want)
	return nil, ""
}

// finished reports whether the last block, SASL_SSL's, is whole.
func finished(block string) bool {
	keys := []string{"bootstrap.servers=", "sasl.jaas.config=", "ssl.truststore.certificates="}
	return !slices.ContainsFunc(keys, func(k string) bool { return !strings.Contains(block, k) })
}
