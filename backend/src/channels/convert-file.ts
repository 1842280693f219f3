// A file of our store as a kind of connection takes it (contract/file-kinds): as it is, converted, or as a document.
import { type FileUse, findFileWay, KIND_TABLE, type Kind, playedCodecs } from '@balcao/contract'
import { ALL_FORMATS, BufferTarget, Conversion, FilePathSource, Input, Mp4OutputFormat, OGG, Output } from 'mediabunny'
import { transcode } from '../ffmpeg.ts'
import { ChannelError, type DriverHost, type Outgoing } from './driver.ts'
import { voiceNote } from './voice.ts'

type FileMessage = Pick<Extract<Outgoing, { type: 'media' }>, 'media' | 'mediaId' | 'mime' | 'name' | 'voice'>

export interface FileForKind {
  readonly as: FileUse
  readonly mime: string
  readonly name: string
  readonly file: Blob
  readonly voice: boolean
}

/** For kinds that are sent files as they are: what they do not show in the conversation is a document. */
export function asTaken(kind: Kind, message: Outgoing): Outgoing {
  if (message.type !== 'media') return message
  const way = findFileWay(kind, message.media, message.mime)
  return way?.as === 'application' && !way.isMade ? { ...message, media: way.as } : message
}

/** Throws `ChannelError` (`file_type`) for what this kind takes in no form. */
export async function convertFile(
  kind: Kind,
  host: Pick<DriverHost, 'openMedia'>,
  message: FileMessage,
): Promise<FileForKind> {
  const { path } = await host.openMedia(message.mediaId)
  const note = message.media === 'audio' && message.voice ? await voiceNote(path, message.mime) : null
  if (note) {
    const file = 'bytes' in note ? new Blob([new Uint8Array(note.bytes)]) : Bun.file(note.path)
    return { as: 'audio', mime: 'audio/ogg; codecs=opus', name: message.name, file, voice: true }
  }
  const way = findFileWay(kind, message.media, message.mime)
  if (!way) throw unsendable()
  const given = { as: way.as, mime: way.mime, name: message.name, file: Bun.file(path), voice: false }
  const isReady = !way.isMade && (await isPlayed(kind, path, way.as))
  const made = isReady ? given : await convert(kind, path, given)
  if (made && made.file.size <= KIND_TABLE[kind].can.maxBytes[made.as]) return made
  return asDocument(kind, made ?? { ...given, mime: message.mime })
}

/** What is too large for its kind, or could not be converted, goes as a document. */
function asDocument(kind: Kind, file: FileForKind): FileForKind {
  const way = findFileWay(kind, 'application', file.mime)
  if (!way) throw unsendable()
  return { ...file, as: way.as, mime: way.mime }
}

function unsendable(): ChannelError {
  return new ChannelError('file_type', 'This kind of connection takes no such file')
}

async function convert(kind: Kind, path: string, given: FileForKind): Promise<FileForKind | null> {
  const made = (bytes: Uint8Array | null, mime: string, ending: string, as = given.as): FileForKind | null => {
    const name = given.name.replace(/(\.\w{1,5})?$/, ending)
    return bytes && { as, mime, name, file: new Blob([new Uint8Array(bytes)]), voice: false }
  }
  switch (given.as) {
    case 'image': {
      const png = made(await drawAs(path, 'png'), 'image/png', '.png')
      const fits = png !== null && png.file.size <= KIND_TABLE[kind].can.maxBytes.image
      return fits ? png : made(await drawAs(path, 'jpeg'), 'image/jpeg', '.jpg')
    }
    case 'video': {
      const isFilm = await isPlayed(kind, path, 'video')
      const film = isFilm ? null : made(await transcode(path, 'mp4'), 'video/mp4', '.mp4')
      // What nobody can transcode here is a document at least, in a wrapping that is taken.
      return film ?? made(await rewrap(path), 'video/mp4', '.mp4', isFilm ? 'video' : 'application')
    }
    case 'audio':
      return made(await transcode(path, 'ogg'), 'audio/ogg; codecs=opus', '.ogg')
    default:
      return null
  }
}

/** Whether its codecs are those that are played; of what cannot be read the provider decides. */
async function isPlayed(kind: Kind, path: string, as: FileUse): Promise<boolean> {
  const codecs = playedCodecs(kind)
  if (!codecs || (as !== 'video' && as !== 'audio')) return true
  try {
    using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
    if (!(await input.canRead())) return true
    const isOgg = (await input.getFormat()) === OGG
    const sound = as === 'video' ? codecs.audio : isOgg ? codecs.ogg : null
    const [films, sounds] = await Promise.all([input.getVideoTracks(), input.getAudioTracks()])
    return (
      films.every(track => track.codec === codecs.video) &&
      (sound === null || sounds.every(track => track.codec === sound))
    )
  } catch {
    return true
  }
}

/** The same film and sound in an MP4. */
async function rewrap(path: string): Promise<Uint8Array | null> {
  try {
    using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat(), target })
    const conversion = await Conversion.init({ input, output, showWarnings: false })
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return null
    await conversion.execute()
    return target.buffer && new Uint8Array(target.buffer)
  } catch {
    return null
  }
}

async function drawAs(path: string, form: 'png' | 'jpeg'): Promise<Uint8Array | null> {
  try {
    const image = new Bun.Image(path)
    return await (form === 'png' ? image.png() : image.jpeg({ quality: 85 })).bytes()
  } catch {
    return null
  }
}
