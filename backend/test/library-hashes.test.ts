// The hashes a bundle has in the place of the library's are the library's.
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import * as own from '../src/messaging/channels/baileys/library-hashes.ts'

const baileys = Bun.resolveSync('@whiskeysockets/baileys', import.meta.dir)
const library: typeof own = await import(Bun.resolveSync('whatsapp-rust-bridge', baileys))
const LENGTHS = [0, 1, 16, 32, 63, 64, 65, 200]

test('HKDF: with and without salt and words, of any length', () => {
  for (const length of LENGTHS)
    for (const salt of [undefined, randomBytes(0), randomBytes(length), randomBytes(32)])
      for (const info of [undefined, '', 'WhatsApp Image Keys', randomBytes(length).toString('latin1')])
        for (const size of [32, 64, 112]) {
          const secret = randomBytes(length)
          expect(own.hkdf(secret, size, { salt, info })).toEqual(library.hkdf(secret, size, { salt, info }))
        }
})

test('MD5', () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length)
    expect(own.md5(bytes)).toEqual(library.md5(bytes))
  }
})

test('the keys of a change', () => {
  for (const length of LENGTHS) {
    const secret = randomBytes(length)
    const [one, other] = [own.expandAppStateKeys(secret), library.expandAppStateKeys(secret)]
    expect(one).toEqual({
      indexKey: other.indexKey,
      valueEncryptionKey: other.valueEncryptionKey,
      valueMacKey: other.valueMacKey,
      snapshotMacKey: other.snapshotMacKey,
      patchMacKey: other.patchMacKey,
    })
  }
})

test('the hash of a set, whatever comes and goes, and from any base', () => {
  const [one, other] = [new own.LTHashAntiTampering(), new library.LTHashAntiTampering()]
  const make = (count: number) => Array.from({ length: count }, () => randomBytes(32))
  for (const base of [new Uint8Array(128), randomBytes(128), new Uint8Array(128).fill(255)])
    for (const [removed, added] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [3, 7],
      [40, 2],
    ].map(counts => counts.map(make)))
      expect(one.subtractThenAdd(base, removed ?? [], added ?? [])).toEqual(
        other.subtractThenAdd(base, removed ?? [], added ?? []),
      )
})
