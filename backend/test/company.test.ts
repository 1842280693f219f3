// What the company sets in the environment: name, colour, invoices, notes (spec 1 §2, decisions §2).
import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNotes } from '../src/desk/notes/notes.ts'
import { readConfig } from '../src/platform/config.ts'
import type { ConfigError } from '../src/platform/config-error.ts'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

const folder = await mkdtemp(join(tmpdir(), 'balcao-company-'))
const NOTES_FILE = join(folder, 'notes.md')
await writeFile(NOTES_FILE, '# Novidades\n\n## 7.2.0\n\n- Mais rápido\n\n## 7.1.1\nPrimeira versão\n')

const server = await startDeskServer({
  PRODUCT_NAME: 'Atende Já',
  PRIMARY_COLOR: '#0b6e4f',
  INVOICES_URL: 'https://financeiro.example/boletos',
  INVOICES_SECRET: 'um segredo das faturas',
  COMPANY_TAX_ID: '12.345.678/0001-95',
  NOTES_FILE,
})

await makePerson(server.db, { name: 'Marina', profile: 'admin' })
await makePerson(server.db, { name: 'Bruna', profile: 'user' })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')

describe('name and colour', () => {
  test('come from the environment', async () => {
    const { body } = await createBrowser(server.url).call('GET', '/system')
    expect([body.product, body.invoices]).toEqual(['Atende Já', true])
    const { body: css, headers } = await createBrowser(server.url).call<string>('GET', '/brand.css')
    expect(headers.get('content-type')).toContain('text/css')
    expect(css).toStartWith(':root:root{--b-primary:#0b6e4f;')
    expect(css).toContain(':root:root[data-theme="dark"]{--b-primary:#')
  })

  test.each([
    [{ PRIMARY_COLOR: '#ffd400' }, 'PRIMARY_COLOR #ffd400 is too light'],
    [{ PRIMARY_COLOR: 'azul' }, 'PRIMARY_COLOR must be a colour such as #2c53a4'],
    [{ COMPANY_TAX_ID: '123' }, 'COMPANY_TAX_ID must have 14 digits'],
    [{ LICENSE_URL: 'https://licencas.example' }, 'LICENSE_URL needs COMPANY_TAX_ID'],
    [{ DEFAULT_RESET_PASSWORD: 'mudar' }, 'DEFAULT_RESET_PASSWORD breaks the password policy'],
    [{ NOTES_FILE: '/nowhere/notes.md' }, 'NOTES_FILE names /nowhere/notes.md'],
  ])('%j is refused with a clear word', (env, problem) => {
    expect(problemsOf(env)).toContain(problem)
  })
})

describe('invoices', () => {
  test('are for administrators: address with the tax id, tax id as people read it, derived password', async () => {
    const password = createHmac('sha256', 'um segredo das faturas').update('12345678000195').digest('hex').slice(0, 8)
    expect((await marina.call('GET', '/invoices')).body).toEqual({
      url: 'https://financeiro.example/boletos?cnpj=12345678000195',
      taxId: '12.345.678/0001-95',
      password,
    })
    expect((await bruna.call('GET', '/invoices')).body.error).toBe('ERR_NO_PERMISSION')
  })
})

describe('notes', () => {
  test('are the sections of the file, as it is now', async () => {
    const { body } = await bruna.call('GET', '/notes')
    expect(body).toEqual({
      notes: [
        { title: '7.2.0', body: '- Mais rápido' },
        { title: '7.1.1', body: 'Primeira versão' },
      ],
      count: 2,
    })
    await rm(NOTES_FILE)
    expect((await bruna.call('GET', '/notes')).body).toEqual({ notes: [], count: 0 })
  })

  test('are the sections of a text, and none without a heading', () => {
    expect(parseNotes('Nada aqui')).toEqual([])
  })
})

function problemsOf(env: Record<string, string | undefined>): string {
  try {
    readConfig({ DATA_DIR: folder, ...env })
    return ''
  } catch (error) {
    return (error as ConfigError).problems.join('\n')
  }
}
