// Files people attach every day, as the kinds of connections take them: as they are, converted, as documents, or refused before.
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canCarryFileType, findFileFormat, KIND_TABLE, KINDS, type Kind, SCHEDULE_MIMES } from '@balcao/contract'
import { findFileForm } from '../../src/desk/media/file-form.ts'
import { detectFileType, toMediaKind } from '../../src/desk/media/file-type.ts'
import { canSendFile } from '../../src/desk/messages/fits.ts'
import { buildContent } from '../../src/messaging/channels/baileys/outgoing.ts'
import { convertFile, toBlob } from '../../src/messaging/channels/shared/convert-file.ts'
import { NOT_HANDED_OVER, toFailure } from '../../src/messaging/channels/shared/own-failures.ts'
import { buildSendCommand } from '../../src/messaging/channels/wwebjs/outgoing.ts'
import { toSendable } from '../../src/messaging/channels/wwebjs/sendable.ts'
import { ChannelError } from '../../src/platform/channel/driver.ts'
import { MOV, MP4, WEBM } from './films.ts'
import { AMR, HEIC } from './phone-files.ts'

const home = await mkdtemp(join(tmpdir(), 'balcao-file-for-test-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const base64 = (text: string) => Buffer.from(text, 'base64')
const WEBP = base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const GIF = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
const BMP = Buffer.from(
  '424d3a0000000000000036000000280000000100000001000000010018000000000004000000c40e0000c40e00000000000000000000ffffff00',
  'hex',
)

/** Two pictures, one after the other. */
const MOVING_GIF = Buffer.concat([GIF.subarray(0, -1), GIF.subarray(19)])
/** The head of an animation of these sides. */
function movingWebp(side: number): Buffer {
  const canvas = Buffer.alloc(10)
  canvas[0] = 0x02
  canvas.writeUIntLE(side - 1, 4, 3)
  canvas.writeUIntLE(side - 1, 7, 3)
  return Buffer.concat([
    Buffer.from('RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
    canvas,
    Buffer.from('ANIM\0\0\0\0', 'latin1'),
  ])
}

const MACHINE_PATH = process.env.PATH ?? ''
const REAL_FFMPEG = Bun.which('ffmpeg')
afterEach(() => {
  process.env.PATH = MACHINE_PATH
})

function withoutFfmpeg(): void {
  process.env.PATH = join(home, 'nothing-there')
}

/** A program that notes what it is asked, decodes everything but what is called "quebrado", and gives out an MP4. */
async function withStandIn(): Promise<() => Promise<string[]>> {
  const folder = await mkdtemp(join(home, 'bin-'))
  const film = join(folder, 'film')
  await Bun.write(film, MP4)
  const script = `#!/bin/sh
echo "$*" >> ${folder}/asked
case "$*" in *quebrado*) exit 1;; esac
for last; do :; done
[ "$last" = - ] || /bin/cp ${film} "$last"`
  await Bun.write(join(folder, 'ffmpeg'), script)
  await chmod(join(folder, 'ffmpeg'), 0o755)
  process.env.PATH = folder
  return async () => (await Bun.file(join(folder, 'asked')).text()).trim().split('\n')
}

/** A file as a kind is sent it, after the desk looked at its bytes. */
async function sent(
  bytes: Uint8Array,
  name: string,
  kind: Kind = 'cloud_api',
  more: { readonly caption?: string } = {},
) {
  const path = join(home, `${Bun.randomUUIDv7()}-${name}`)
  await Bun.write(path, bytes)
  const mime = await detectFileType(bytes, name)
  const openMedia = async () => ({ path, size: bytes.length, mime, name })
  const made = await convertFile(kind, { openMedia }, { media: toMediaKind(mime), mediaId: 'f', mime, name, ...more })
  const { content, ...said } = made
  return { ...said, is: await detectFileType(await toBlob(content).bytes(), made.name) }
}

/** Whether a kind can send it at all, as it is asked before there is a message. */
async function canSend(bytes: Uint8Array, name: string, kind: Kind = 'cloud_api'): Promise<boolean> {
  const path = join(home, `${Bun.randomUUIDv7()}-${name}`)
  await Bun.write(path, bytes)
  const mime = await detectFileType(bytes, name)
  return (await findFileForm(kind, path, { media: toMediaKind(mime), mime })) !== null
}

describe('on the official API', () => {
  test.each([
    ['figura.webp', WEBP],
    ['parado.gif', GIF],
    ['scan.bmp', BMP],
  ])('%s is made into a picture that Meta takes', async (name, bytes) => {
    const made = await sent(bytes, name)
    expect(made).toMatchObject({ as: 'image', mime: 'image/png', is: 'image/png' })
    expect(made.name).toBe(name.replace(/\.\w+$/, '.png'))
  })

  test('a film of an iPhone gets the wrapping that Meta takes, its pictures as they are', async () => {
    expect(await detectFileType(MOV, 'video.mov')).toBe('video/quicktime')
    expect(await sent(MOV, 'video.mov')).toMatchObject({
      as: 'video',
      mime: 'video/mp4',
      is: 'video/mp4',
      name: 'video.mp4',
    })
  })

  test('a film in a codec that WhatsApp does not play is a document in an MP4 on a machine without ffmpeg', async () => {
    withoutFfmpeg()
    expect(await sent(WEBM, 'tela.webm')).toMatchObject({ as: 'application', mime: 'video/mp4', is: 'video/mp4' })
  })

  test('a film in a codec that WhatsApp does not play is transcoded where the machine has ffmpeg', async () => {
    const readFormats = await withStandIn()
    expect(await sent(WEBM, 'tela.webm')).toMatchObject({
      as: 'video',
      mime: 'video/mp4',
      name: 'tela.mp4',
      loops: false,
    })
    const [look, make] = await readFormats()
    expect(look).toMatch(/-xerror -t 1 -i \S+tela\.webm -f null -$/)
    expect(make).toMatch(/-i \S+tela\.webm -c:v libx264 .*-pix_fmt yuv420p .*-c:a aac .*made\.mp4$/)
  })

  test('sound in a form that Meta refuses becomes Opus in Ogg where the machine has ffmpeg, and is refused before it is sent elsewhere', async () => {
    const wav = Buffer.concat([Buffer.from('RIFF$\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(28)])
    withoutFfmpeg()
    expect(await canSend(wav, 'som.wav')).toBe(false)
    const readFormats = await withStandIn()
    expect(await sent(wav, 'som.wav')).toMatchObject({ as: 'audio', mime: 'audio/ogg; codecs=opus', name: 'som.ogg' })
    expect((await readFormats()).at(-1)).toMatch(/-i \S+som\.wav -vn -ac 1 -ar 48000 -c:a libopus .*made\.ogg$/)
  })

  test('a recording that is no Ogg becomes a voice note where the machine has ffmpeg, else it is plain sound', async () => {
    const path = join(home, 'recado.mp3')
    await Bun.write(path, 'ID3')
    const openMedia = async () => ({ path, size: 3, mime: 'audio/mpeg', name: 'recado.mp3' })
    const message = { media: 'audio', mediaId: 'f', mime: 'audio/mpeg', name: 'recado.mp3', voice: true } as const
    for (const kind of KINDS) {
      withoutFfmpeg()
      expect(await convertFile(kind, { openMedia }, message)).toMatchObject({ voice: false, mime: 'audio/mpeg' })
      const readFormats = await withStandIn()
      const note = { as: 'audio', voice: true, mime: 'audio/ogg; codecs=opus' }
      expect(await convertFile(kind, { openMedia }, message)).toMatchObject(note)
      expect(await readFormats()).toHaveLength(1)
    }
  })

  test('a film whose bytes nobody can read is refused before it is sent, or goes as a document where its type is taken as one', async () => {
    const quicktime = Buffer.concat([MOV.subarray(0, 32), Buffer.alloc(200, 7)])
    const mp4 = Buffer.concat([MP4.subarray(0, 32), Buffer.alloc(200, 7)])
    for (const prepare of [withoutFfmpeg, withStandIn]) {
      await prepare()
      expect(await canSend(quicktime, 'quebrado.mov')).toBe(false)
      await expect(sent(quicktime, 'quebrado.mov')).rejects.toMatchObject({ code: 'file_type' })
      expect(await sent(mp4, 'quebrado.mp4')).toMatchObject({ as: 'application', mime: 'video/mp4' })
    }
  })

  test('a picture that must be converted and cannot be read is refused before it is sent', async () => {
    expect(await canSend(WEBP.subarray(0, 24), 'quebrado.webp')).toBe(false)
  })

  test('a film or picture that is larger than its kind may be goes as a document', async () => {
    const jpeg = await new Bun.Image(BMP).jpeg().bytes()
    const large = new Uint8Array(KIND_TABLE.cloud_api.can.maxBytes.image + 1)
    large.set(jpeg)
    expect(await sent(large, 'foto.jpg')).toMatchObject({ as: 'application', mime: 'image/jpeg', name: 'foto.jpg' })
  })

  test('a note in XML and a list in CSV go as the texts they are, under their names', async () => {
    expect(await sent(Buffer.from('<?xml version="1.0"?><nfe/>'), 'nota.xml')).toMatchObject({
      as: 'application',
      mime: 'text/plain',
      name: 'nota.xml',
    })
    expect(await sent(Buffer.from('a;b\n1;2'), 'lista.csv')).toMatchObject({ as: 'application', mime: 'text/plain' })
  })

  test('a recording of an old phone goes as it is, a picture of an iPhone is refused before it is sent', async () => {
    expect(await sent(AMR, 'gravacao.amr')).toMatchObject({ as: 'audio', mime: 'audio/amr', is: 'audio/amr' })
    expect([await detectFileType(HEIC, 'IMG_0001.HEIC'), await canSend(HEIC, 'IMG_0001.HEIC')]).toEqual([
      'image/heic',
      false,
    ])
  })

  test('what it takes in no form is refused before it is sent', () => {
    const types = [
      'application/zip',
      'application/octet-stream',
      'image/heic',
      'image/svg+xml',
      'application/x-msdownload',
    ]
    for (const mime of types) expect(canSendFile('cloud_api', { media: toMediaKind(mime), mime })).toBe(false)
    for (const mime of ['image/jpeg', 'audio/ogg; codecs=opus', 'audio/x-m4a', 'application/pdf', 'video/mp4'])
      expect(findFileFormat('cloud_api', toMediaKind(mime), mime)?.isMade).toBe(false)
  })
})

describe('a picture that moves', () => {
  test.each([...KINDS])('goes by %s as a film that plays over and over, where the machine has ffmpeg', async kind => {
    const readFormats = await withStandIn()
    const film = { as: 'video', mime: 'video/mp4', is: 'video/mp4', name: 'festa.mp4', loops: true }
    expect(await sent(MOVING_GIF, 'festa.gif', kind, { caption: 'Parabéns!' })).toMatchObject(film)
    expect((await readFormats()).at(-1)).toMatch(/-i \S+festa\.gif .*libx264 .*made\.mp4$/)
  })

  test('is marked as WhatsApp marks a GIF by those kinds that can', async () => {
    await withStandIn()
    const path = join(home, 'festa.gif')
    await Bun.write(path, MOVING_GIF)
    const host = { openMedia: async () => ({ path, size: MOVING_GIF.length, mime: 'image/gif', name: 'festa.gif' }) }
    const message = { type: 'media', media: 'image', mediaId: 'f', mime: 'image/gif', name: 'festa.gif' } as const
    expect(await buildContent(message, host)).toMatchObject({ mimetype: 'video/mp4', gifPlayback: true })
    const { command, done } = await buildSendCommand('5531999990000@s.whatsapp.net', message, host)
    expect(command).toMatchObject({ as: 'video', mime: 'video/mp4' })
    expect((await toSendable(command)).options).toMatchObject({ sendVideoAsGif: true })
    await done()
  })

  test('is never sent as its first moment alone where the machine has no ffmpeg: a document, or refused before it is sent', async () => {
    withoutFfmpeg()
    for (const kind of ['baileys', 'wwebjs', 'meow'] as const)
      expect(await sent(MOVING_GIF, 'festa.gif', kind)).toMatchObject({
        as: 'application',
        mime: 'image/gif',
        is: 'image/gif',
      })
    expect(await canSend(MOVING_GIF, 'festa.gif')).toBe(false)
    expect(await canSend(GIF, 'parado.gif')).toBe(true)
  })

  test('in WebP goes as the sticker it is; with words, or in other sides, it is no sticker', async () => {
    withoutFfmpeg()
    for (const kind of KINDS) {
      expect(await sent(movingWebp(512), 'figurinha.webp', kind)).toMatchObject({ as: 'sticker', mime: 'image/webp' })
    }
    expect(await canSend(movingWebp(300), 'banner.webp')).toBe(false)
    const words = { caption: 'Olha' }
    expect(await sent(movingWebp(512), 'figurinha.webp', 'baileys', words)).toMatchObject({ as: 'application' })
  })

  const program = REAL_FFMPEG ? "by this machine's ffmpeg" : 'by a stand-in, as this machine has no ffmpeg'
  test(`is an MP4 that can be read, ${program}`, async () => {
    if (!REAL_FFMPEG) await withStandIn()
    expect(await sent(MOVING_GIF, 'festa.gif', 'baileys')).toMatchObject({ as: 'video', is: 'video/mp4', loops: true })
  })
})

test('a fault of ours on the way to a file is no refusal of the file', async () => {
  const openMedia = () => Promise.reject(new Error('Key (number)=(5531998762210)'))
  const message = { media: 'image', mediaId: 'f', mime: 'image/png', name: 'foto.png' } as const
  for (const kind of KINDS) {
    const fault: unknown = await convertFile(kind, { openMedia }, message).catch(error => error)
    if (!(fault instanceof ChannelError)) throw new Error('It is no error of the channel')
    expect(toFailure(fault)).toEqual(NOT_HANDED_OVER)
  }
})

test('by a phone every file goes, as a document what its conversation would not show', async () => {
  withoutFfmpeg()
  for (const kind of ['baileys', 'wwebjs', 'meow'] as const) {
    const as = async (mime: string) =>
      (await findFileForm(kind, join(home, 'nothing'), { media: toMediaKind(mime), mime }))?.as ?? null
    const each = (types: string[]) => Promise.all(types.map(as))
    expect(await each(['image/jpeg', 'image/heic', 'image/bmp'])).toEqual(['image', 'application', 'application'])
    expect(await sent(WEBP, 'figura.webp', kind)).toMatchObject({ as: 'image', is: 'image/webp' })
    expect(await sent(GIF, 'parado.gif', kind)).toMatchObject({ as: 'image', is: 'image/gif' })
    expect(await each(['video/mp4', 'video/quicktime', 'video/webm'])).toEqual(['video', 'application', 'application'])
    expect(await each(['audio/wav', 'audio/ogg', 'application/zip'])).toEqual(['audio', 'audio', 'application'])
    expect(await sent(HEIC, 'IMG_0001.HEIC', kind)).toMatchObject({ as: 'application', is: 'image/heic' })
    expect(await sent(AMR, 'gravacao.amr', kind)).toMatchObject({ as: 'audio', is: 'audio/amr' })
  }
})

test('what mass and scheduled sends may carry every kind takes as it is', () => {
  for (const mime of SCHEDULE_MIMES)
    for (const kind of KINDS) {
      const way = findFileFormat(kind, toMediaKind(mime), mime)
      expect([kind, mime, way?.isMade, canCarryFileType(mime)]).toEqual([kind, mime, false, true])
    }
})
