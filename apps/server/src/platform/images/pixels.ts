/** Decoded image: four bytes a pixel, red, green, blue and opacity. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The largest square in the middle of an image, scaled to `size` pixels. Each new pixel is the average of those it covers. */
export function toSquare({ data, width, height }: Pixels, size: number): Pixels {
  const side = Math.min(width, height);
  const left = (width - side) >> 1;
  const top = (height - side) >> 1;
  const square = new Uint8ClampedArray(size * size * 4);
  /** The old pixels that a new one covers: at least one, even if the image is enlarged. */
  const range = (at: number): [number, number] => {
    const first = Math.floor((at * side) / size);
    return [first, Math.max(first + 1, Math.floor(((at + 1) * side) / size))];
  };
  for (let y = 0; y < size; y += 1) {
    const rows = range(y);
    for (let x = 0; x < size; x += 1) {
      const columns = range(x);
      const area = { left: left + columns[0], right: left + columns[1], top: top + rows[0], bottom: top + rows[1] };
      square.set(averageColor(data, width, area), (y * size + x) * 4);
    }
  }
  return { data: square, width: size, height: size };
}

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Average color of an area. Transparent pixels have no color, so opacity is the weight. */
function averageColor(data: Uint8ClampedArray, width: number, { left, right, top, bottom }: Area): number[] {
  const sums = [0, 0, 0];
  let weights = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 4;
      const weight = data[at + 3] as number;
      weights += weight;
      for (const part of [0, 1, 2]) sums[part] = (sums[part] as number) + (data[at + part] as number) * weight;
    }
  }
  const colors = sums.map((sum) => (weights === 0 ? 0 : sum / weights));
  return [...colors, weights / ((right - left) * (bottom - top))];
}
