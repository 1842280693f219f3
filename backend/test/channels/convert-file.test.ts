// Files people attach every day, as the kinds of connections take them: as they are, converted, as documents, or refused before.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFileWay, KIND_TABLE, KINDS, mayCarry, SCHEDULE_MIMES } from '@balcao/contract'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { asTaken, convertFile } from '../../src/channels/convert-file.ts'
import { hasFfmpeg } from '../../src/ffmpeg.ts'
import { kindOf, sniff } from '../../src/media/sniff.ts'
import { canSendFile } from '../../src/messages/fits.ts'

const home = await mkdtemp(join(tmpdir(), 'balcao-file-for-test-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const base64 = (text: string) => Buffer.from(text, 'base64')
const WEBP = base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const GIF = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
const BMP = Buffer.from(
  '424d3a0000000000000036000000280000000100000001000000010018000000000004000000c40e0000c40e00000000000000000000ffffff00',
  'hex',
)

/** A file as the official API is sent it, after the desk looked at its bytes. */
async function sent(bytes: Uint8Array, name: string) {
  const path = join(home, `${Bun.randomUUIDv7()}-${name}`)
  await Bun.write(path, bytes)
  const mime = await sniff(bytes, name)
  const openMedia = async () => ({ path, size: bytes.length, mime, name })
  const made = await convertFile('cloud_api', { openMedia }, { media: kindOf(mime), mediaId: 'f', mime, name })
  return { ...made, is: await sniff(new Uint8Array(await made.file.arrayBuffer()), made.name) }
}

/** A film of one picture in this codec. */
async function film(format: MovOutputFormat | WebMOutputFormat, codec: 'avc' | 'vp8', config: VideoDecoderConfig) {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source)
  await output.start()
  await source.add(new EncodedPacket(new Uint8Array(40).fill(1), 'key', 0, 0.04), { decoderConfig: config })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}
const size = { codedWidth: 16, codedHeight: 16 }
const description = Buffer.from('0142001fffe100046742001f01000268ce', 'hex')
const MOV = await film(new MovOutputFormat(), 'avc', { codec: 'avc1.42001f', ...size, description })
const WEBM = await film(new WebMOutputFormat(), 'vp8', { codec: 'vp8', ...size })

describe('on the official API', () => {
  test.each([
    ['figura.webp', WEBP],
    ['anim.gif', GIF],
    ['scan.bmp', BMP],
  ])('%s is made into a picture that Meta takes', async (name, bytes) => {
    const made = await sent(bytes, name)
    expect(made).toMatchObject({ as: 'image', mime: 'image/png', is: 'image/png' })
    expect(made.name).toBe(name.replace(/\.\w+$/, '.png'))
  })

  test('a film of an iPhone gets the wrapping that Meta takes, its pictures as they are', async () => {
    expect(await sniff(MOV, 'video.mov')).toBe('video/quicktime')
    expect(await sent(MOV, 'video.mov')).toMatchObject({
      as: 'video',
      mime: 'video/mp4',
      is: 'video/mp4',
      name: 'video.mp4',
    })
  })

  test('a film in a codec that WhatsApp does not play is a film where it can be transcoded, else a document', async () => {
    const made = await sent(WEBM, 'tela.webm')
    expect(made).toMatchObject({ mime: 'video/mp4', is: 'video/mp4' })
    if (!hasFfmpeg()) expect(made.as).toBe('application')
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

  test('what it takes in no form is refused before it is sent', () => {
    const types = [
      'application/zip',
      'application/octet-stream',
      'image/heic',
      'image/svg+xml',
      'application/x-msdownload',
    ]
    for (const mime of types) expect(canSendFile('cloud_api', { media: kindOf(mime), mime })).toBe(false)
    expect(canSendFile('cloud_api', { media: 'audio', mime: 'audio/wav' })).toBe(hasFfmpeg())
    for (const mime of ['image/jpeg', 'audio/ogg; codecs=opus', 'audio/x-m4a', 'application/pdf', 'video/mp4'])
      expect(findFileWay('cloud_api', kindOf(mime), mime)?.isMade).toBe(false)
  })
})

test('by a phone every file goes, as a document what its conversation would not show', () => {
  for (const kind of ['baileys', 'wwebjs', 'meow'] as const) {
    const as = (mime: string) => {
      const message = asTaken(kind, { type: 'media', media: kindOf(mime), mediaId: 'f', mime, name: 'f' })
      return message.type === 'media' ? message.media : null
    }
    expect(['image/jpeg', 'image/webp', 'image/gif', 'image/heic', 'image/bmp'].map(as)).toEqual([
      'image',
      'image',
      'image',
      'application',
      'application',
    ])
    expect(['video/mp4', 'video/quicktime', 'video/webm'].map(as)).toEqual(['video', 'application', 'application'])
    expect(['audio/wav', 'audio/ogg', 'application/zip'].map(as)).toEqual(['audio', 'audio', 'application'])
  }
})

test('what mass and scheduled sends may carry every kind takes as it is', () => {
  for (const mime of SCHEDULE_MIMES)
    for (const kind of KINDS) {
      const way = findFileWay(kind, kindOf(mime), mime)
      expect([kind, mime, way?.isMade, mayCarry(mime)]).toEqual([kind, mime, false, true])
    }
})
