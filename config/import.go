package config

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// Import makes environments of the configuration that another tool for Kafka
// has: a client.properties file (or one of librdkafka), or the config of kcl,
// rpk, kafkactl, kaf or ktea, known by its content. It returns a config file for
// dtok and, one sentence each, what could not be carried over.
//
// No password is carried over, since the result is meant for a terminal: an
// environment that needs one gets password_prompt, and the note says where the
// password stands. A client.properties file is referred to and keeps its own.
func Import(path string) ([]byte, []string, error) {
	path = expandHome(path)
	data, _, err := readFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer clear(data)
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	found := importKcl(path, data)
	if found == nil {
		if found, err = importTool(path, data); err != nil {
			return nil, nil, err
		}
	} else if len(found.environments) == 0 {
		return nil, nil, &Error{File: path, Problem: "is a config of kcl and names no cluster with brokers"}
	}
	if found == nil {
		if found, err = importProperties(path, data); err != nil {
			return nil, nil, err
		}
	}
	found.tidy()
	out := found.yaml()
	// What is printed must load.
	if _, err := load("the imported config", out); err != nil {
		return nil, nil, err
	}
	return out, found.notes, nil
}

// importTool is nil when the file is of no tool that has YAML.
func importTool(path string, data []byte) (*imported, error) {
	y := yamlFile{path}
	root, err := y.parse(data)
	if err != nil {
		if looksLikeProperties(data) {
			return nil, nil
		}
		return nil, err
	}
	var content any
	if root == nil || yaml.NodeToValue(root, &content) != nil {
		return nil, nil
	}
	tree := newTree(content)
	for _, t := range tools() {
		if !t.is(tree) {
			continue
		}
		found := &imported{path: path, tool: t.name}
		t.read(found, tree)
		if len(found.environments) == 0 {
			return nil, &Error{File: path, Problem: "is a config of " + t.name + " and names no cluster with brokers"}
		}
		return found, nil
	}
	if tree.has("environments") {
		return nil, &Error{File: path, Problem: "is dtok's own config already"}
	}
	return nil, nil
}

// looksLikeProperties reports a file with at least one key of Kafka's clients.
func looksLikeProperties(data []byte) bool {
	props, err := parseProperties(data)
	defer wipeProperties(props)
	known := func(p property) bool {
		rule := ruleOf(p.key)
		return rule.treatment != unknownKey && strings.Contains(p.key, ".")
	}
	return err == nil && slices.ContainsFunc(props, known)
}

// importProperties refers to the file, which says all but the brokers, and
// tells what dtok does not take of it.
func importProperties(path string, data []byte) (*imported, error) {
	if !looksLikeProperties(data) {
		return nil, &Error{File: path, Problem: "is none of client.properties, kcl, rpk, kafkactl, kaf and ktea, as far as its content tells"}
	}
	found := &imported{path: path, tool: "Kafka's clients"}
	e := importedEnvironment{properties: path}
	e.name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if slices.Contains([]string{"client", "config", "kafka", "admin", "command-config", "kcat", ""}, e.name) {
		// Such a name says nothing, the folder's may.
		e.name = filepath.Base(filepath.Dir(path)) + "-" + e.name
	}
	c, err := ReadProperties(path)
	if err != nil {
		found.notes = append(found.notes, err.Error())
	} else {
		found.notes = append(found.notes, c.Notes...)
	}
	if c == nil || c.Bootstrap == "" {
		found.note("%s says no brokers that dtok could take: write them for localhost:9092 at bootstrap", path)
		e.bootstrap = []string{"localhost:9092"}
	}
	found.environments = []importedEnvironment{e}
	return found, nil
}

// tidy makes the names unique and printable.
func (i *imported) tidy() {
	seen := map[string]bool{}
	for n := range i.environments {
		e := &i.environments[n]
		name := strings.TrimSpace(e.name)
		if name == "" || !printable(name) {
			name = "imported"
		}
		unique := name
		for k := 2; seen[unique]; k++ {
			unique = name + "-" + strconv.Itoa(k)
		}
		seen[unique] = true
		e.name = unique
	}
	if !seen[i.standard] {
		i.standard = ""
	}
}
