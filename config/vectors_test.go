package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// vector is an input with what JDK 17's Properties and the JaasConfig of Kafka
// 4.4 make of it; "" stands for the null key that Java gives an option without
// a name.
type vector struct {
	Name            string            `json:"name"`
	FileLatin1      string            `json:"file_latin1"`
	Properties      map[string]string `json:"properties"`
	PropertiesError string            `json:"properties_error"`
	JAAS            []vectorModule    `json:"jaas"`
	JAASError       string            `json:"jaas_error"`
}

type vectorModule struct {
	Module  string            `json:"module"`
	Flag    string            `json:"flag"`
	Options map[string]string `json:"options"`
}

// bytes are the file as it lies on disk.
func (v vector) bytes(t testing.TB) []byte {
	t.Helper()
	var b []byte
	for _, r := range v.FileLatin1 {
		if r > 0xff {
			t.Fatalf("%s: %q is not ISO-8859-1", v.Name, r)
		}
		b = append(b, byte(r))
	}
	return b
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	files, err := filepath.Glob("../testdata/properties/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	var all []vector
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var some []vector
		if err := json.Unmarshal(b, &some); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all = append(all, some...)
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			props, err := parseProperties(v.bytes(t))
			if v.PropertiesError != "" {
				if err == nil {
					t.Fatalf("Java refuses this (%s), we read %d keys", v.PropertiesError, len(props))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, p := range props {
				got[p.key] = string(p.value)
			}
			if d := cmp.Diff(v.Properties, got); d != "" {
				t.Fatalf("properties (-Java +dtok):\n%s", d)
			}
			text, ok := got["sasl.jaas.config"]
			if !ok {
				return
			}
			modules, err := parseJAAS([]byte(strings.TrimSpace(text)))
			if v.JAASError != "" {
				if err == nil {
					t.Fatalf("Java refuses this (%s), we read %d modules", v.JAASError, len(modules))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var mine []vectorModule
			for _, m := range modules {
				options := map[string]string{}
				for k, v := range m.options {
					options[k] = string(v)
				}
				mine = append(mine, vectorModule{m.class, "LoginModuleControlFlag: " + m.flag, options})
			}
			if d := cmp.Diff(v.JAAS, mine); d != "" {
				t.Fatalf("modules (-Java +dtok):\n%s", d)
			}
		})
	}
}
