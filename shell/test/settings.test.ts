// The settings of the session, against a server that is away for a moment.
import { afterEach, expect, test } from 'bun:test'
import { session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { loadSettings } from '../src/session/enter.ts'

let server: Server<undefined> | undefined

afterEach(async () => {
  session.status = 'out'
  await server?.stop(true)
})

test('settings that did not come are asked for again until they do', async () => {
  let isUp = false
  let requests = 0
  server = startPageServer({
    fetch() {
      requests += 1
      const away = { error: 'ERR_DATABASE_AWAY', message: '' }
      return isUp ? Response.json([{ key: 'allowAgendador', value: 'enabled' }]) : Response.json(away, { status: 503 })
    },
  })
  session.status = 'in'
  await loadSettings()
  expect([session.settings.allowAgendador, requests]).toEqual([undefined, 1])
  // A live line that is reset meanwhile asks as well.
  await loadSettings()
  isUp = true
  await waitUntil(() => session.settings.allowAgendador === true, 'the settings are known')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(requests).toBe(3)
})
