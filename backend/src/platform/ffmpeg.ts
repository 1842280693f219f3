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
  "scale='max(2,trunc(iw/2)*2)':'max(2,trunc(ih/2)*2)'",
]
const QUIET = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', timeout: 60_000 } as const
const FORMS = { ogg: SOUND, mp4: [...FILM, '-c:a', 'aac', '-movflags', '+faststart'] } as const

export function hasFfmpeg(): boolean {
  return findFfmpeg() !== null
}

/** By the PATH of now: by itself Bun looks in the one the process began with. */
function findFfmpeg(): string | null {
  return Bun.which('ffmpeg', { PATH: process.env.PATH ?? '' })
}

/** Whether this machine can open the file and decode its beginning. */
export async function canDecode(path: string): Promise<boolean> {
  const ffmpeg = findFfmpeg()
  if (!ffmpeg) return false
  const probe = ['-v', 'error', '-xerror', '-t', '1', '-i', path, '-f', 'null', '-']
  return (await Bun.spawn([ffmpeg, ...probe], QUIET).exited) === 0
}

/** Null: it cannot be made here, or not of this file. */
export async function transcode(path: string, form: keyof typeof FORMS): Promise<Buffer | null> {
  const ffmpeg = findFfmpeg()
  if (!ffmpeg) return null
  const folder = await mkdtemp(join(tmpdir(), 'balcao-file-'))
  const made = join(folder, `made.${form}`)
  try {
    const run = Bun.spawn([ffmpeg, '-v', 'error', '-i', path, ...FORMS[form], made], QUIET)
    return (await run.exited) === 0 ? await readFile(made) : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
