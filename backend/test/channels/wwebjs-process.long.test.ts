// What surrounds the browser of a connection of the kind `wwebjs`: how it is paired and unlinked, what happens when its process or its
// browser dies, and that nothing is left of either.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWebDriver } from '../../src/messaging/channels/wwebjs/driver.ts'
import { createTestDatabase } from '../database.ts'
import { waitUntil } from '../until.ts'
import { ChannelDesk } from './desk.ts'
import { QUICK, startWwebjsStandIn, type WebStandIn } from './wwebjs-stand-in.ts'

const { db } = await createTestDatabase()
let it: WebStandIn

beforeAll(async () => {
  it = await startWwebjsStandIn(db, { codes: 2 })
})
afterAll(async () => {
  await it?.close()
})

const folder = () => join(it.desk.config.dataDir, 'wwebjs', String(it.desk.connection.id))
const run = (): { child: number; browser: number } => JSON.parse(readFileSync(join(folder(), 'run.json'), 'utf8'))
const status = (wanted: string) => it.desk.next('status', event => event.status === wanted, 30_000)

/** Processes that name the connection's folder, or were started by one that does. */
function processes(): number[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder()) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

describe('pairing', () => {
  test('nobody reads the codes: it says so, and no browser is left open', async () => {
    await it.driver.pair({ qr: true })
    await status('qrcode')
    const [page] = it.world.pages
    await waitUntil('it gave up', () => {
      page?.nextCode()
      return it.desk.status()?.status === 'TIMEOUT'
    })
    expect(it.desk.status()?.trouble).toMatchObject({ reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
    await waitUntil('all is closed', () => processes().length === 0)
  })

  test('by eight characters, typed on the phone', async () => {
    it.desk.forget()
    const { code } = await it.driver.pair({ phone: '+55 31 3222-4010' })
    expect(code).toMatch(/^[0-9A-Z]{8}$/)
    expect(it.desk.status()).toMatchObject({ status: 'PAIRING', code })
    const before = it.desk.all('status').length
    await it.company.enterCode(code ?? '')
    await it.connected()
    expect(it.device.online).toBe(true)
    // Typed: the page loads for long, and no code waits any more.
    const [typed] = it.desk.all('status').slice(before)
    expect([typed?.status, typed?.code]).toEqual(['PAIRING', undefined])
    // Who can read the profile is the company's WhatsApp.
    expect(statSync(folder()).mode & 0o77).toBe(0)
  })
})

describe('conversations', () => {
  const received = async (text: string) => it.desk.next('message', event => event.body === text)

  test('what is typed on the phone shows at the desk, what the desk sends does not show twice', async () => {
    it.desk.forget()
    const sent = await Promise.all(
      ['um', 'dois', 'três'].map(text => it.driver.send(it.address, null, { type: 'text', text })),
    )
    await it.company.type({ to: it.customer, text: 'Do celular' })
    const typed = await received('Do celular')
    expect(typed).toMatchObject({ ref: { fromMe: true }, chat: { pn: it.phone } })
    expect(sent.every(({ ok }) => ok)).toBe(true)
    expect(it.desk.all('message')).toHaveLength(1)
  })

  test('an edit and a deletion of the customer', async () => {
    const id = await it.says({ type: 'text', text: 'Quero dez' })
    await received('Quero dez')
    await it.customer.send(it.company, { type: 'edit', of: id, text: 'Quero doze' })
    expect(await it.desk.next('edit')).toMatchObject({ ref: { id, fromMe: false }, body: 'Quero doze' })
    await it.customer.send(it.company, { type: 'revoke', of: id })
    expect(await it.desk.next('revoke')).toMatchObject({ ref: { id, fromMe: false }, chat: { pn: it.phone } })
  })

  test('in a group: who wrote, the name of the group, its members, and an answer that quotes', async () => {
    const group = it.world.group({ subject: 'Entregas', description: 'Rotas', members: [it.company, it.customer] })
    const id = await it.customer.send(group, { type: 'text', text: 'Alguém na loja?' })
    const message = await received('Alguém na loja?')
    expect(message).toMatchObject({
      chat: { jid: group.jid, group: true },
      author: { pn: it.phone },
      chatName: 'Entregas',
      name: 'Dona Lúcia',
    })
    const quote = { ...message.ref, body: message.body }
    const answer = await it.driver.send(group.jid, null, { type: 'text', text: 'Sim', quote })
    if (!answer.ok) throw new Error(answer.text)
    expect(it.customer.message(group.jid, answer.id)).toMatchObject({ quote: id, content: { text: 'Sim' } })
    const ref = { chat: group.jid, id: answer.id, fromMe: true }
    expect(await it.driver.send(group.jid, null, { type: 'edit', ref, text: 'Sim, até as 18h' })).toMatchObject({
      ok: true,
    })
    await waitUntil('it was edited', () => it.customer.message(group.jid, answer.id)?.edited === true)
    expect(await it.driver.group(group.jid)).toMatchObject({ subject: 'Entregas', desc: 'Rotas' })
    expect((await it.driver.group(group.jid))?.members.map(({ pn }) => pn)).toContain(it.phone)
    group.rename('Entregas norte', it.customer)
    expect((await it.desk.next('group', event => event.subject === 'Entregas norte')).jid).toBe(group.jid)
  })

  test('a group we are taken out of, or added to again, is told; of others’ coming and going nothing', async () => {
    const rui = it.world.customer({ number: '5531977770010', name: 'Rui' })
    const group = it.world.group({ subject: 'Feira', members: [it.customer, it.company, rui] })
    it.desk.forget()
    group.remove(rui, it.customer)
    group.remove(it.company, it.customer)
    await it.desk.next('membership', event => event.group.jid === group.jid && !event.isMember)
    expect(it.desk.all('membership')).toHaveLength(1)
    group.add(it.company, it.customer)
    await it.desk.next('membership', event => event.group.jid === group.jid && event.isMember)
    const ids = it.desk.all('membership').map(({ id }) => id ?? '')
    expect([ids.every(id => id !== ''), new Set(ids).size]).toEqual([true, ids.length])
  })

  test('a call rings and is missed as one call, and is rejected where calls are not taken', async () => {
    it.desk.forget()
    it.customer.call(it.company)
    const missed = await it.desk.next('call', event => event.state === 'missed')
    expect(await it.desk.next('call', event => event.state === 'offer')).toMatchObject({ id: missed.id })
    it.desk.acceptsCalls = false
    const rejected = it.world.timeline.next(event => event.type === 'call' && event.state === 'rejected')
    it.customer.call(it.company)
    await rejected
    it.desk.acceptsCalls = true
  })

  test('to a number without WhatsApp nothing is sent, and it is not tried again', async () => {
    const result = await it.driver.send('5511900000000@s.whatsapp.net', null, { type: 'text', text: 'Oi' })
    expect(result).toMatchObject({ ok: false, outcome: 'refused', code: 'ERR_WAPP_INVALID_CONTACT' })
  })

  test('the page has all that the library asks for', () => {
    expect(it.unknown).toEqual([])
  })
})

describe('what dies comes back', () => {
  for (const victim of ['child', 'browser'] as const)
    test(`the ${victim} is killed: nothing of it is left, it opens again by itself, and what came meanwhile comes once`, async () => {
      const before = run()
      it.desk.forget()
      process.kill(before[victim], 'SIGKILL')
      const lost = await status('DISCONNECTED')
      expect(lost.trouble).toMatchObject({ reason: 'browser', next: 'retry' })
      const id = await it.says({ type: 'text', text: `Enquanto isso (${victim})` })
      await it.connected()
      await it.desk.next('message', event => event.ref.id === id)
      expect(it.desk.all('message').filter(event => event.ref.id === id)).toHaveLength(1)
      await waitUntil('nothing of it is left', () => !processes().some(pid => Object.values(before).includes(pid)))
    })

  test('the process dies while a message is on its way: nobody knows, until its chat is read', async () => {
    it.desk.forget()
    const { child } = run()
    const trace = crypto.randomUUID()
    it.world.knobs.lose = 0
    it.customer.knobs.ackDelayMs = 60_000
    const sending = it.driver.send(it.address, null, { type: 'text', text: 'Chegou a tempo?' }, trace)
    await waitUntil('the customer has it', () =>
      it.customer.chat(it.company).some(({ content }) => content.type === 'text' && content.text === 'Chegou a tempo?'),
    )
    process.kill(child, 'SIGKILL')
    expect(await sending).toMatchObject({ ok: false, outcome: 'unknown' })
    it.customer.knobs.ackDelayMs = 5
    const ack = await it.desk.next('ack', event => event.trace === trace && event.ack !== 'pending', 30_000)
    const shown = it.customer
      .chat(it.company)
      .filter(({ content }) => 'text' in content && content.text === 'Chegou a tempo?')
    expect(shown.map(({ id }) => id)).toEqual([ack.ref.id])
    expect(it.desk.all('message').some(event => event.ref.id === ack.ref.id)).toBe(false)
    await it.connected()
  })

  test('while it is away, a send waits: it was certainly not sent', async () => {
    process.kill(run().browser, 'SIGKILL')
    it.desk.forget()
    await status('DISCONNECTED')
    const result = await it.driver.send(it.address, null, { type: 'text', text: 'Espere' }, crypto.randomUUID())
    expect(result).toMatchObject({ ok: false, outcome: 'retry', code: 'not_connected' })
    await it.connected()
  })

  test('whoever takes a connection over ends what its last owner left behind', async () => {
    await it.driver.stop()
    await waitUntil('all is closed', () => processes().length === 0)
    const left = Bun.spawn(['sh', '-c', 'sleep 600; true', folder()], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const another = Bun.spawn(['sh', '-c', 'sleep 600; true'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    writeFileSync(join(folder(), 'run.json'), JSON.stringify({ child: left.pid, browser: another.pid }))
    await it.restart()
    expect(await left.exited).not.toBe(0)
    // Its number was given to a program of somebody else's.
    expect(another.exitCode).toBeNull()
    process.kill(-another.pid, 'SIGKILL')
  })

  test('nothing can be written to the disk when it is to open again: it is tried again, and the desk goes on', async () => {
    const { browser } = run()
    const note = join(folder(), 'run.json')
    rmSync(note)
    // As on a full disk: who runs can't be written down.
    mkdirSync(note)
    it.desk.forget()
    process.kill(browser, 'SIGKILL')
    await it.desk.next('status', event => (event.trouble?.attempt ?? 0) > 2, 30_000)
    expect(it.desk.status()).toMatchObject({ status: 'DISCONNECTED', trouble: { reason: 'browser', next: 'retry' } })
    expect(await it.driver.send(it.address, null, { type: 'text', text: 'Espere' }, null)).toMatchObject({
      outcome: 'retry',
    })
    rmSync(note, { recursive: true })
    await it.connected()
  })

  test('a browser that takes too much memory is opened afresh', async () => {
    const { browserMemoryBytes } = it.desk.config
    const before = run().browser
    it.desk.forget()
    Object.assign(it.desk.config, { browserMemoryBytes: 1 })
    expect((await status('DISCONNECTED')).trouble).toMatchObject({ code: 'memory', reason: 'browser' })
    Object.assign(it.desk.config, { browserMemoryBytes })
    await it.connected()
    expect(run().browser).not.toBe(before)
  })
})

describe('the end', () => {
  test('logged out here: the phone knows, and nothing is kept', async () => {
    await it.driver.logout()
    expect(it.desk.status()).toMatchObject({ status: 'LOGGEDOUT', trouble: { reason: 'logged_out', next: 'read_qr' } })
    expect(it.company.browsers).toHaveLength(0)
    expect(existsSync(join(folder(), 'session'))).toBe(false)
    await waitUntil('all is closed', () => processes().length === 0)
  })

  test('unlinked on the phone: it says so and waits for a code', async () => {
    await it.connect()
    it.desk.forget()
    await it.unlink()
    expect((await status('LOGGEDOUT')).trouble).toMatchObject({
      reason: 'logged_out',
      next: 'read_qr',
      nextTryAt: null,
    })
    await waitUntil('all is closed', () => processes().length === 0 && !existsSync(join(folder(), 'session')))
  })

  test('ended between the reading of the code and the opening, whoever runs it next logs in', async () => {
    await waitUntil('nothing runs', () => processes().length === 0)
    it.desk.forget()
    let ended: Promise<void> | undefined
    it.desk.onEvent = event => {
      if (event.type === 'status' && event.status === 'PAIRING') ended ??= it.driver.stop()
    }
    await it.driver.pair({ qr: true })
    await status('qrcode')
    await it.company.scan(() => it.desk.all('status').findLast(event => event.qr)?.qr ?? '')
    await status('DISCONNECTED')
    await ended
    it.desk.onEvent = null
    await it.restart()
    expect(it.desk.all('status').map(event => event.status)).toEqual(['OPENING', 'CONNECTED'])
    expect(it.company.browsers).toHaveLength(1)
    await it.driver.logout()
  })

  test('without a browser it says what is missing and does not try for ever', async () => {
    const desk = await ChannelDesk.open(db, 'wwebjs', {
      ...it.desk.config,
      dataDir: join(it.desk.config.dataDir, 'other'),
    })
    const before = process.env.CHROME_PATH
    process.env.CHROME_PATH = '/nowhere/chromium'
    const driver = createWebDriver(desk.host, QUICK)
    await driver.pair({ qr: true })
    const lost = await desk.next('status', event => event.status === 'DISCONNECTED')
    expect(lost.trouble).toMatchObject({ reason: 'no_browser', next: 'ask_support', nextTryAt: null })
    if (before === undefined) delete process.env.CHROME_PATH
    else process.env.CHROME_PATH = before
    await driver.stop()
  })
})
