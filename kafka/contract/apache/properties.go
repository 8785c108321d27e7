package apache

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// writeFiles writes server.properties and what it names.
func (n *Node) writeFiles() error {
	home, err := Home()
	if err != nil {
		return err
	}
	parts := []string{"server.properties", "kraft.properties"}
	if n.Release.ZooKeeper() {
		parts[1] = "zookeeper.properties"
	}
	var template strings.Builder
	for _, part := range parts {
		text, err := os.ReadFile(filepath.Join(home, part))
		if err != nil {
			return err
		}
		template.Write(text)
	}
	files := map[string][]byte{
		"server.properties": []byte(n.properties(template.String())),
		"server.pem":        joinPEM(n.key, n.cert),
		"ca.pem":            n.Authority.PEM(),
	}
	for _, part := range []string{"zoo.cfg", "jaas.conf"} {
		text, err := os.ReadFile(filepath.Join(home, part))
		if err != nil {
			return err
		}
		files[part] = []byte(n.fill(string(text)))
	}
	if n.Release.set["ssl.keystore.type"] == "JKS" {
		if files["server.jks"], files["ca.jks"], err = n.Authority.javaStores(n.key, n.cert); err != nil {
			return err
		}
	}
	if n.options.OAuth != nil {
		files["jwks.json"] = n.options.OAuth.JWKS
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(n.Dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// fill replaces the marks of a template, such as @DIR@.
func (n *Node) fill(text string) string {
	home, err := Home()
	if err != nil {
		return text // reported by who reads the template
	}
	all := n.options.listeners()
	mapped, listening := all, all
	if !n.Release.ZooKeeper() {
		c := listener{controller, SASLPlaintext}
		mapped = append([]listener{c}, all...)
		if !n.serves() {
			all, listening = nil, nil
		}
		if strings.Contains(n.roles, "controller") {
			listening = append([]listener{c}, listening...)
		}
	}
	marks := []string{
		"@DIR@", n.Dir, "@HOME@", home, "@ID@", strconv.Itoa(n.id), "@ROLES@", n.roles, "@VOTERS@", n.voters,
		"@LISTENERS@", n.addresses(listening), "@ADVERTISED@", n.addresses(all), "@PROTOCOLS@", protocols(mapped),
		"@ZOOKEEPER@", strconv.Itoa(n.ports[zooKeeper]), "@PLAIN_USERS@", n.plainUsers(),
	}
	return strings.NewReplacer(marks...).Replace(text)
}

// properties is the template with lines replaced by the release and by the
// options; a line without a value is left out.
func (n *Node) properties(template string) string {
	set := map[string]string{}
	for _, more := range []map[string]string{n.Release.set, n.options.Set, n.set} {
		for key, value := range more {
			set[key] = value
		}
	}
	var lines []string
	for line := range strings.Lines(template) {
		key, _, _ := strings.Cut(line, "=")
		if _, replaced := set[key]; !replaced {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	for key, value := range set {
		lines = append(lines, key+"="+value)
	}
	lines = append(lines, n.options.mechanismLines(n.Release, n.Dir)...)
	var b strings.Builder
	for _, line := range lines {
		key, value, isLine := strings.Cut(n.fill(line), "=")
		if renamed, ok := n.Release.rename[key]; ok {
			key = renamed
		}
		switch {
		case !isLine:
			b.WriteString(line + "\n")
		case value != "":
			fmt.Fprintf(&b, "%s=%s\n", key, value)
		}
	}
	return b.String()
}
