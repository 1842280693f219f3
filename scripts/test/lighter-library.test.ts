// The library's types are the same when they are made late.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { delayTypes, GENERATED_TYPES } from '../lighter-library.ts'

const BAILEYS = Bun.resolveSync('@whiskeysockets/baileys', join(import.meta.dir, '../../backend'))
const GENERATED = Bun.resolveSync('../WAProto/index.js', dirname(BAILEYS))
/** Every type by its way from the root, with its members, and an empty message of it with all of its fields. */
const DESCRIBE = `
const { proto } = await import(process.argv[1])
const getters = owner => Object.values(Object.getOwnPropertyDescriptors(owner)).filter(each => each.get).length
const late = getters(proto)
const types = {}
const walk = (owner, path) => {
  for (const [name, value] of Object.entries(owner)) {
    if (value === null || !/^[A-Z]/.test(name) || !['function', 'object'].includes(typeof value)) continue
    const isMessage = typeof value.fromObject === 'function'
    types[path + name] = [Object.keys(value), isMessage ? value.toObject(value.decode(value.encode(value.fromObject({})).finish()), { defaults: true, arrays: true }) : value]
    walk(value, path + name + '.')
  }
}
walk(proto, '')
const sent = proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject({
  key: { remoteJid: '5511@s.whatsapp.net', id: 'A1' }, messageTimestamp: 1764500000, status: 'READ',
  message: { extendedTextMessage: { text: 'bom dia', contextInfo: { quotedMessage: { conversation: 'oi' }, mentionedJid: ['a', 'b'] } } },
})).finish()
console.log(JSON.stringify({ late, left: getters(proto), types, sent: Buffer.from(sent).toString('hex'), back: proto.WebMessageInfo.decode(sent) }))
`
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-types-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('every type made late has the members, fields and values of the same made at once, and none is made before', async () => {
  expect(GENERATED).toMatch(GENERATED_TYPES)
  const text = await Bun.file(GENERATED).text()
  const minimal = JSON.stringify(Bun.resolveSync('protobufjs/minimal.js', GENERATED))
  const path = join(folder, 'late.js')
  await Bun.write(path, delayTypes(text).replace('"protobufjs/minimal.js"', minimal))
  const [whole, late] = await Promise.all([describe(GENERATED), describe(path)])
  const names = Object.keys(whole.types)
  expect(names.length).toBeGreaterThan(600)
  expect(late.late).toBe(names.filter(name => !name.includes('.')).length)
  expect([whole.late, late.left]).toEqual([0, 0])
  expect(late.types).toEqual(whole.types)
  expect([late.sent, late.back]).toEqual([whole.sent, whole.back])
  // A stack names the line of the source.
  expect(
    delayTypes(text)
      .split('\n')
      .findIndex(line => line.includes('"WebNotificationsInfo"')),
  ).toBe(text.split('\n').findIndex(line => line.includes('proto.WebNotificationsInfo = (')))
})

test('a generated file of another form makes no bundle', () => {
  expect(() => delayTypes('    proto.One = class {}\n')).toThrow('another form')
  expect(() => delayTypes('    proto.One = (function() {\n    return 1\n    }());\n')).toThrow('another form')
})

interface Description {
  readonly late: number
  readonly left: number
  readonly types: Record<string, unknown>
  readonly sent: string
  readonly back: unknown
}

async function describe(path: string): Promise<Description> {
  const child = Bun.spawn([process.execPath, '-e', DESCRIBE, path], { stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text())
}
