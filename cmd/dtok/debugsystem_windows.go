package main

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/windows"
)

// noFollow is nothing: Windows has no such flags.
const noFollow = 0

func isSymlink(error) bool { return false }

// isOwn is left to the folder's access control list.
func isOwn(fs.FileInfo) bool { return true }

// systemRelease is the version and the build.
func systemRelease() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}
