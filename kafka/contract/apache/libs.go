package apache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// MinJava is the oldest Java that brokers of Kafka 4 run on. The older releases
// run on it as well.
const MinJava = 17

// Home finds testdata/kafka of the module that holds the working folder: what
// this package needs besides itself (pom.xml, log4j2.properties) and where the
// jars are kept.
func Home() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "testdata", "kafka"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not inside the dtok module: no go.mod in this folder or above it")
		}
		dir = parent
	}
}

// Libs returns the class path of the given release and of Kafka's command line
// tools. What is missing is copied once from Maven's repository to
// testdata/kafka/.libs.
func Libs(ctx context.Context, release Release) (classPath string, err error) {
	home, err := Home()
	if err != nil {
		return "", err
	}
	if err := checkJava(ctx); err != nil {
		return "", err
	}
	dir := filepath.Join(home, ".libs", release.Version())
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, "*"), nil
	}
	if err := copyArtifacts(ctx, home, release, dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, "*"), nil
}

func copyArtifacts(ctx context.Context, home string, release Release, dir string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("Apache Kafka's jars are missing and so is Maven (mvn), which fetches them: install Maven 3 (on Debian: apt-get install maven)")
	}
	// Copied beside its place and renamed, so that an interrupted copy is
	// never taken for a whole one.
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, mvn, "--batch-mode", "--quiet", "--file", filepath.Join(home, "pom.xml"),
		"dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+part,
		"-Dkafka.version="+release.Version(), "-Dscala.version="+release.scala, "-P"+release.profiles)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fetching Apache Kafka %s with Maven: %w\n%s", release.Version(), err, bytes.TrimSpace(out))
	}
	if err := os.Rename(part, dir); err != nil {
		// Another process was faster: its copy is as good.
		if _, statErr := os.Stat(dir); statErr == nil {
			return nil
		}
		return err
	}
	return nil
}

var javaVersion = regexp.MustCompile(`version "(\d+)`)

func checkJava(ctx context.Context) error {
	java, err := exec.LookPath("java")
	if err != nil {
		return fmt.Errorf("java is missing: Apache Kafka needs a JDK or JRE %d or later (on Debian: apt-get install openjdk-17-jre-headless)", MinJava)
	}
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s -version: %w: %s", java, err, bytes.TrimSpace(out))
	}
	found := javaVersion.FindSubmatch(out)
	if found == nil {
		return fmt.Errorf("%s -version names no version: %s", java, bytes.TrimSpace(out))
	}
	if v, err := strconv.Atoi(string(found[1])); err != nil || v < MinJava {
		return fmt.Errorf("Apache Kafka needs Java %d or later, %s is %s (on Debian: apt-get install openjdk-17-jre-headless)", MinJava, java, found[1])
	}
	return nil
}
