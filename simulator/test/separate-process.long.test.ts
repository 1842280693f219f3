import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompanyPhone, type CustomerPhone, startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'

let world: WhatsAppNetwork
let company: CompanyPhone
let lucia: CustomerPhone
const running: Bun.Subprocess[] = []

beforeAll(async () => {
  world = await startWhatsApp({ ackDelayMs: 0, companionRegRefresh: 'off' })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
})

afterAll(async () => {
  for (const process of running) process.kill(9)
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const folder = mkdtempSync(join(tmpdir(), 'balcao-desk-'))
const AUTH_FILE = join(folder, 'auth.json')

/** Starts the desk and gives a way to wait for what it says. */
function startDesk(more: Record<string, string> = {}) {
  const child = Bun.spawn(
    [
      process.execPath,
      '--preload',
      join(import.meta.dir, '../src/whatsapp/trust.ts'),
      join(import.meta.dir, 'desk-process.ts'),
    ],
    { env: { ...process.env, ...world.env, AUTH_FILE, ...more }, stdout: 'pipe', stderr: 'inherit' },
  )
  running.push(child)
  const output: Record<string, unknown>[] = []
  const reading = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) output.push(JSON.parse(line))
    }
  })()
  async function heard(
    label: string,
    check: (line: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    for (const end = Date.now() + 15_000; Date.now() < end; await Bun.sleep(10)) {
      const found = output.find(check)
      if (found) return found
    }
    throw new Error(`The desk did not say ${label}`)
  }
  return { child, heard, reading }
}

test('a process with the preload and the environment links, uploads over TLS and survives kill -9', async () => {
  const linking = startDesk()
  const { qr } = await linking.heard('a code', each => typeof each.qr === 'string')
  await company.scan(String(qr))
  await linking.child.exited

  const first = startDesk({ IMAGE_TO: lucia.lid })
  const { sent } = await first.heard('sent', each => 'sent' in each || 'error' in each)
  expect(sent).toBeString()
  const picture = lucia.message(company.user, String(sent))
  if (!picture) throw new Error('The picture did not arrive')
  expect(Buffer.from(await lucia.download(picture)).toString()).toBe('a picture')
  const id = await lucia.send(company, { type: 'text', text: 'Antes' })
  await first.heard('the message', each => each.message === id)

  const gone = world.timeline.next(event => event.type === 'offline')
  first.child.kill(9)
  await gone
  const missed = await lucia.send(company, { type: 'text', text: 'Durante' })
  const second = startDesk()
  expect(await second.heard('what it missed', each => each.message === missed)).toMatchObject({ text: 'Durante' })
})
