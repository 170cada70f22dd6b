package simulate

import "slices"

// qwenVL7B reads images: the shape of its language model, from the published configuration, in bf16. Its encoder does a
// tenth of the work on an image's tokens, and is left out.
var qwenVL7B = model{"Qwen/Qwen2.5-VL-7B-Instruct", 7.6e9, 28, 4, 128, 3584, 2, mixture{}}

// An image of one megapixel: Qwen2.5-VL makes a token of 28 x 28 pixels, out of four patches of 1,176 numbers.
const (
	imageTokens = 1300
	imageBytes  = imageTokens * 4 * 1176 * 4
	// mediaSeconds is the CPU of the API process for a new image, by judgement: decode, resize, normalise, cut into patches,
	// hash, hand over 24 MB. One that the cache has is only decoded and hashed.
	mediaSeconds       = 0.1
	mediaCachedSeconds = 0.015
	// mediaCacheBytes is vLLM's default of --mm-processor-cache-gb.
	mediaCacheBytes = 4 << 30
)

// mediaCache is the API process's cache of prepared images, the one used last at the end.
type mediaCache struct {
	images        []int
	queries, hits int // since the last report
}

// prepare is how long the images of a request take.
func (c *mediaCache) prepare(images []int) (seconds float64) {
	for _, image := range images {
		c.queries++
		if i := slices.Index(c.images, image); i >= 0 {
			c.hits++
			c.images = append(slices.Delete(c.images, i, i+1), image)
			seconds += mediaCachedSeconds
			continue
		}
		c.images = append(c.images, image)
		if len(c.images) > mediaCacheBytes/imageBytes {
			c.images = c.images[1:]
		}
		seconds += mediaSeconds
	}
	return seconds
}

// tell hands the counts over to the metrics of an engine, whichever reports first.
func (c *mediaCache) tell(m *engineMetrics) {
	m.mediaQueries += float64(c.queries)
	m.mediaHits += float64(c.hits)
	c.queries, c.hits = 0, 0
}

// choose draws the images of a request: out of a gallery, or new ones.
func (t *traffic) choose() []int {
	var images []int
	for range t.images {
		if t.gallery > 0 {
			images = append(images, t.random.IntN(t.gallery))
			continue
		}
		images = append(images, t.random.Int())
	}
	return images
}
