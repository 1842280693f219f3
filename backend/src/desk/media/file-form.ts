// As what a kind of connection sends a file (contract/file-kinds), told by its bytes: asked before there is a message, and when it is sent.
import { type FileUse, findFileFormat, getPlayableCodecs, isMovingPicture, type Kind } from '@balcao/contract'
import type { Outgoing } from '../../platform/channel/driver.ts'
import { canDecode } from '../../platform/ffmpeg.ts'
import { isMoving } from './moving-picture.ts'

type FileMessage = Pick<Extract<Outgoing, { type: 'media' }>, 'caption' | 'media' | 'mime'>

/** What becomes of a file; `rewrap`: the same film in an MP4. */
export interface FileForm {
  readonly as: FileUse
  readonly mime: string
  readonly make?: 'picture' | 'rewrap' | 'film' | 'sound'
  readonly loops?: boolean
}

/** As what this kind sends a file, of as much as its bytes tell; null: in no form. */
export async function findFileForm(kind: Kind, path: string, message: FileMessage): Promise<FileForm | null> {
  const { media, mime } = message
  if (media === 'image' && isMovingPicture(mime) && (await isMoving(path, mime)))
    return findMovingForm(kind, path, message)
  const way = findFileFormat(kind, media, mime)
  if (way?.as === 'image' && way.isMade)
    return (await canDraw(path)) ? { ...way, make: 'picture' } : findDocument(kind, mime)
  const codecs = getPlayableCodecs(kind)
  if (!way || !codecs || (way.as !== 'video' && way.as !== 'audio')) return way
  const tracks = await readTracks(path)
  // Sound that is taken and cannot be read here, such as AMR, the provider decides on.
  if (!tracks && way.as === 'audio' && !way.isMade) return way
  if (tracks && isPlayed(tracks, codecs, way.as)) {
    if (!way.isMade) return way
    if (way.as === 'video') return { ...way, make: 'rewrap' }
  }
  if (await canDecode(path))
    return way.as === 'video'
      ? { as: 'video', mime: 'video/mp4', make: 'film' }
      : { as: 'audio', mime: 'audio/ogg; codecs=opus', make: 'sound' }
  const document = findDocument(kind, mime)
  // What nobody can transcode here is a document at least, in a wrapping that is taken.
  if (document || !tracks || way.as !== 'video') return document
  return { as: 'application', mime: 'video/mp4', make: 'rewrap' }
}

/** A film that plays over and over, else a sticker, which moves as well but has no words, else a document: never its first moment alone. */
async function findMovingForm(
  kind: Kind,
  path: string,
  { mime, caption }: Pick<FileMessage, 'caption' | 'mime'>,
): Promise<FileForm | null> {
  if (await canDecode(path)) return { as: 'video', mime: 'video/mp4', make: 'film', loops: true }
  const sticker = caption ? null : findFileFormat(kind, 'sticker', mime)
  if (sticker?.as === 'sticker' && (await isSticker(path))) return sticker
  return findDocument(kind, mime)
}

function findDocument(kind: Kind, mime: string): FileForm | null {
  return findFileFormat(kind, 'application', mime)
}

interface Tracks {
  readonly isOgg: boolean
  readonly video: readonly (string | null)[]
  readonly audio: readonly (string | null)[]
}

/** The codecs in a film or sound; null: it cannot be read. */
async function readTracks(path: string): Promise<Tracks | null> {
  try {
    const { ALL_FORMATS, FilePathSource, Input, OGG } = await import('mediabunny')
    using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
    if (!(await input.canRead())) return null
    const isOgg = (await input.getFormat()) === OGG
    const [films, sounds] = await Promise.all([input.getVideoTracks(), input.getAudioTracks()])
    if (films.length + sounds.length === 0) return null
    return { isOgg, video: films.map(track => track.codec), audio: sounds.map(track => track.codec) }
  } catch {
    return null
  }
}

function isPlayed(
  { isOgg, video, audio }: Tracks,
  codecs: NonNullable<ReturnType<typeof getPlayableCodecs>>,
  as: 'video' | 'audio',
): boolean {
  const sound = as === 'video' ? codecs.audio : isOgg ? codecs.ogg : null
  return video.every(codec => codec === codecs.video) && (sound === null || audio.every(codec => codec === sound))
}

/** Its pixels, in a small picture: what is cut short has a head like any other. */
async function canDraw(path: string): Promise<boolean> {
  try {
    await new Bun.Image(path).resize(16, 16, { fit: 'inside' }).png().bytes()
    return true
  } catch {
    return false
  }
}

/** WhatsApp's rule for stickers. */
async function isSticker(path: string): Promise<boolean> {
  try {
    const { width, height } = await new Bun.Image(path).metadata()
    return width === 512 && height === 512 && Bun.file(path).size <= 500_000
  } catch {
    return false
  }
}
