// Voice notes must be Ogg with Opus; what browsers and the desk record is converted where the machine has ffmpeg.
import { transcode } from '../../../platform/ffmpeg.ts'

/** A file WhatsApp takes as a voice note, or null when it cannot be made: then the recording is sent as plain audio. */
export async function createVoiceNote(
  path: string,
  mime: string,
): Promise<{ path: string } | { bytes: Buffer } | null> {
  if (/^audio\/ogg\b/.test(mime)) return { path }
  const bytes = await transcode(path, 'ogg')
  return bytes && { bytes }
}
