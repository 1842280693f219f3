// The body of a location, the same for all kinds (spec 1 §2).

const LARGEST_THUMBNAIL = 16 * 1024

/**
 * Image, link and optional description, separated by pipes. The image may be empty.
 * @example formatLocationBody({ lat: -19.9, lng: -43.9, thumbnail: null, description: 'Loja' }) // '|https://maps.google.com/maps?q=-19.9%2C-43.9&z=17|Loja'
 */
export function formatLocationBody(place: {
  lat: number
  lng: number
  thumbnail: Uint8Array | null
  description: string
}): string {
  const { thumbnail } = place
  const fits = thumbnail && thumbnail.length > 0 && thumbnail.length <= LARGEST_THUMBNAIL
  const image = fits ? `data:image/jpeg;base64,${Buffer.from(thumbnail).toString('base64')}` : ''
  const link = `https://maps.google.com/maps?q=${encodeURIComponent(`${place.lat},${place.lng}`)}&z=17`
  return [image, link, ...(place.description ? [place.description.replaceAll('|', '/')] : [])].join('|')
}
