package main

// hasModes: a file's mode says nothing on Windows, where access control lists
// do; a new file has those of its folder.
const hasModes = false
