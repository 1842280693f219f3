// What is inside is said for machines, with licences (packaging).
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createBom, listComponents } from '../../scripts/sbom.ts'

/** Licences that ask for no more than their text; what else is inside is named with whom it belongs to. */
const FREE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Zlib|Python-2\.0|OFL-1\.1|MPL-2\.0|PostgreSQL)$/
/** Named in the README. */
const COPYLEFT = /^(libsignal|node-webpmux|@img\/sharp-libvips-[\w-]+)$/

test('every package that comes with the product is named with its licence, and only three, which the README names, ask for more', async () => {
  const components = await listComponents(join(import.meta.dir, '../..'))
  const unsaid = components.filter(({ licence }) => licence === null).map(({ name }) => name)
  expect(unsaid).toEqual([])
  const others = components.filter(
    ({ name, licence }) =>
      !COPYLEFT.test(name) &&
      !(licence ?? '')
        .replace(/[()]/g, '')
        .split(/ (?:OR|AND) /)
        .some(each => FREE.test(each)),
  )
  expect(others.map(({ name, licence }) => `${name} ${licence}`)).toEqual([])
  const names = new Set(components.map(({ name }) => name))
  for (const name of ['postgres', 'elysia', 'react', 'primereact', '@whiskeysockets/baileys'])
    expect(names).toContain(name)
  // What only builds, tests or checks types is no part of the server.
  const served = new Set(components.filter(({ uses }) => uses.includes('server')).map(({ name }) => name))
  for (const name of ['typescript', 'playwright-core', '@rspack/core', 'drizzle-kit'])
    expect(served).not.toContain(name)
})

test('the document names each package once, and only packages that are in it', async () => {
  const bom = createBom({ name: 'balcao', version: '1.0.0' }, await listComponents(join(import.meta.dir, '../..')))
  const refs = bom.components.map(component => component['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter(ref => !refs.includes(ref))).toEqual([])
})
