// decisions-2 §20 Backup: the file is a tar in an envelope of age, so that both programs open it; not a byte of it can be changed, cut
// off or added unseen; and what the real age closed is opened here.
import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { decrypt, encrypt } from '../src/operations/backup/envelope.ts'
import type { BackupFault } from '../src/operations/backup/fault.ts'
import type { BackupBeginning, MemberName } from '../src/operations/backup/format.ts'
import { readBackup } from '../src/operations/backup/read.ts'
import { createFilesSum } from '../src/operations/backup/sums.ts'
import { createBackupWriter } from '../src/operations/backup/write.ts'

const PASSPHRASE = 'uma chave de cópias que é comprida'
const AT = '2026-11-28T03:00:00.000Z'
const BEGINNING: BackupBeginning = {
  ...{ version: '7.2.0', at: AT, migrations: [], tables: [], sequences: [], dataKeyPrint: 'print', secrets: null },
}
const ROWS = Array.from({ length: 3000 }, (_, n) => `${n}\tLinha ${n}\t\\N\n`).join('')
const PICTURE = new Uint8Array(150_000).map((_, at) => (at * at * 31) % 251)
const ID = 'abcdefghijkl'

/** A table of many rows, one of none, a file and its small picture, as one backup. */
async function makeBackup(key: string | null): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const sink = {
    write: async (bytes: Uint8Array) => void parts.push(bytes),
    finish: async () => {},
    abort: async () => {},
  }
  const writer = await createBackupWriter(sink, key, BEGINNING, async () => {})
  const files = createFilesSum()
  const tables = []
  for (const [name, text, rows] of [
    ['public.message', ROWS, 3000],
    ['public."Outra tabela/ção"', '', 0],
  ] as const)
    tables.push({ name, rows, ...(await writer.table(name, from(Buffer.from(text)))) })
  for (const [kind, bytes] of [
    ['file', PICTURE],
    ['thumb', PICTURE.subarray(0, 700)],
  ] as const)
    files.add({ kind, id: ID }, await writer.file({ kind, id: ID }, { size: bytes.length, bytes: from(bytes) }))
  await writer.end({ tables, files: { ...files.result(), gone: 0, missing: [], damaged: [] } })
  return Buffer.concat(parts)
}

async function* from(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
}

interface Found {
  readonly name: MemberName
  readonly bytes: Buffer
}

async function readAll(backup: Uint8Array, key: string | null): Promise<Found[]> {
  const reader = await readBackup(from(backup), key)
  const found: Found[] = []
  for (let member = await reader.next(); member; member = await reader.next())
    found.push({ name: member.name, bytes: Buffer.concat(await Array.fromAsync(member.bytes)) })
  expect(reader.manifest().files.count).toBe(1)
  return found
}

/** The code of the fault that reading it ends with. */
function readFault(backup: Uint8Array, key: string | null): Promise<string> {
  return readAll(backup, key).then(
    () => 'nothing was wrong',
    (error: BackupFault) => error.code ?? String(error),
  )
}

function change(backup: Buffer, at: number): Buffer {
  const changed = Buffer.from(backup)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

const identity = await generateX25519Identity()
const folder = await mkdtemp(join(tmpdir(), 'balcao-archive-'))

const plain = await makeBackup(null)
/** Closed for a key of age, which takes less time than a passphrase. */
const sealed = await makeBackup(await identityToRecipient(identity))
const locked = await makeBackup(PASSPHRASE)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('§20 the file of a backup', () => {
  test('gives back every row and every byte, with a passphrase, with keys of age and without', async () => {
    const recipient = await identityToRecipient(identity)
    const keyFile = `# created: 2026-11-28\n# public key: ${recipient}\n${identity}\n`
    for (const [closing, opening] of [
      [null, null],
      [PASSPHRASE, PASSPHRASE],
      [recipient, identity],
      [recipient, keyFile],
      [keyFile, identity],
    ]) {
      const found = await readAll(await makeBackup(closing ?? null), opening ?? null)
      expect(found.map(({ name }) => name)).toEqual([
        { kind: 'table', name: 'public.message' },
        { kind: 'table', name: 'public."Outra tabela/ção"' },
        { kind: 'file', id: ID },
        { kind: 'thumb', id: ID },
      ])
      expect(found[0]?.bytes.toString()).toBe(ROWS)
      expect(found[1]?.bytes.length).toBe(0)
      expect(found[2]?.bytes.equals(PICTURE)).toBe(true)
    }
  })

  test('is opened by age and tar: tables as Postgres copies them, files where they lie in DATA_DIR, sums in the manifest', async () => {
    const decrypter = new Decrypter()
    decrypter.addPassphrase(PASSPHRASE)
    const tar = Bun.spawn(['tar', '-xf', '-', '-C', folder], { stdin: 'pipe', stderr: 'pipe' })
    await tar.stdin.write(await decrypter.decrypt(locked))
    await tar.stdin.end()
    expect([await new Response(tar.stderr).text(), await tar.exited]).toEqual(['', 0])
    expect((await readdir(folder)).sort()).toEqual(['balcao.json', 'manifest.json', 'media', 'tables'])
    const part = await readFile(join(folder, 'tables/public.message/000001.copy.zst'))
    expect(Buffer.from(await Bun.zstdDecompress(part)).toString()).toBe(ROWS)
    expect((await readFile(join(folder, `media/ab/${ID}`))).equals(PICTURE)).toBe(true)
    const { tables } = await Bun.file(join(folder, 'manifest.json')).json()
    expect(tables[0].sha256).toBe(createHash('sha256').update(ROWS).digest('hex'))
  })

  test('that is closed anew by the age of others is opened', async () => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(await identityToRecipient(identity))
    expect((await readAll(await encrypter.encrypt(plain), identity)).length).toBe(4)
  })

  test('with a byte changed anywhere is refused, encrypted or not', async () => {
    // In the head of an encrypted one stands what makes the key of it: changed, it is made for another.
    const codes = {
      plain: ['BACKUP_DAMAGED', 'BACKUP_NOT_ONE', 'BACKUP_CUT'],
      sealed: ['BACKUP_DAMAGED', 'BACKUP_NOT_ONE', 'BACKUP_KEY_WRONG'],
    }
    const ends = (length: number) => [0, 20, 60, 150, 512, 700, 1030, length - 70_000, length - 600, length - 1]
    for (const [which, backup, key] of [
      ['plain', plain, null],
      ['sealed', sealed, identity],
    ] as const) {
      const { length } = backup
      const steps = Array.from({ length: 40 }, (_, n) => Math.floor((length * n) / 40) + 300)
      for (const at of [...ends(length), ...steps])
        expect([which, at, codes[which]]).toEqual([
          which,
          at,
          expect.arrayContaining([await readFault(change(backup, at), key)]),
        ])
    }
  })

  test('with its last bytes changed was changed, not cut', async () => {
    for (const [backup, key] of [
      [plain, null],
      [sealed, identity],
    ] as const)
      for (const back of [1, 300, 520])
        expect(await readFault(change(backup, backup.length - back), key)).toBe('BACKUP_DAMAGED')
  })

  test('with rows changed says so before any of them reaches a database', async () => {
    const at = plain.indexOf('000001.copy.zst') + 600
    const reader = await readBackup(from(change(plain, at)), null)
    const member = await reader.next()
    const rows = member?.bytes[Symbol.asyncIterator]()
    await expect(rows?.next()).rejects.toMatchObject({ code: 'BACKUP_DAMAGED', params: { what: 'public.message' } })
    await reader.close()
  })

  test('that was cut anywhere says so: in the head, in the middle, by one byte, by whole blocks', async () => {
    for (const [backup, key] of [
      [plain, null],
      [sealed, identity],
    ] as const) {
      const { length } = backup
      const head = key === null ? [100, 511, 512] : [60, 110, 165, 180, 195]
      const chunks = key === null ? [65_536] : [length - 1040, length - 1040 - 65_552]
      for (const at of [
        ...head,
        ...chunks,
        length >> 1,
        length - 1,
        length - 100,
        length - 512,
        length - 1024,
        length - 1536,
      ])
        expect([key, at, await readFault(backup.subarray(0, at), key)]).toEqual([key, at, 'BACKUP_CUT'])
    }
  })

  test('with something behind its end was changed: one byte, zeros, another backup', async () => {
    for (const [backup, key] of [
      [plain, null],
      [sealed, identity],
    ] as const)
      for (const more of [Buffer.from('x'), Buffer.alloc(512), Buffer.alloc(200_000), backup])
        expect([more.length, await readFault(Buffer.concat([backup, more]), key)]).toEqual([
          more.length,
          'BACKUP_DAMAGED',
        ])
  })

  test('with a file left out or put elsewhere is refused, although it is a whole tar', async () => {
    const at = plain.indexOf(`media/ab/${ID}.thumb`)
    const without = Buffer.concat([plain.subarray(0, at), plain.subarray(at + 512 + 1024)])
    expect(await readFault(without, null)).toBe('BACKUP_CUT')
    // As long as before, by zeros at the end.
    expect(await readFault(Buffer.concat([without, Buffer.alloc(1536)]), null)).toBe('BACKUP_DAMAGED')
  })
})

describe('§20 the key of a backup', () => {
  const IDENTITY = 'AGE-SECRET-KEY-1CYMYYMAF72Q82NS6XXVK0NL2WN7GQKJH5GXL57M5PKYECPTJFYNQSRUDHE'
  const RECIPIENT = 'age1kyyj32c5x7e6rcdl3na79cd4c0taa70g2ftd24dm9sh3jttge52swdkenf'
  /** What age 1.1.1 of Debian made of one line: with `-r` and with `-p`. */
  const FOR_KEY =
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBzdWZ3Z2lMOTNFWWFoelhBeWpWcW8vUkZMbVMwY1dDWUZOY2taNmFoMUZFClBjRlNCd1hnWWxySURGdjhDeWgwWTlvTXRUd28rb3BzM1RFTmJsK3h2eDAKLS0tIEdTUjFBWnFSSXpQbS8zZUNFZ040RzZ2TERzT3dkVjB5MVJoV0sxU0tRWFkK1lCGDwizaYuIVFS2Iw2HjEvRkCJjopE9MCOrx60b7JOus3S9l5jaciF8ocm9LU2Y9b+Ro5sko5iEeA=='
  const WITH_PASSPHRASE =
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCB1NUd4T2RUd1VsdEZxMnBZQUptenBnIDE4Cm9Xc3BLRWxTdWNBWjJYUytPbTk2L0dOcWl3THlETjNTSm1yT3hmdTltT0EKLS0tIG01aERSN2tHMTZWL01ydmxZcXZDQStvaGVhTjF5R1A5eU55cnlnck45UWcKwLOjtCJQ4bjYW0YZzApw33cK5a+qnO5mUlqBMOUK8OZyT+HaM+aWqYS0amTuOv0StD16zpa9up3xgA=='

  async function open(base64: string, key: string): Promise<string> {
    const { bytes, unproven } = await decrypt(from(Buffer.from(base64, 'base64')), key)
    const text = Buffer.concat(await Array.fromAsync(bytes)).toString()
    expect(unproven()).toBe(0)
    return text
  }

  test('opens what the program age closed, for a key and with a passphrase', async () => {
    expect(await open(FOR_KEY, IDENTITY)).toBe('fechado pelo programa age\n')
    expect(await open(WITH_PASSPHRASE, 'uma frase que o age fechou')).toBe('fechado pelo programa age\n')
  })

  test('that is wrong, missing, too short, public or no key is said in so many words', async () => {
    expect(await readFault(locked, 'outra chave que é comprida')).toBe('BACKUP_KEY_WRONG')
    expect(await readFault(locked, IDENTITY)).toBe('BACKUP_KEY_WRONG')
    expect(await readFault(sealed, IDENTITY)).toBe('BACKUP_KEY_WRONG')
    expect(await readFault(sealed, PASSPHRASE)).toBe('BACKUP_KEY_WRONG')
    expect(await readFault(locked, null)).toBe('BACKUP_KEY_NEEDED')
    expect(await readFault(sealed, RECIPIENT)).toBe('BACKUP_KEY_PUBLIC')
    expect(await readFault(plain, PASSPHRASE)).toBe('BACKUP_KEY_UNUSED')
    expect(await readFault(sealed, IDENTITY.slice(0, -1))).toBe('BACKUP_KEY_INVALID')
    for (const [key, code] of [
      ['curta', 'BACKUP_KEY_SHORT'],
      [RECIPIENT.slice(0, -1), 'BACKUP_KEY_INVALID'],
    ] as const)
      await expect(encrypt(from(PICTURE), key)).rejects.toMatchObject({ code })
  })

  test('is in no word of what is said of it', async () => {
    const mistyped = IDENTITY.slice(0, -1)
    const fault = await encrypt(from(PICTURE), mistyped).catch(error => error)
    expect(Bun.inspect(fault)).not.toContain(mistyped.slice(20, 40))
  })
})

test('§20 a file as versions up to 7.1 wrote it is refused with another key, cut, changed or with something behind its end', async () => {
  const KEY = 'uma chave de cópias que é comprida'
  const [encrypted, open] = await Promise.all(
    ['encrypted', 'plain'].map(name => readFile(join(import.meta.dir, `fixtures/form-1-${name}.backup`))),
  )
  if (!encrypted || !open) throw new Error('There are two of them')
  expect(await readFault(encrypted, KEY)).toBe('nothing was wrong')
  expect(await readFault(encrypted, `${KEY}!`)).toBe('BACKUP_KEY_WRONG')
  expect(await readFault(encrypted, null)).toBe('BACKUP_KEY_NEEDED')
  expect(await readFault(open, KEY)).toBe('BACKUP_KEY_UNUSED')
  expect(await readFault(Buffer.from('BALCAO BACKUP 2\n'), null)).toBe('BACKUP_NEWER')
  for (const [backup, key] of [
    [encrypted, KEY],
    [open, null],
  ] as const) {
    for (const at of [17, 100, 9000, backup.length - 1])
      expect([at, await readFault(backup.subarray(0, at), key)]).toEqual([at, 'BACKUP_CUT'])
    for (const back of [1, 200, 5000])
      expect(await readFault(change(backup, backup.length - back), key)).toBe('BACKUP_DAMAGED')
    for (const more of ['x', '\0\0\0\x20 a part that ends too early'])
      expect(await readFault(Buffer.concat([backup, Buffer.from(more)]), key)).toBe('BACKUP_DAMAGED')
  }
})

test('§20 reading and writing hold little in memory, however large the file: a reader that waits is waited for', async () => {
  const large = 32 * 1024 * 1024
  let written = 0
  async function* many(): AsyncGenerator<Uint8Array> {
    for (; written < large; written += 65_536) yield new Uint8Array(65_536)
  }
  const taken = Promise.withResolvers<void>()
  let hasBegun = false
  const sink = {
    async write() {
      hasBegun = true
      await taken.promise
    },
    finish: async () => {},
    abort: async () => {},
  }
  const writer = await createBackupWriter(sink, PASSPHRASE, BEGINNING, async () => {})
  const writing = writer.file({ kind: 'file', id: ID }, { size: large, bytes: many() })
  writing.catch(() => {})
  let before = -1
  while (!hasBegun || before !== written) {
    before = written
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  }
  expect(written).toBeLessThan(8 * 1024 * 1024)
  taken.resolve()
  await writing
  await writer.abort()
})

test('§20 a place that fails while it is written to ends the writing with its own words', async () => {
  const sink = { write: () => Promise.reject(new Error('full')), finish: async () => {}, abort: async () => {} }
  const writer = await createBackupWriter(sink, null, BEGINNING, async () => {})
  const bytes = from(new Uint8Array(9_000_000))
  await expect(writer.file({ kind: 'file', id: ID }, { size: 9_000_000, bytes })).rejects.toThrow('full')
  await writer.abort()
})
