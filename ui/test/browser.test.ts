import { expect, spyOn, test } from 'bun:test'
import path from 'node:path'
import { Glob } from 'bun'
import { makeId, openFileFrom, runExclusively } from '../src/browser/index.ts'

test('an id is a UUID of version 4, and never the same', () => {
  const ids = Array.from({ length: 50 }, makeId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(50)
})

test.each([
  ['one that died', -1],
  ['one whose clock was ahead', 3_600_000],
])('without the browser’s locks tabs still come one after the other, also after %s', async (_, ms) => {
  expect(navigator.locks ?? null).toBeNull()
  localStorage.setItem('lease', JSON.stringify({ own: 'a tab that is gone', until: Date.now() + ms }))
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise(resolve => setTimeout(resolve, 3))
    inside -= 1
    return 'done'
  }
  expect(await Promise.all([1, 2, 3].map(() => runExclusively('lease', work)))).toEqual(['done', 'done', 'done'])
  expect(most).toBe(1)
  expect(localStorage.getItem('lease')).toBeNull()
})

test('without the browser’s locks work is done also where the storage has no room for the lease', async () => {
  const roomy = localStorage
  const full = new Proxy(roomy, {
    get(storage, name) {
      if (name === 'setItem')
        return () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      const value = Reflect.get(storage, name)
      return typeof value === 'function' ? value.bind(storage) : value
    },
  })
  Object.defineProperty(globalThis, 'localStorage', { value: full, configurable: true })
  const done = runExclusively('lease', async () => 'done').finally(() =>
    Object.defineProperty(globalThis, 'localStorage', { value: roomy, configurable: true }),
  )
  expect(await done).toBe('done')
})

test('a file is shown in a tab that is there at once; nothing found closes it, and where there are no tabs it is saved', async () => {
  const went: string[] = []
  let closed = 0
  const tab = { opener: window, close: () => closed++, location: { replace: (to: URL) => went.push(to.pathname) } }
  const open = spyOn(window, 'open').mockImplementation(() => tab as unknown as Window)
  const clicked = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { promise, resolve } = Promise.withResolvers<{ name: string; url: string }>()
  const shown = openFileFrom(promise)
  expect([open.mock.calls.length, went.length]).toEqual([1, 0])
  expect(tab.opener === null).toBe(true)
  resolve({ name: 'filas.pdf', url: '/media/x?token=y' })
  await shown
  expect([went, closed]).toEqual([['/media/x'], 0])
  await openFileFrom(Promise.resolve(null))
  await expect(openFileFrom(Promise.reject(new Error('Sem linha')))).rejects.toThrow('Sem linha')
  expect([went.length, closed, clicked.mock.calls.length]).toEqual([1, 2, 0])
  open.mockReturnValue(null as never)
  await openFileFrom(Promise.resolve({ name: 'filas.pdf', url: '/media/x' }))
  expect(clicked.mock.calls.length).toBe(1)
  for (const spy of [open, clicked]) spy.mockRestore()
})

test('what a browser has only under https is asked for in one place', async () => {
  const root = path.join(import.meta.dirname, '../..')
  const files = await Array.fromAsync(new Glob('{ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan(root))
  const found: string[] = []
  for (const file of files.filter(file => !file.endsWith('.test.ts') && file !== 'ui/src/browser/index.ts')) {
    const text = await Bun.file(path.join(root, file)).text()
    if (/crypto\.(randomUUID|subtle)|navigator\.clipboard/.test(text)) found.push(file)
  }
  expect(found).toEqual([])
})
