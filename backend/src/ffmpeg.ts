// Sound and films in another form, where the machine has ffmpeg.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOUND = ['-vn', '-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '32k']
const FILM = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-pix_fmt',
  'yuv420p',
  '-vf',
  'scale=trunc(iw/2)*2:trunc(ih/2)*2',
]
const FORMS = { ogg: SOUND, mp4: [...FILM, '-c:a', 'aac', '-movflags', '+faststart'] } as const

export function hasFfmpeg(): boolean {
  return Bun.which('ffmpeg') !== null
}

/** Null: it cannot be made here, or not of this file. */
export async function transcode(path: string, form: keyof typeof FORMS): Promise<Buffer | null> {
  const ffmpeg = Bun.which('ffmpeg')
  if (!ffmpeg) return null
  const folder = await mkdtemp(join(tmpdir(), 'balcao-file-'))
  const made = join(folder, `made.${form}`)
  try {
    const run = Bun.spawn([ffmpeg, '-v', 'error', '-i', path, ...FORMS[form], made], {
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: 60_000,
    })
    return (await run.exited) === 0 ? await readFile(made) : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
