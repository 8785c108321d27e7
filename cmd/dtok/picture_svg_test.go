package main

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/google/go-cmp/cmp"
)

// Sizes of a picture, in pixels. Monospaced fonts differ in width: textLength
// puts every character where the terminal has it.
const (
	cellWidth  = 8
	cellHeight = 18
	baseline   = 13 // of the text, from the top of its cell
	margin     = 12
	fontSize   = 13
)

// The ground and the text of a picture, and the sixteen colours. The ground is
// the picture's own, so that light and dark pages show the same; each colour
// has a contrast of at least 4.5 to it.
const (
	groundColour = "#16191d"
	textColour   = "#d8dee4"
	frameColour  = "#57606a"
)

var paletteColours = [16]string{
	"#7d8590", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#d8dee4",
	"#8b949e", "#ffa198", "#7ee787", "#f2cc60", "#a5d6ff", "#e2c5ff", "#8ddbe0", "#ffffff",
}

// look is how a cell is drawn. A colour is a place in the palette, or -1.
type look struct {
	foreground, background int
	bold, faint, reverse   bool
}

// lookOf fails for what the screens must not use, and this cannot draw.
func lookOf(s uv.Style) (look, error) {
	l := look{foreground: -1, background: -1}
	for _, c := range []struct {
		of any
		to *int
	}{{s.Fg, &l.foreground}, {s.Bg, &l.background}} {
		switch colour := c.of.(type) {
		case nil:
		case ansi.BasicColor:
			*c.to = int(colour)
		default:
			return l, fmt.Errorf("colour %v is none of the sixteen", colour)
		}
	}
	l.bold, l.faint, l.reverse = s.Attrs&uv.AttrBold != 0, s.Attrs&uv.AttrFaint != 0, s.Attrs&uv.AttrReverse != 0
	if rest := s.Attrs &^ (uv.AttrBold | uv.AttrFaint | uv.AttrReverse); rest != 0 || s.Underline != 0 {
		return l, fmt.Errorf("attributes %b and underline %d cannot be drawn", rest, s.Underline)
	}
	return l, nil
}

// colours are those of the text and of the ground under it, "" for the
// picture's own.
func (l look) colours() (text, ground string) {
	named := func(c int) string {
		if c < 0 {
			return ""
		}
		return paletteColours[c]
	}
	text, ground = named(l.foreground), named(l.background)
	if l.reverse {
		if text == "" {
			text = textColour
		}
		if ground == "" {
			ground = groundColour
		}
		text, ground = ground, text
	}
	return text, ground
}

// drawSVG is the terminal's screen as a picture. Every run of text is put at
// its column and stretched to its cells, so that columns stay aligned whatever
// font the reader has, and wide characters take the two cells they have.
func drawSVG(title string, screen *vt.Emulator) (string, error) {
	cols, rows := screen.Width(), screen.Height()
	width, height := cols*cellWidth+2*margin, rows*cellHeight+2*margin
	var grounds, texts strings.Builder
	for y := range rows {
		for x := 0; x < cols; {
			cell := screen.CellAt(x, y)
			l, err := lookOf(cell.Style)
			if err != nil {
				return "", fmt.Errorf("row %d, column %d: %w", y+1, x+1, err)
			}
			end := runEnd(screen, x, y)
			if _, ground := l.colours(); ground != "" {
				fmt.Fprintf(&grounds, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n",
					x*cellWidth, y*cellHeight, (end-x)*cellWidth, cellHeight, ground)
			}
			drawRun(&texts, screen, l, x, end, y)
			x = end
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title">`+"\n", width, height)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n", escaped(title))
	fmt.Fprintf(&b, `<style>text{font:%dpx ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:%s}.b{font-weight:700}.f{opacity:.7}</style>`+"\n", fontSize, textColour)
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="6" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, groundColour, frameColour)
	fmt.Fprintf(&b, `<g transform="translate(%d,%[1]d)">`+"\n%s%s</g>\n</svg>\n", margin, grounds.String(), texts.String())
	return b.String(), nil
}

// runEnd is where the run of cells that looks the same ends. A wide character,
// which has empty cells behind it, is a run of its own.
func runEnd(screen *vt.Emulator, x, y int) int {
	first := screen.CellAt(x, y)
	if first.Width > 1 {
		return x + first.Width
	}
	end := x + 1
	for end < screen.Width() {
		next := screen.CellAt(end, y)
		if next.Width != 1 || !next.Style.Equal(&first.Style) {
			break
		}
		end++
	}
	return end
}

// drawRun draws the words of a run. Two blanks end a text: what stands behind
// them is a column of its own and must not move with what stands before.
func drawRun(b *strings.Builder, screen *vt.Emulator, l look, from, to, y int) {
	at := func(x int) string {
		if x >= to {
			return " "
		}
		return screen.CellAt(x, y).Content
	}
	for x := from; x < to; x++ {
		if at(x) == " " {
			continue
		}
		start, text := x, ""
		for x < to && (at(x) != " " || at(x+1) != " ") {
			text += at(x)
			x += max(screen.CellAt(x, y).Width, 1)
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d"%s>%s</text>`+"\n",
			start*cellWidth, y*cellHeight+baseline, (x-start)*cellWidth, attributes(l), escaped(text))
	}
}

// attributes are those of a text that looks so.
func attributes(l look) string {
	var classes []string
	if l.bold {
		classes = append(classes, "b")
	}
	if l.faint {
		classes = append(classes, "f")
	}
	out := ""
	if classes != nil {
		out = ` class="` + strings.Join(classes, " ") + `"`
	}
	if text, _ := l.colours(); text != "" {
		out += ` style="fill:` + text + `"` // a style, because the sheet's fill outranks an attribute
	}
	return out
}

func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// textOf reads a picture back: its title, and what its rows say.
func textOf(t *testing.T, svg string, cols, rows int) (title string, lines []string) {
	t.Helper()
	var picture struct {
		Title string `xml:"title"`
		Texts []struct {
			X      int    `xml:"x,attr"`
			Y      int    `xml:"y,attr"`
			Length int    `xml:"textLength,attr"`
			Text   string `xml:",chardata"`
		} `xml:"g>text"`
	}
	if err := xml.Unmarshal([]byte(svg), &picture); err != nil {
		t.Fatal(err)
	}
	lines = make([]string, rows)
	for _, p := range picture.Texts {
		if p.X%cellWidth != 0 || (p.Y-baseline)%cellHeight != 0 {
			t.Fatalf("%q stands at %d,%d, which is no cell", p.Text, p.X, p.Y)
		}
		y := (p.Y - baseline) / cellHeight
		lines[y] += strings.Repeat(" ", p.X/cellWidth-ansi.StringWidth(lines[y])) + p.Text
		if got := ansi.StringWidth(p.Text) * cellWidth; got != p.Length || p.X+p.Length > cols*cellWidth {
			t.Fatalf("%q is given %d pixels of a row of %d, and needs %d", p.Text, p.Length, cols*cellWidth, got)
		}
	}
	return picture.Title, lines
}

// rowsOf are the rows of a terminal, without the blanks at their ends.
func rowsOf(screen *vt.Emulator) []string {
	lines := strings.Split(screen.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

func TestPictureHoldsEveryCellWhereTheTerminalHasIt(t *testing.T) {
	screen := vt.NewEmulator(30, 5)
	_, _ = screen.WriteString("a <b> & \"c\"   d\r\n" +
		"名前 x 東京  y zoë│z\r\n" +
		"\x1b[31mred\x1b[0m \x1b[1;7m bold \x1b[0m \x1b[2mfaint\x1b[0m\r\n" +
		"\r\n" + strings.Repeat("z", 30))
	svg, err := drawSVG("Names & <titles>", screen)
	if err != nil {
		t.Fatal(err)
	}
	title, lines := textOf(t, svg, 30, 5)
	if title != "Names & <titles>" {
		t.Errorf("the title is %q", title)
	}
	if diff := cmp.Diff(rowsOf(screen), lines); diff != "" {
		t.Errorf("rows differ (-terminal +picture):\n%s", diff)
	}
	for _, want := range []string{
		`<rect x="32" y="36" width="48" height="18" fill="#d8dee4"/>`, // under all of " bold "
		`<text x="40" y="49" textLength="32" class="b" style="fill:#16191d">bold</text>`,
		`<text x="88" y="49" textLength="40" class="f">faint</text>`,
		`<text x="0" y="49" textLength="24" style="fill:#ff7b72">red</text>`,
		`<text x="0" y="31" textLength="16">名</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s\n%s", want, svg)
		}
	}
}

// TestPictureIsLegible measures contrast as WCAG does; 4.5 is its least for text.
func TestPictureIsLegible(t *testing.T) {
	light := func(colour string) float64 {
		rgb, err := strconv.ParseUint(colour[1:], 16, 24)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
			part := float64(rgb>>(8*i)&0xff) / 255
			if part <= 0.04045 {
				sum += weight * part / 12.92
			} else {
				sum += weight * math.Pow((part+0.055)/1.055, 2.4)
			}
		}
		return sum
	}
	for _, colour := range append(paletteColours[:], textColour) {
		if contrast := (light(colour) + 0.05) / (light(groundColour) + 0.05); contrast < 4.5 {
			t.Errorf("%s has a contrast of %.1f to the ground", colour, contrast)
		}
	}
}

func TestPictureRefusesWhatItCannotDraw(t *testing.T) {
	for _, sequence := range []string{"\x1b[38;5;196m", "\x1b[48;2;1;2;3m", "\x1b[3m", "\x1b[4m"} {
		screen := vt.NewEmulator(10, 1)
		_, _ = screen.WriteString(sequence + "x")
		if _, err := drawSVG("", screen); err == nil || !strings.Contains(err.Error(), "row 1, column 1") {
			t.Errorf("%s: %v", strconv.Quote(sequence), err)
		}
	}
}
