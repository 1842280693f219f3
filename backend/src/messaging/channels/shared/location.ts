// The body of a location, the same for all kinds (spec 1 §2).

const LARGEST_THUMBNAIL = 16 * 1024

interface Location {
  readonly lat: number | null | undefined
  readonly lng: number | null | undefined
  /** The bytes, or those in base64. */
  readonly thumbnail?: Uint8Array | string | null | undefined
  /** What is said of it: a name, an address, a remark. */
  readonly words: readonly (string | null | undefined)[]
}

/**
 * Image, link and optional description, separated by pipes. The image may be empty.
 * @example toLocationContent({ lat: -19.9, lng: -43.9, words: ['Loja'] }).body // '|https://maps.google.com/maps?q=-19.9%2C-43.9&z=17|Loja'
 */
export function toLocationContent({ lat, lng, thumbnail: picture, words }: Location) {
  const thumbnail = typeof picture === 'string' ? Buffer.from(picture, 'base64') : picture
  const fits = thumbnail && thumbnail.length > 0 && thumbnail.length <= LARGEST_THUMBNAIL
  const image = fits ? `data:image/jpeg;base64,${Buffer.from(thumbnail).toString('base64')}` : ''
  const link = `https://maps.google.com/maps?q=${encodeURIComponent(`${lat || 0},${lng || 0}`)}&z=17`
  const description = words.filter(Boolean).join(' - ').replaceAll('|', '/')
  return { mediaType: 'location', body: [image, link, ...(description ? [description] : [])].join('|') } as const
}
