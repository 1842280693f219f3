// A file of our store as a kind of connection takes it (contract/file-kinds): as it is, converted, or as a document.
import { type FileUse, findFileFormat, isLinkedDevice, KIND_TABLE, type Kind } from '@balcao/contract'
import { type FileForm, findFileForm } from '../../../desk/media/file-form.ts'
import { ChannelError, type DriverHost, type Outgoing } from '../../../platform/channel/driver.ts'
import { transcode } from '../../../platform/ffmpeg.ts'
import { createVoiceNote } from './voice.ts'

type FileMessage = Pick<
  Extract<Outgoing, { type: 'media' }>,
  'caption' | 'media' | 'mediaId' | 'mime' | 'name' | 'voice'
>

/** Where it lies, or what was made of it. */
type FileContent = { readonly path: string } | { readonly bytes: Uint8Array }

export interface FileForKind {
  readonly as: FileUse
  readonly mime: string
  readonly name: string
  readonly content: FileContent
  readonly voice: boolean
  /** A film without sound that plays over and over: a picture that moves. */
  readonly loops: boolean
}

/**
 * Throws `ChannelError`: `file_type` for what this kind takes in no form, `no_file`, and `not_handed_over` where something of ours failed on
 * the way, the database or the store of files.
 */
export async function convertFile(
  kind: Kind,
  host: Pick<DriverHost, 'openMedia'>,
  message: FileMessage,
): Promise<FileForKind> {
  try {
    return await openAndConvert(kind, host, message)
  } catch (error) {
    if (error instanceof ChannelError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing
      ? new ChannelError('no_file', 'The file is not there any more')
      : new ChannelError('not_handed_over', 'The file is not at hand')
  }
}

async function openAndConvert(
  kind: Kind,
  host: Pick<DriverHost, 'openMedia'>,
  message: FileMessage,
): Promise<FileForKind> {
  const { path } = await host.openMedia(message.mediaId)
  const note = message.media === 'audio' && message.voice ? await createVoiceNote(path, message.mime) : null
  if (note)
    return { as: 'audio', mime: 'audio/ogg; codecs=opus', name: message.name, content: note, voice: true, loops: false }
  const form = await findFileForm(kind, path, message)
  if (!form) throw unsendable()
  // A phone's line is given the whole type, its codecs too.
  const untouched = isLinkedDevice(KIND_TABLE[kind].can) ? { ...form, mime: message.mime } : form
  const made = form.make ? await make(kind, path, form, message) : toFile(untouched, message, { path })
  if (made && (await sizeInBytes(made.content)) <= KIND_TABLE[kind].can.maxBytes[made.as]) return made
  const document = findFileFormat(kind, 'application', made?.mime ?? message.mime)
  if (!document) throw unsendable()
  return toFile(document, made ?? message, made?.content ?? { path })
}

function unsendable(): ChannelError {
  return new ChannelError('file_type', 'This kind of connection takes no such file')
}

function toFile(
  { as, mime, loops = false }: FileForm,
  { name }: Pick<FileMessage, 'name'>,
  content: FileContent,
): FileForKind {
  return { as, mime, name, content, voice: false, loops }
}

export function toBlob(content: FileContent): Blob {
  return 'path' in content ? Bun.file(content.path) : new Blob([new Uint8Array(content.bytes)])
}

async function sizeInBytes(content: FileContent): Promise<number> {
  return 'path' in content ? Bun.file(content.path).size : content.bytes.length
}

async function make(kind: Kind, path: string, form: FileForm, message: FileMessage): Promise<FileForKind | null> {
  const made = (bytes: Uint8Array | null, ending: string, mime = form.mime): FileForKind | null => {
    const name = message.name.replace(/(\.\w{1,5})?$/, ending)
    return bytes && toFile({ ...form, mime }, { name }, { bytes })
  }
  switch (form.make) {
    case 'picture': {
      const png = await drawAs(path, 'png')
      const fits = png !== null && png.length <= KIND_TABLE[kind].can.maxBytes.image
      return fits ? made(png, '.png') : made(await drawAs(path, 'jpeg'), '.jpg', 'image/jpeg')
    }
    case 'rewrap':
      return made(await rewrap(path), '.mp4')
    case 'film':
      return made(await transcode(path, 'mp4'), '.mp4')
    case 'sound':
      return made(await transcode(path, 'ogg'), '.ogg')
    default:
      return null
  }
}

/** The same film and sound in an MP4. */
async function rewrap(path: string): Promise<Uint8Array | null> {
  try {
    const { ALL_FORMATS, BufferTarget, Conversion, FilePathSource, Input, Mp4OutputFormat, Output } = await import(
      'mediabunny'
    )
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
