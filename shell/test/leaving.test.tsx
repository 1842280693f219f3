// Signing out where the server does not answer: out is out at this browser, and the server hears of it when it can.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { onSessionRenewed, onSignedOut } from '@balcao/ui/api'
import { getAccessToken, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { useBoot } from '../src/session/boot.ts'
import { leave, signOut } from '../src/session/enter.ts'
import { finishLeaving } from '../src/session/leaving.ts'
import { signIn } from '../src/signin/sign-in.ts'
import { MARINA } from './marina.ts'

describe('a sign-out that the server does not hear', () => {
  let root: Root | undefined
  let server: Server<undefined>
  let isUp: boolean
  let requests: string[]
  let ended: string[]

  beforeEach(() => {
    isUp = true
    requests = []
    ended = []
    server = startPageServer({
      fetch(request, { pathname }) {
        const call = `${request.method} ${pathname}`
        if (pathname.startsWith('/auth/')) requests.push(call)
        if (!isUp) return Response.json({ error: 'ERR_DATABASE_AWAY' }, { status: 503 })
        if (call === 'DELETE /auth/logout') return new Response(null, { status: 204 })
        if (pathname.startsWith('/auth/')) return Response.json({ token: 'new', user: MARINA, wireSecret: '' })
        return Response.json(pathname === '/system' ? { product: 'Balcão', company: '', version: '' } : [])
      },
    })
    wearPush(async () => {
      ended.push('subscription')
      return true
    })
    Object.defineProperty(navigator, 'locks', { value: createLocks(), configurable: true })
  })
  afterEach(async () => {
    closePage()
    leave()
    // A page keeps its wires for ever; those of another file's page lead nowhere.
    onSessionRenewed(() => undefined)
    onSignedOut(() => undefined)
    isUp = true
    await finishLeaving()
    localStorage.clear()
    for (const name of ['serviceWorker', 'locks']) Reflect.deleteProperty(navigator, name)
    await server.stop(true)
  })

  test('lets nobody in again at this browser, whatever token lies there', async () => {
    await enterAndLeaveOffline()
    localStorage.setItem('balcao.token', 'x')
    await reload()
    await waitUntil(() => session.status === 'out', 'the page knows that nobody is here')
    expect(requests).not.toContain('POST /auth/refresh_token')
  })

  test('is told when the line is there again, and then no more', async () => {
    openPage()
    await enterAndLeaveOffline()
    isUp = true
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => requests.length === 1, 'the server is told')
    await waitUntil(() => localStorage.getItem('balcao.leaving') === null, 'nothing is left to tell')
    window.dispatchEvent(new Event('online'))
    expect(requests).toEqual(['DELETE /auth/logout'])
  })

  test('is told after the page was loaded again, until the server answers', async () => {
    await enterAndLeaveOffline()
    await reload()
    await waitUntil(() => requests.length === 1, 'the server is asked')
    isUp = true
    await waitUntil(() => requests.length === 2, 'it is asked once more by itself')
    expect(requests).toEqual(['DELETE /auth/logout', 'DELETE /auth/logout'])
  })

  test('is over with the next sign-in, which no goodbye follows', async () => {
    openPage()
    await enterAndLeaveOffline()
    isUp = true
    await signIn('ana@loja.example', 'x')
    window.dispatchEvent(new Event('online'))
    expect([requests, session.status, getAccessToken()]).toEqual([['POST /auth/login'], 'in', 'new'])
  })

  test('is told also where the storage of the browser is full', async () => {
    openPage()
    await signIn('ana@loja.example', 'x')
    isUp = false
    const roomy = localStorage
    setStorage(createFullStorage(roomy))
    await signOut().finally(() => setStorage(roomy))
    expect([session.status, getAccessToken()]).toEqual(['out', null])
    requests.length = 0
    isUp = true
    window.dispatchEvent(new Event('online'))
    await waitUntil(() => requests.length === 1, 'the server is told')
  })

  test('ends nothing of whoever signed in in another tab since, though the full storage kept no mark', async () => {
    openPage()
    await signIn('ana@loja.example', 'x')
    isUp = false
    const roomy = localStorage
    setStorage(createFullStorage(roomy))
    await signOut().finally(() => setStorage(roomy))
    requests.length = 0
    isUp = true
    window.dispatchEvent(new StorageEvent('storage', { key: 'balcao.token', newValue: 'theirs' }))
    window.dispatchEvent(new Event('online'))
    await act(() => new Promise(resolve => setTimeout(resolve, 50)))
    expect(requests).toEqual([])
  })

  test('silences the device without the server', async () => {
    await enterAndLeaveOffline()
    expect(ended).toEqual(['subscription'])
    wearPush(async () => {
      throw new DOMException('the push service is away', 'AbortError')
    })
    isUp = true
    await enterAndLeaveOffline()
    expect(ended).toEqual(['subscription', 'worker'])
  })

  function openPage() {
    root = createRoot(document.createElement('div'))
    act(() => root?.render(<Page />))
  }

  function closePage() {
    act(() => root?.unmount())
    root = undefined
  }

  async function enterAndLeaveOffline() {
    await signIn('ana@loja.example', 'x')
    isUp = false
    await signOut()
    expect([session.status, getAccessToken()]).toEqual(['out', null])
    requests.length = 0
  }

  /** The page forgets everything but what the browser keeps. */
  async function reload() {
    closePage()
    session.status = 'unknown'
    openPage()
  }

  function wearPush(unsubscribe: () => Promise<boolean>) {
    const worker = {
      pushManager: { getSubscription: async () => ({ unsubscribe }) },
      unregister: async () => ended.push('worker'),
      getNotifications: async () => [],
    }
    const value = { getRegistration: async () => worker }
    Object.defineProperty(navigator, 'serviceWorker', { value, configurable: true })
  }
})

function Page() {
  useBoot()
  return null
}

/** Of a browser under https, in which one comes after the other. */
function createLocks() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request<T>(_: string, work: () => Promise<T>): Promise<T> {
      const turn = last.then(work, work)
      last = turn
      return turn
    },
  }
}

function setStorage(value: Storage) {
  Object.defineProperty(globalThis, 'localStorage', { value, configurable: true })
}

function createFullStorage(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'setItem') throw new DOMException('full', 'QuotaExceededError')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
