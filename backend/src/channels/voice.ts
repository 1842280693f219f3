// Voice notes must be Ogg with Opus; what browsers and the desk record is converted where the machine has ffmpeg.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file WhatsApp takes as a voice note, or null when it cannot be made: then the recording is sent as plain audio. */
export async function voiceNote(path: string, mime: string): Promise<{ path: string } | { bytes: Buffer } | null> {
  if (/^audio\/ogg\b/.test(mime)) return { path }
  const ffmpeg = Bun.which('ffmpeg')
  if (!ffmpeg) return null
  const folder = await mkdtemp(join(tmpdir(), 'balcao-voice-'))
  const made = join(folder, 'voice.ogg')
  try {
    const run = Bun.spawn(
      [ffmpeg, '-v', 'error', '-i', path, '-vn', '-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '32k', made],
      { stdout: 'ignore', stderr: 'ignore', timeout: 60_000 },
    )
    return (await run.exited) === 0 ? { bytes: await readFile(made) } : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
