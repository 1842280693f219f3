import { describe, expect, test } from 'bun:test'
import { countStates, getWallState } from '../src/page/app/wall-state.ts'
import type { PageState, PhoneView } from '../src/page/model.ts'
import { type SimulatorOptions, startSimulator } from '../src/world.ts'
import { Client } from './client.ts'
import { openStream } from './page-stream.ts'

const LUCIA = '5531998762210'
const COMPANY = '5531997114400'
const CARLA = '5521996110087'

async function openPage(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({
    ...options,
    whatsapp: { ackDelayMs: 0, ...options.whatsapp },
    graph: { ackDelayMs: 0, retryBaseMs: 5 },
  })
  const root = `${simulator.url}/simulator`
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${root}/api/${path}`, {
      method,
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
  const state = async (): Promise<PageState> => (await call('GET', 'state')).json()
  const phone = async (id: string): Promise<PhoneView> => {
    const found = (await state()).phones.find(one => one.id === id)
    if (!found) throw new Error(`No phone ${id}`)
    return found
  }
  return {
    simulator,
    root,
    call,
    state,
    phone,
    last: async (id: string) => (await phone(id)).bubbles.at(-1),
    [Symbol.asyncDispose]: () => simulator.stop(),
  }
}

describe('the page with the phones', () => {
  test('is one document with its script, style and icon, and asks nothing of other sites', async () => {
    await using page = await openPage()
    const html = await (await fetch(page.root)).text()
    expect(html).toContain('lang="pt-BR"')
    for (const [file, type] of [
      ['page.js', 'text/javascript'],
      ['page.css', 'text/css'],
      ['icon.svg', 'image/svg+xml'],
    ] as const) {
      const answer = await fetch(`${page.root}/${file}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
      expect((await answer.text()).length).toBeGreaterThan(100)
    }
    expect((await fetch(`${page.root}/api/nothing`)).status).toBe(404)
    expect((await fetch(`${page.simulator.url}/elsewhere`)).status).toBe(404)
  })

  test('shows two customers and the company’s phone first, each customer with a chat open', async () => {
    await using page = await openPage()
    const { phones } = await page.state()
    expect(phones.slice(0, 3).map(one => one.name)).toEqual(['Dona Lúcia', 'Padaria Estrela', 'Celular da empresa'])
    expect(phones[0]).toMatchObject({
      label: '+55 31 99876-2210',
      peer: { name: 'Distribuidora São José', canCall: true },
    })
    expect(phones[2]).toMatchObject({ role: 'company', devices: [] })
  })

  test('refuses what another site would do in a visitor’s browser', async () => {
    await using page = await openPage()
    const answer = await fetch(`${page.root}/api/burst`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: '{}',
    })
    expect(answer.status).toBe(403)
    expect((await page.state()).happenings).toEqual([])
  })
})

describe('a phone on the page', () => {
  test('writes, edits, answers, reacts and takes back', async () => {
    await using page = await openPage()
    await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'Bom dia' })
    const first = await page.last(LUCIA)
    expect(first).toMatchObject({ mine: true, kind: 'text', text: 'Bom dia', tick: 'sent' })
    await page.call('PUT', `phones/${LUCIA}/messages/${first?.id}`, { text: 'Boa tarde' })
    await page.call('POST', `phones/${LUCIA}/messages/${first?.id}/reaction`, { emoji: '👍' })
    expect(await page.last(LUCIA)).toMatchObject({ text: 'Boa tarde', edited: true, reactions: ['👍'] })
    await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'Esqueci', quote: first?.id })
    expect(await page.last(LUCIA)).toMatchObject({ quote: { mine: true, text: 'Boa tarde' } })
    await page.call('DELETE', `phones/${LUCIA}/messages/${first?.id}`)
    expect((await page.phone(LUCIA)).bubbles[0]).toMatchObject({ deleted: true })
  })

  test('sends what customers send often: a cart, a Pix key, words after an advertisement, a better photo', async () => {
    await using page = await openPage()
    const { samples } = (await page.phone(LUCIA)).peer ?? {}
    expect(samples).toEqual(['cart', 'pix', 'ad', 'hd'])
    const sent = async (sample: string) => {
      await page.call('POST', `phones/${LUCIA}/messages`, { type: 'sample', sample })
      return page.last(LUCIA)
    }
    expect(await sent('cart')).toMatchObject({ kind: 'card', tick: 'sent' })
    expect(await sent('pix')).toMatchObject({ kind: 'card', tick: 'sent' })
    expect(await sent('ad')).toMatchObject({ kind: 'text', text: 'Oi! Vi o anúncio das cestas.' })
    const photo = async (facts: object) => {
      const form = new FormData()
      form.set('facts', JSON.stringify({ kind: 'image', mime: 'image/jpeg', ...facts }))
      form.set('file', new File(['x'.repeat(100)], 'foto.jpg'))
      return (await page.call('POST', `phones/${LUCIA}/files`, form)).status
    }
    expect([await photo({ caption: 'Em HD' }), await photo({ better: true })]).toEqual([204, 204])
    const { bubbles } = await page.phone(LUCIA)
    expect(bubbles.filter(bubble => bubble.kind === 'image').map(bubble => bubble.text)).toEqual(['Em HD'])
  })

  test('sends a file that can be opened again, never inline when it is not a picture or sound', async () => {
    await using page = await openPage()
    const form = new FormData()
    form.set('facts', JSON.stringify({ kind: 'document', mime: 'text/html', name: 'pagina.html' }))
    form.set('file', new File(['<b>oi</b>'], 'pagina.html'))
    expect((await page.call('POST', `phones/${LUCIA}/files`, form)).status).toBe(204)
    const sent = await page.last(LUCIA)
    expect(sent).toMatchObject({ kind: 'document', file: { name: 'pagina.html', size: 9 } })
    const opened = await fetch(`${page.root}/${sent?.file?.url}`)
    expect(await opened.text()).toBe('<b>oi</b>')
    expect(opened.headers.get('content-disposition')).toBe('attachment')
  })

  test('without network keeps its messages with a clock until it is back', async () => {
    await using page = await openPage()
    await page.call('PUT', `phones/${LUCIA}/network`, { network: 'off' })
    await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'Chegou?' })
    expect(await page.last(LUCIA)).toMatchObject({ text: 'Chegou?', tick: 'waiting' })
    expect((await page.phone(COMPANY)).chats.find(chat => chat.id.includes('98762210'))?.preview).toBe('')
    await page.call('PUT', 'network', { network: 'normal' })
    expect(await page.last(LUCIA)).toMatchObject({ text: 'Chegou?', tick: 'sent' })
  })

  test('the company’s own phone writes to a customer, who sees it', async () => {
    await using page = await openPage()
    await page.call('POST', `phones/${COMPANY}/open`, { chat: 'wa-553198762210' })
    await page.call('POST', `phones/${COMPANY}/messages`, { type: 'text', text: '*Marina:*\nSeu boleto vai já' })
    expect(await page.last(LUCIA)).toMatchObject({ mine: false, text: '*Marina:*\nSeu boleto vai já' })
  })

  test('a missed call shows on both phones, and what cannot be done is said in words', async () => {
    await using page = await openPage()
    await page.call('POST', `phones/${LUCIA}/call`, { video: false })
    expect(await page.last(LUCIA)).toMatchObject({ kind: 'call', call: { missed: true } })
    const refused = await page.call('POST', `phones/${CARLA}/call`, {})
    expect(refused.status).toBe(409)
    expect((await refused.json()).message).toBe('O número oficial não atende chamadas.')
  })

  test('a customer of the Cloud API number writes, and the number’s answer lands on the phone', async () => {
    await using page = await openPage()
    const { graph, cloud } = page.simulator
    await page.call('POST', `phones/${CARLA}/messages`, { type: 'text', text: 'Oi, oficial' })
    const answer = await fetch(`${graph.url}/v26.0/${cloud?.phoneNumberId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud?.token}` },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient: 'BR.7720194481',
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Confirma?' },
          action: { buttons: [{ type: 'reply', reply: { id: 's', title: 'Sim' } }] },
        },
      }),
    })
    expect(answer.status).toBe(200)
    await using stream = {
      ...(await openStream(`${page.root}/api/events`)),
      [Symbol.asyncDispose]: async () => stream.close(),
    }
    await stream.until(frame => JSON.stringify(frame).includes('Confirma?'))
    const entry = await page.last(CARLA)
    expect(entry).toMatchObject({ mine: false, options: [{ id: 's', title: 'Sim', by: 'button_reply' }] })
    await page.call('POST', `phones/${CARLA}/messages`, {
      type: 'option',
      of: entry?.id,
      id: 's',
      title: 'Sim',
      by: 'button_reply',
    })
    expect(await page.last(CARLA)).toMatchObject({ text: 'Sim', quote: { text: 'Confirma?' } })
  })

  test('a new phone has its own number and can write at once', async () => {
    await using page = await openPage()
    const made: PhoneView = await (await page.call('POST', 'phones', { name: 'Teresa' })).json()
    expect(made.name).toBe('Teresa')
    await page.call('POST', `phones/${made.id}/messages`, { type: 'text', text: 'Oi' })
    expect(await page.last(made.id)).toMatchObject({ text: 'Oi' })
  })

  test('a burst comes from all customers in turn', async () => {
    await using page = await openPage()
    const stream = await openStream(`${page.root}/api/events`)
    await page.call('POST', 'burst', { count: 20 })
    await stream.until(frame => JSON.stringify(frame).includes('(20 de 20)'))
    stream.close()
    const { phones } = await page.state()
    const counts = phones.filter(one => one.role === 'customer').map(one => one.bubbles.length)
    expect(counts).toEqual([4, 4, 4, 4, 4])
  })
})

describe('the company’s phone', () => {
  test('reads the code of a waiting connection, shows the device, and logs the device out', async () => {
    let client: Client | undefined
    await using page = await openPage({
      onScanRequest: async () => (client?.qr ? [{ connection: 'Atacado', qr: client.qr }] : []),
    })
    client = new Client(page.simulator.whatsapp)
    const stream = await openStream(`${page.root}/api/events`)
    const newest = async () => {
      const frame = await stream.until(one => one.type === 'scans' && one.scans.length > 0)
      const [scan] = frame.type === 'scans' ? frame.scans : []
      expect(scan?.connection).toBe('Atacado')
      return (await page.call('POST', `phones/${COMPANY}/scan`, { qr: scan?.qr })).text()
    }
    const scanned = await newest()
    // A code may be renewed between the look and the scan: then the phone says so, and the newest is read.
    expect(/renovado/.test(scanned) ? await newest() : scanned).toBe('')
    expect((await page.phone(COMPANY)).devices).toHaveLength(1)
    await page.call('DELETE', `phones/${COMPANY}/devices/1`)
    expect((await page.phone(COMPANY)).devices).toEqual([])
    await client.sock.end(undefined)
    stream.close()
  })

  test('says in Portuguese that a code is wrong', async () => {
    await using page = await openPage()
    const wrong = await page.call('POST', `phones/${COMPANY}/scan`, { qr: 'https://example.com' })
    expect((await wrong.json()).message).toBe('Isto não é um código de aparelho conectado.')
    const code = await page.call('POST', `phones/${COMPANY}/pair`, { code: 'abcd-1234' })
    expect(code.status).toBe(409)
    expect((await code.json()).message).not.toMatch(/Error|undefined/)
  })
})

describe('the wall of phones', () => {
  test('two hundred more customers stand on it, always the same, and the desk gets them as a sheet', async () => {
    await using page = await openPage()
    const before = (await page.state()).phones.length
    await page.call('POST', 'crowd')
    await page.call('POST', 'crowd')
    const { phones } = await page.state()
    const crowd = phones.filter(one => one.crowd)
    expect([phones.length - before, crowd.length, new Set(crowd.map(one => one.name)).size]).toEqual([200, 200, 200])
    const sheet = await (await page.call('GET', 'crowd.csv')).text()
    expect(sheet.trim().split('\r\n')).toHaveLength(201)
    expect(sheet).toContain(`${crowd[0]?.name};${crowd[0]?.id}`)
  })

  test('a phone that blocks the number shows nothing of it, and the company sees one tick', async () => {
    await using page = await openPage()
    const company = page.simulator.companies[0]?.whatsapp
    const lucia = page.simulator.find('Dona Lúcia')
    if (!company || lucia?.role !== 'customer') throw new Error('no phones')
    await page.call('PUT', `phones/${LUCIA}/block`, { on: true })
    expect(await page.phone(LUCIA)).toMatchObject({ peer: { blocked: true }, chats: [{}, {}, {}, { blocked: false }] })
    const id = await company.type({ to: lucia.whatsapp, type: 'text', text: 'Chegou a farinha' })
    expect([(await page.phone(LUCIA)).bubbles, company.find(id)?.tick]).toEqual([[], 'sent'])
    const refused = await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'Oi' })
    expect(await refused.json()).toMatchObject({ message: 'Desbloqueie Distribuidora São José para escrever.' })
    await page.call('PUT', `phones/${LUCIA}/block`, { on: false })
    await company.type({ to: lucia.whatsapp, type: 'text', text: 'De novo' })
    expect(await page.last(LUCIA)).toMatchObject({ text: 'De novo' })
  })

  test('a phone that answered SAIR tells so, also after the desk said goodbye', async () => {
    await using page = await openPage()
    const company = page.simulator.companies[0]?.whatsapp
    const lucia = page.simulator.find('Dona Lúcia')
    if (!company || lucia?.role !== 'customer') throw new Error('no phones')
    await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'sair!' })
    await company.type({ to: lucia.whatsapp, type: 'text', text: 'Pronto, você não recebe mais nossos avisos.' })
    expect((await page.phone(LUCIA)).chats[0]).toMatchObject({ left: true, mine: false })
    await page.call('POST', `phones/${LUCIA}/messages`, { type: 'text', text: 'Quero voltar' })
    expect((await page.phone(LUCIA)).chats[0]).toMatchObject({ left: false, mine: true })
  })

  test('a phone without WhatsApp is found by no number check, and gets nothing until it is back', async () => {
    await using page = await openPage()
    const { whatsapp, graph, cloud } = page.simulator
    expect(whatsapp.account('553198762210')?.name).toBe('Dona Lúcia')
    expect((await page.call('PUT', `phones/${COMPANY}/whatsapp`, { on: false })).status).toBe(409)
    await page.call('PUT', `phones/${LUCIA}/whatsapp`, { on: false })
    expect([whatsapp.account(LUCIA), whatsapp.account('553198762210')]).toEqual([undefined, undefined])
    expect(await page.phone(LUCIA)).toMatchObject({ onWhatsApp: false })
    const send = () =>
      fetch(`${graph.url}/v26.0/${cloud?.phoneNumberId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${cloud?.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messaging_product: 'whatsapp', to: LUCIA, type: 'text', text: { body: 'Oi' } }),
      })
    const undeliverable = new Promise<number | undefined>(resolve => {
      const stop = graph.on(event => {
        if (event.type !== 'status' || event.entry.status !== 'failed') return
        stop()
        resolve(event.entry.error)
      })
    })
    await send()
    expect(await undeliverable).toBe(131026)
    await page.call('PUT', `phones/${LUCIA}/whatsapp`, { on: true })
    expect(whatsapp.account(LUCIA)?.name).toBe('Dona Lúcia')
  })
})

describe('what a phone on the wall tells', () => {
  const chat = { id: 'wa-1', name: 'São José', number: '', preview: 'Oi', at: '2026-11-23T10:00:00Z', unread: 0 }
  const status = { ...chat, mine: false, left: false, blocked: false }
  const view = (more: Partial<PhoneView>): PhoneView => ({
    ...{ id: '1', role: 'customer', name: 'Ana', label: '', network: 'normal', onWhatsApp: true, crowd: true },
    ...{ chats: [status], bubbles: [], devices: [], ...more },
  })

  test('is what matters most of it', () => {
    const { at: _, ...silent } = status
    const sentences = [
      view({ chats: [silent] }),
      view({}),
      view({ chats: [{ ...status, unread: 1 }] }),
      view({ chats: [{ ...status, mine: true }] }),
      view({ chats: [silent, { ...status, left: true, unread: 1 }] }),
      view({ chats: [{ ...status, left: true, blocked: true }] }),
      view({ chats: [{ ...status, blocked: true }], onWhatsApp: false }),
    ]
    const states = ['quiet', 'read', 'arrived', 'answered', 'left', 'blocked', 'absent'] as const
    expect(sentences.map(getWallState)).toEqual([...states])
    expect(countStates([...sentences, view({})])).toMatchObject({ read: 2, left: 1, absent: 1 })
  })
})
