// Command palette reads a picture of a page from standard input and writes it with 256 colours, in
// half the bytes.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"os"
	"slices"
)

func main() {
	if err := shrink(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "palette:", err)
		os.Exit(1)
	}
}

func shrink(in io.Reader, out io.Writer) error {
	picture, err := png.Decode(in)
	if err != nil {
		return err
	}
	small := image.NewPaletted(picture.Bounds(), mostFrequent(picture, 256))
	draw.Draw(small, small.Bounds(), picture, picture.Bounds().Min, draw.Src)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(out, small)
}

// colours are the pixels of colours that are alike.
type colours struct {
	pixels int
	most   color.RGBA // the one that most of them have
	alike  map[color.RGBA]int
}

// mostFrequent returns n colours: the most frequent colour of each set of similar colours, for the
// sets with the most pixels.
func mostFrequent(picture image.Image, n int) color.Palette {
	sets := map[color.RGBA]*colours{}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			const coarse = 0xf0
			key := color.RGBA{R: c.R & coarse, G: c.G & coarse, B: c.B & coarse}
			if sets[key] == nil {
				sets[key] = &colours{alike: map[color.RGBA]int{}}
			}
			sets[key].add(c)
		}
	}
	all := slices.SortedFunc(maps.Values(sets),
		func(a, b *colours) int { return b.pixels - a.pixels })
	var palette color.Palette
	for _, set := range all[:min(n, len(all))] {
		palette = append(palette, set.most)
	}
	return palette
}

func (c *colours) add(pixel color.RGBA) {
	c.pixels++
	c.alike[pixel]++
	if c.alike[pixel] > c.alike[c.most] {
		c.most = pixel
	}
}
