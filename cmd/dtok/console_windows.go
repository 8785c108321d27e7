package main

// ownPainter is not set: Windows consoles are set up by Bubble Tea, and tell a
// new size in their input.
const ownPainter = false

func watchSize(func()) (stop func()) { return func() {} }
