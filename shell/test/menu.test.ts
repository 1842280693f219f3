import { afterEach, expect, test } from 'bun:test'
import { endSession, session } from '@balcao/ui/session'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import list from '../remotes.json'
import { pickFirstEntries } from '../src/frame/BottomBar.tsx'
import { listDownConnections } from '../src/frame/badges.ts'
import { findEntry, getIcon, isSwitchedOff, listMenuEntries } from '../src/frame/menu.ts'
import { openMenuAtFirst, useMenuOpen } from '../src/frame/use-menu-open.ts'
import { find } from '../src/palette/find.ts'
import { parseRemotes } from '../src/remotes/definitions.ts'
import { MARINA } from './marina.ts'

const { innerWidth } = window

afterEach(() => {
  Object.assign(window, { innerWidth })
  localStorage.clear()
  endSession()
})

const ORDER = ['/tickets/:ticketId?/:chatId?', '/', '/connections']

const remotes = parseRemotes([
  { name: 'mfe_dashboard', entry: '/a', pages: [entry('/', 'admin')] },
  { name: 'mfe_admin', entry: '/b', pages: [entry('/connections', 'admin')] },
  { name: 'mfe_tickets', entry: '/c', pages: [entry('/tickets/:ticketId?/:chatId?', 'session')] },
])

test('every page of our remotes has its entry, with a label in each language and a place of its own', () => {
  const pages = parseRemotes(list).flatMap(remote => remote.pages)
  expect(pages).toHaveLength(list.reduce((sum, remote) => sum + remote.pages.length, 0))
  expect(new Set(pages.map(({ place }) => place)).size).toBe(pages.length)
})

test('the menu stands in its order, whatever the order of the remotes', () => {
  expect(listMenuEntries(remotes, 'admin').map(({ path }) => path)).toEqual(['/tickets', '/', '/connections'])
})

test.each(['gerente', 'user'])('%s does not see the pages of administrators', profile => {
  expect(listMenuEntries(remotes, profile).map(({ path }) => path)).toEqual(['/tickets'])
})

test('decisions §4: mass sends are for managers and administrators', () => {
  const [remote] = parseRemotes([{ name: 'a', entry: '/a', pages: [entry('/envios', 'manager')] }])
  if (!remote) throw new Error('no remote')
  const seenBy = (profile: string) => listMenuEntries([remote], profile).length
  expect(['admin', 'gerente', 'user'].map(seenBy)).toEqual([1, 1, 0])
})

test('a conversation belongs to the menu entry of conversations, and the start page only to itself', () => {
  const entries = listMenuEntries(remotes, 'admin')
  expect(findEntry(entries, '/tickets/4/0')?.path).toBe('/tickets')
  expect(findEntry(entries, '/')?.path).toBe('/')
  expect(findEntry(entries, '/nowhere')).toBeUndefined()
})

test('a phone’s bar has five places: conversations, internal chats, two pages and the menu with what is left', () => {
  const pages = ['/tickets', '/contacts', '/quickAnswers', '/tags', '/', '/connections'].map(path => ({
    ...entry(path, 'session'),
    route: path,
    permission: 'session' as const,
    section: 'main' as const,
  }))
  const first = (count: number) => pickFirstEntries(pages.slice(0, count), false).map(({ path }) => path)
  expect(first(6)).toEqual(['/tickets', '/contacts', '/quickAnswers'])
  // Internal chats beside conversations make five of four.
  expect(first(4)).toEqual(['/tickets', '/contacts', '/quickAnswers', '/tags'])
  expect(first(2)).toEqual(['/tickets', '/contacts'])
})

test('spec 1 §2: the scheduler is disabled unless the setting allowAgendador is enabled', () => {
  const scheduler = {
    path: '/agendamentos',
    label: makeLabel('Agendamentos'),
    permission: 'session',
    needs: 'allowAgendador',
  }
  const [remote] = parseRemotes([{ name: 'a', entry: '/a', pages: [scheduler, entry('/tags', 'session')] }])
  const [first, second] = remote?.pages ?? []
  if (!first || !second) throw new Error('no menu')
  expect(isSwitchedOff(first, {})).toBe(true)
  expect(isSwitchedOff(first, { allowAgendador: false })).toBe(true)
  expect(isSwitchedOff(first, { allowAgendador: true })).toBe(false)
  expect(isSwitchedOff(second, {})).toBe(false)
})

test('what makes no sense in remotes.json is left out and breaks nothing', () => {
  expect(parseRemotes(null)).toEqual([])
  expect(parseRemotes([null, 7, { name: '../x', entry: '/', pages: [] }, { name: 'a', entry: 1, pages: [] }])).toEqual(
    [],
  )
  const [odd] = parseRemotes([
    {
      name: 'odd',
      entry: '/x',
      pages: ['no', { path: '/even', label: { pt: 'Par' } }, { path: '/odd', label: makeLabel('Ímpar') }],
    },
  ])
  // Without a known permission a page is for administrators.
  expect(odd?.pages.map(({ path, permission }) => [path, permission])).toEqual([['/odd', 'admin']])
})

test('the palette finds by any part of a word, accents and case aside', () => {
  const entries = ['Conexões', 'Conversas', 'Respostas rápidas'].map(label => ({ label, words: '' }))
  expect(find(entries, 'CONEXO').map(({ label }) => label)).toEqual(['Conexões'])
  expect(find(entries, 'rapi resp').map(({ label }) => label)).toEqual(['Respostas rápidas'])
  expect(find(entries, ' ')).toHaveLength(3)
})

test('whoever writes over a connection is told that it is down, signed out ones included', () => {
  const brief = { id: 1, name: 'Loja Centro', api: 'baileys' } as const
  const since = '2026-11-21T12:12:00.000Z'
  expect(listDownConnections([{ ...brief, status: 'LOGGEDOUT', downSince: since }])).toEqual([
    { id: 1, name: 'Loja Centro', since },
  ])
  for (const status of ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING'] as const)
    expect(listDownConnections([{ ...brief, status }])).toMatchObject([{ since: null }])
  expect(listDownConnections([{ ...brief, status: 'CONNECTED', downSince: null }])).toEqual([])
})

function entry(path: string, permission: string) {
  const section = permission === 'admin' ? 'admin' : 'main'
  return { path, permission, label: makeLabel(path), icon: '', section, place: ORDER.indexOf(path) }
}

function makeLabel(word: string) {
  return { pt: word, en: word, es: word }
}

test('each entry of the menu has a picture of its own: a closed menu shows nothing else', () => {
  const icons = parseRemotes(list).flatMap(({ pages }) => pages.map(({ icon }) => icon))
  expect(icons.filter((icon, at) => icons.indexOf(icon) !== at)).toEqual([])
  expect(icons.filter(icon => getIcon(icon) === getIcon('none'))).toEqual([])
})

test('the menu that a first visit opens is open for that person alone, until they close it', () => {
  Object.assign(window, { innerWidth: 1440 })
  signIn(1)
  openMenuAtFirst()
  expect(showMenu().open).toBe(true)
  signIn(2)
  expect(showMenu().open).toBe(false)
  signIn(1)
  act(showMenu().toggle)
  openMenuAtFirst()
  expect(showMenu().open).toBe(false)
})

function signIn(id: number) {
  session.user = { ...MARINA, id }
}

let menu: ReturnType<typeof useMenuOpen>
function Probe() {
  menu = useMenuOpen()
  return null
}

function showMenu() {
  const root = createRoot(document.createElement('div'))
  act(() => root.render(createElement(Probe)))
  return menu
}
