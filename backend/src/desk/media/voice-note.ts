// A recording of a browser in the form voice notes have: Ogg with Opus. Chromium writes the same sound into WebM, so only the
// wrapping changes. Other sound is left as it is; the channel converts it where the machine has ffmpeg.
import type { MediaStorage } from './storage.ts'
import { type NewMedia, openMedia, removeMedia, type StoredMedia, storeMedia } from './store.ts'

/** Gives the recording as a voice note in the store, or what was given when it cannot be rewrapped. */
export async function convertToVoiceNote(
  place: MediaStorage,
  stored: StoredMedia,
  media: NewMedia,
): Promise<StoredMedia> {
  if (!/^(audio|video)\/(webm|mp4|x-m4a|x-matroska)/.test(stored.mime)) return stored
  const file = await openMedia(place, stored.id)
  const bytes = file && (await rewrapped(file.path))
  if (!bytes) return stored
  const name = stored.name.replace(/(\.\w{1,5})?$/, '.ogg')
  const note = await storeMedia(place, new Blob([bytes]).stream(), { ...media, name })
  await removeMedia(place, [stored.id])
  return note
}

/** The Opus packets of a file in an Ogg file; null when it holds other sound or none, or cannot be read: it then stays a plain file. */
async function rewrapped(path: string): Promise<ArrayBuffer | null> {
  try {
    return await convertToOgg(path)
  } catch {
    return null
  }
}

async function convertToOgg(path: string): Promise<ArrayBuffer | null> {
  const {
    BufferTarget,
    EncodedAudioPacketSource,
    EncodedPacketSink,
    FilePathSource,
    Input,
    MP4,
    OggOutputFormat,
    Output,
    WEBM,
  } = await import('mediabunny')
  using input = new Input({ source: new FilePathSource(path), formats: [WEBM, MP4] })
  if (!(await input.canRead())) return null
  const track = await input.getPrimaryAudioTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig?.description || track.codec !== 'opus') return null
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat(), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig })
  await output.finalize()
  return target.buffer?.byteLength ? target.buffer : null
}
