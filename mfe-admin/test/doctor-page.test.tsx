// The doctor in two parts: what a shop puts right alone, in plain words and each with a button; the rest folded, for a technician.
import { afterEach, expect, test } from 'bun:test'
import { type CheckUp, FINDING_CODES, type Finding, SHOP_FINDINGS } from '@balcao/contract'
import { getTexts } from '@balcao/ui/i18n'
import { MemoryRouter } from '@balcao/ui/router'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { formatTechnicalFacts } from '../src/connections/doctor/Figures.tsx'
import '../src/doctor/DoctorPage.tsx'
import { ForServer } from '../src/doctor/ForServer.tsx'
import { ForShop } from '../src/doctor/ForShop.tsx'
import { formatReport } from '../src/doctor/report.ts'
import { makeConnection } from './connection.ts'

const t = getTexts('doctor')
const makeFinding = (
  area: Finding['area'],
  code: Finding['code'],
  level: Finding['level'],
  params: Finding['params'] = {},
): Finding => ({ area, code, level, params })
const SHOP = [
  makeFinding('company', 'company.numbers', 'warning', { count: 0 }),
  makeFinding('connections', 'connection.down', 'warning', {
    name: 'Loja',
    id: 1,
    status: 'TIMEOUT',
    reason: 'qr_not_read',
  }),
  makeFinding('company', 'company.people', 'warning', { count: 0 }),
  makeFinding('company', 'company.queues', 'ok', { count: 2 }),
  makeFinding('files', 'files.backup', 'warning', { hours: 0 }),
]
const SERVER = [makeFinding('push', 'push.subject', 'warning'), makeFinding('machine', 'machine.clock', 'ok')]
const CHECK_UP: CheckUp = {
  ...{ version: '7.1.1', checkedAt: '2026-11-28T12:00:00.000Z', tookMs: 900 },
  findings: [...SHOP, ...SERVER],
}

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

function draw(content: React.ReactNode): HTMLElement {
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(<MemoryRouter>{content}</MemoryRouter>)
  })
  return place
}

test('for the shop every line has its button and no word of a server', () => {
  const place = draw(<ForShop checkUp={CHECK_UP} findings={SHOP} />)
  const rows = [...place.querySelectorAll('li')]
  expect(rows.map(row => row.querySelector('a, button')?.textContent)).toEqual([
    'Abrir conexões',
    'Abrir conexões',
    'Abrir usuários',
    'Abrir filas',
    'Copiar para o técnico',
  ])
  expect(place.textContent).not.toMatch(/[A-Z]+_[A-Z]+|[a-z]+_[a-z]+|API \d|Postgre/)
})

test('for whoever runs the server it is folded, says how much is to be seen to, and unfolds', () => {
  const place = draw(<ForServer checkUp={CHECK_UP} findings={SERVER} />)
  expect(place.textContent).toContain('1 coisa a ver')
  expect(place.textContent).not.toContain('ADMIN_EMAIL')
  act(() => place.querySelector<HTMLElement>('[aria-expanded]')?.click())
  expect(place.textContent).toContain('ADMIN_EMAIL')
})

test('the technician gets everything, what is wrong first, with the codes', () => {
  const lines = formatReport(CHECK_UP, t).split('\n')
  expect(lines[0]).toContain('7.1.1')
  expect(lines).toHaveLength(CHECK_UP.findings.length + 1)
  expect(lines.some(line => line.includes('qr_not_read'))).toBe(true)
  expect(lines.at(-1)).toStartWith('[Bem]')
})

test('the code of a connection is in what a technician is sent, and in no sentence', async () => {
  const health = {
    reason: 'qr_not_read',
    code: 'none',
    since: '2026-11-28T12:00:00.000Z',
    lastIn: null,
    lastOut: null,
    restarts24h: 0,
  } as const
  const library = { name: 'baileys', version: '7', known: null }
  const facts = formatTechnicalFacts(makeConnection({ name: 'Loja', status: 'TIMEOUT' }), { ...health, library })
  expect(facts).toContain('Loja (API 1 W) · TIMEOUT qr_not_read none')
  for (const language of ['pt', 'en', 'es'])
    expect(await Bun.file(`${import.meta.dir}/../locales/connections/${language}.json`).text()).not.toContain(
      '{{code}}',
    )
})

test('every finding of the shop is one that the doctor can make', () => {
  expect(SHOP_FINDINGS.filter(code => !FINDING_CODES.includes(code))).toEqual([])
})
