// The panel of the setting uriIframe: one page of ours may frame that program, and nothing else (spec 1 §2).
import { describe, expect, test } from 'bun:test'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

const server = await startDeskServer()

await makePerson(server.db, { name: 'Marina', profile: 'admin' })
await makePerson(server.db, { name: 'Bruna', profile: 'user' })
const admin = await server.as('Marina')
const bruna = await server.as('Bruna')

function set(value: string) {
  return admin.call('PUT', '/settings/uriIframe', { value })
}

describe('spec 1 §2: the integration panel', () => {
  test('exactly the origin of the setting may be framed, in a sandbox, at once after a change', async () => {
    for (const address of ['https://crm.saojose.example/painel?a=1&b="2"', 'http://127.0.0.1:9/']) {
      await set(address)
      const { status, headers, body } = await bruna.call<string>('GET', '/media/integration')
      const policy = headers.get('content-security-policy') ?? ''
      expect(status).toBe(200)
      expect(policy).toContain(`frame-src ${new URL(address).origin};`)
      expect(policy).toContain("frame-ancestors 'self'")
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(body).toContain('sandbox="allow-scripts allow-forms allow-popups allow-downloads allow-same-origin"')
      expect(body).not.toContain('"2"')
    }
  })

  test('a program of our own origin gets no origin in its frame', async () => {
    await set(`${server.url}/qualquer`)
    const { body } = await bruna.call<string>('GET', '/media/integration')
    expect(body).not.toContain('allow-same-origin')
  })

  test('without an address, or with one that is none, there is no page', async () => {
    for (const value of ['', 'javascript:alert(1)', 'crm', 'https://a:b@crm.example/']) {
      await set(value)
      expect((await bruna.call('GET', '/media/integration')).status).toBe(404)
    }
  })

  test('only a session sees it', async () => {
    await set('https://crm.saojose.example/')
    expect((await createBrowser(server.url).call('GET', '/media/integration')).status).toBe(401)
  })
})
