import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { KINDS } from '../src/connections/kind-names.ts'
import { filterKinds, findInvalidFields, KIND_TABLE } from '../src/connections/kinds.ts'

const ROOT = `${import.meta.dir}/../..`
/** The table of the kinds, the list of their folders, and the demo's world, whose connections are of some kind. */
const MAY_NAME =
  /^contract\/src\/connections\/kind(s|-names)\.ts$|^backend\/src\/messaging\/channels\/(registry\.ts|(?!shared\/)[\w-]+\/)|^backend\/src\/app\/seed\//

/** Lines of the sources that say something where it may not be said; comments may. */
async function findLines(spelled: RegExp, may: RegExp): Promise<string[]> {
  const lines: string[] = []
  for await (const file of new Glob('{contract,formats,backend,client,ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan({
    cwd: ROOT,
  })) {
    if (may.test(file) || /\.test\.tsx?$/.test(file)) continue
    const text = await Bun.file(`${ROOT}/${file}`).text()
    for (const [at, line] of text.split('\n').entries())
      if (spelled.test(line) && !/^\s*(\*|\/[/*])/.test(line)) lines.push(`${file}:${at + 1}: ${line.trim()}`)
  }
  return lines
}

test('a kind is named in its own folder and in the one table, nowhere else: everybody else asks for a capability', async () => {
  const name = KINDS.join('|')
  const spelled = new RegExp(`(['"\`])(${name})\\1|\\.(${name})\\b|\\b(${name})\\??:`)
  expect(await findLines(spelled, MAY_NAME)).toEqual([])
})

test('how an address is written is known to channels alone', async () => {
  expect(
    await findLines(
      /@(s\.whatsapp\.net|c\.us|g\.us|lid)\b/,
      /^backend\/src\/(messaging\/channels|platform\/channel|app\/seed)\//,
    ),
  ).toEqual([])
})

test('a field of a kind is wrong by what it must look like; a secret only where none is kept', () => {
  const names = (...args: Parameters<typeof findInvalidFields>) => findInvalidFields(...args).map(field => field.name)
  expect(names('cloud_api', { phoneNumberId: 'x', wabaId: 'y', tokenMeta: ' ' }, false)).toEqual([
    'phoneNumberId',
    'wabaId',
    'tokenMeta',
  ])
  expect(names('cloud_api', { phoneNumberId: ' 106540352242922 ', wabaId: '' }, true)).toEqual([])
  expect(names('cloud_api', {}, true)).toEqual([])
  expect(names('baileys', { phoneNumberId: 'x' }, false)).toEqual([])
})

test('what hangs together in the table does: templates with the window, a webhook with its address, a secret with the token, a code with its life', () => {
  for (const { can, fields, webhookPath, gateway } of KINDS.map(kind => KIND_TABLE[kind])) {
    expect(can.templates).toBe(can.window24h)
    expect(fields.some(field => field.type === 'secret')).toBe(can.pair.includes('token'))
    expect(can.webhook || gateway === true).toBe(webhookPath !== undefined)
    expect(can.qrAskMs > 0).toBe(gateway === true)
    expect(can.qrTtlMs > 0).toBe(can.pair.includes('qr'))
  }
  expect(filterKinds(can => can.webhook)).toEqual(['cloud_api'])
})
