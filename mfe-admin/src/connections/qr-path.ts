// A QR code as one SVG path; the package that computes it arrives with the first code that is shown.

export interface QrDrawing {
  /** Modules per side, without the quiet zone. */
  readonly size: number
  readonly path: string
}

/** Side of the room for the code, in CSS pixels; around it the white box is its quiet zone. */
export const QR_ROOM = 288

/** Modules of fewer device pixels are hard to read, for cameras and from screenshots alike. */
const LEAST_MODULE = 4

/**
 * The strongest error correction whose modules are still large enough: the logo costs some 3 %, the weakest here mends 15 %.
 * `density` is the device's pixels per CSS pixel.
 */
export async function drawQr(text: string, density = 1): Promise<QrDrawing> {
  const { create } = await import(/* webpackChunkName: "qrcode" */ 'qrcode')
  const made = (['H', 'Q', 'M'] as const).map(errorCorrectionLevel => create(text, { errorCorrectionLevel }).modules)
  const modules = made.find(({ size }) => (QR_ROOM * density) / size >= LEAST_MODULE) ?? made[made.length - 1]
  if (!modules) throw new Error('No QR code could be made')
  return { size: modules.size, path: drawQrPath(modules.size, (row, column) => modules.get(row, column) !== 0) }
}

/** Side of the drawing in CSS pixels: every module a whole number of device pixels, so that none is wider than the next. */
export function computeQrSide(size: number, density: number) {
  return (Math.max(1, Math.floor((QR_ROOM * density) / size)) * size) / density
}

/** One rectangle for each run of dark modules in a row. */
export function drawQrPath(size: number, dark: (row: number, column: number) => boolean) {
  let path = ''
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!dark(row, column)) continue
      const start = column
      while (column < size && dark(row, column)) column += 1
      path += `M${start} ${row}h${column - start}v1h${start - column}z`
    }
  }
  return path
}
