package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDefaultPath(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/x/conf", "/home/a", "/x/conf/dtok/config.yaml"},
		{"", "/home/a", "/home/a/.config/dtok/config.yaml"},
		{"conf", "/home/a", "/home/a/.config/dtok/config.yaml"},
		{"/x", "", "/x/dtok/config.yaml"},
		{"", "", ""},
		{"conf", "relative", ""},
	} {
		t.Setenv("XDG_CONFIG_HOME", tt.xdg)
		t.Setenv("HOME", tt.home)
		got, err := DefaultPath()
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%+v: %s %v", tt, got, err)
		}
	}
}

// The example loads as it stands, and with every comment taken away that hides
// a key; then it uses all keys that there are.
func TestExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "dtok", "config.yaml")
	written, err := WriteExample(path)
	if err != nil || len(written) != 2 {
		t.Fatal(written, err)
	}
	for _, file := range append(written, filepath.Dir(path)) {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", file, info.Mode(), err)
		}
	}
	f, err := Load(path)
	if err != nil || f.Default != "local" || len(f.Environments) != 1 {
		t.Fatalf("%v %+v", err, f)
	}
	hidden := regexp.MustCompile(`(?m)^(  )#( ?)((  )*)(- )?([a-z_.]+:|#)`)
	full := hidden.ReplaceAllString(Example(), "$1$2$3$5$6")
	hiddenTwice := regexp.MustCompile(`(?m)^( +)#(password|ssl)[a-z_.]*: .*\n`)
	one := hiddenTwice.ReplaceAllString(full, "")
	if f, err = Load(writeConfig(t, one)); err != nil {
		t.Fatalf("%v\n%s", err, one)
	}
	if got := f.names(); !slices.Equal(got, []string{"local", "staging", "prod-eu"}) {
		t.Fatalf("%q\n%s", got, one)
	}
	prod := f.Environments[2]
	if prod.ReadOnly == "" || !prod.AuditReads || prod.ChangeTimeout == 0 || prod.ClipboardClear != time.Minute || prod.Color != 9 || !prod.password.prompt || len(prod.settings) != 4 {
		t.Errorf("%+v", prod)
	}
	for _, key := range allFields() {
		if !strings.Contains(Example(), key+":") {
			t.Errorf("the example does not show %s", key)
		}
	}
}

func TestExampleWritesOverNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.yaml")
	for _, make := range []func() error{
		func() error { return os.WriteFile(path, []byte("broken: ["), 0o644) },
		func() error { return os.Symlink(filepath.Join(dir, "elsewhere"), path) },
		func() error { return os.Mkdir(path, 0o755) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		_, err := WriteExample(path)
		if !errors.Is(err, fs.ErrExist) || err.Error() != path+": exists already and is left as it is" {
			t.Errorf("%v", err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Error("the file was changed")
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%v %v", entries, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	// A schema that is there already stays.
	if err := os.WriteFile(filepath.Join(dir, SchemaName), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if written, err := WriteExample(path); err != nil || len(written) != 1 {
		t.Errorf("%v %v", written, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, SchemaName)); string(data) != "mine" {
		t.Errorf("%s %v", data, err)
	}
	if _, err := WriteExample(filepath.Join(path, "below", "config.yaml")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("below a file: %v", err)
	}
}

// The schema has the keys that the reader takes, at each place, and no others.
func TestSchema(t *testing.T) {
	type object struct {
		Properties           map[string]object
		AdditionalProperties any
		Defs                 map[string]object `json:"$defs"`
		Pattern              string
		OneOf                []object
	}
	var root object
	if err := json.Unmarshal([]byte(Schema()), &root); err != nil {
		t.Fatal(err)
	}
	env := root.Defs["environment"]
	var y yamlFile
	var e Environment
	for _, tt := range []struct {
		name   string
		schema object
		known  fields
	}{
		{"file", root, new(File).fields(y)},
		{"environment", env, e.fields(y)},
		{"audit", env.Properties["audit"], e.auditFields(y)},
		{"timeouts", env.Properties["timeouts"], e.timeFields(y)},
		{"password of a setting", root.Defs["password"], new(source).fields(y, "")},
	} {
		got, want := slices.Sorted(maps.Keys(tt.schema.Properties)), slices.Sorted(maps.Keys(tt.known))
		if !slices.Equal(got, want) || tt.schema.AdditionalProperties != false {
			t.Errorf("%s: the schema has %q, the reader %q", tt.name, got, want)
		}
	}
	colors := regexp.MustCompile(env.Properties["color"].OneOf[1].Pattern)
	for _, text := range append(colorNames(), "bright-red", "grey", "gray", "0", "15", "16", "pink", "bright-grey", "") {
		if _, ok := parseColor(text); ok != colors.MatchString(text) {
			t.Errorf("color %q: the reader takes it %v", text, ok)
		}
	}
}
