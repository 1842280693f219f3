import { describe, expect, test } from 'bun:test'
import type { CustomerContent } from '../src/graph/content.ts'
import { startGraphWorld } from './graph-world.ts'

const BYTES = new Uint8Array([1, 2, 3])

describe('webhooks of the Graph API', () => {
  test('are signed over the raw bytes, with everything outside ASCII escaped', async () => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Não dá pé 👍' })
    await world.graph.idle()
    const [notice] = world.notices
    expect(notice?.signedRightly).toBe(true)
    expect(notice?.raw).toMatch(/^[\x20-\x7e]+$/)
    expect(notice?.raw).toContain('N\\u00e3o d\\u00e1 p\\u00e9 \\ud83d\\udc4d')
    expect(notice?.messages[0]).toMatchObject({ from: '553198762210', type: 'text', text: { body: 'Não dá pé 👍' } })
  })

  test.each<[string, CustomerContent, Record<string, unknown>]>([
    [
      'image',
      { type: 'image', bytes: BYTES, mime: 'image/jpeg', caption: 'Vale?' },
      { image: { mime_type: 'image/jpeg', caption: 'Vale?' } },
    ],
    ['voice', { type: 'audio', bytes: BYTES, mime: 'audio/ogg; codecs=opus', voice: true }, { audio: { voice: true } }],
    ['video', { type: 'video', bytes: BYTES, mime: 'video/mp4' }, { video: { mime_type: 'video/mp4' } }],
    [
      'document',
      { type: 'document', bytes: BYTES, mime: 'application/pdf', filename: 'a.pdf' },
      { document: { filename: 'a.pdf' } },
    ],
    ['sticker', { type: 'sticker', bytes: BYTES, mime: 'image/webp' }, { sticker: { animated: false } }],
    ['location', { type: 'location', latitude: -19.9, longitude: -43.9 }, { location: { latitude: -19.9 } }],
    [
      'contacts',
      { type: 'contacts', contacts: [{ name: 'Rafael', phone: '+5531988887777' }] },
      { contacts: [{ name: { formatted_name: 'Rafael' } }] },
    ],
    ['button', { type: 'button', text: 'Sim', payload: 'SIM' }, { button: { payload: 'SIM' } }],
    ['button reply', { type: 'button_reply', id: '1', title: 'Sim' }, { interactive: { button_reply: { id: '1' } } }],
    [
      'list reply',
      { type: 'list_reply', id: '1', title: 'Financeiro' },
      { interactive: { list_reply: { title: 'Financeiro' } } },
    ],
    [
      'form reply',
      { type: 'nfm_reply', name: 'flow', body: 'Sent', response: { a: 1 } },
      { interactive: { nfm_reply: { response_json: '{"a":1}' } } },
    ],
    ['changed number', { type: 'user_changed_number', newWaId: '553100000000' }, { system: { wa_id: '553100000000' } }],
    ['unsupported', { type: 'unsupported' }, { errors: [{ code: 131051 }] }],
    [
      'only on the phone',
      { type: 'unsupported', kind: 'media', code: 131060 },
      { errors: [{ code: 131060 }], unsupported: { type: 'media' } },
    ],
    [
      'order',
      { type: 'order', lines: [{ name: 'cafe', quantity: 2, price: 39.9 }], text: 'Moído' },
      { order: { text: 'Moído', product_items: [{ product_retailer_id: 'cafe', quantity: 2, item_price: 39.9 }] } },
    ],
    [
      'ad',
      { type: 'ad', text: 'Oi', title: 'Promoção', link: 'https://fb.me/1' },
      { type: 'text', referral: { source_type: 'ad', headline: 'Promoção', source_url: 'https://fb.me/1' } },
    ],
    [
      'enquiry',
      { type: 'enquiry', text: 'Tem?', code: 'cafe' },
      { text: { body: 'Tem?' }, context: { referred_product: { product_retailer_id: 'cafe' } } },
    ],
    [
      'edit',
      { type: 'edit', of: 'wamid.1', text: 'Às 9' },
      { edit: { original_message_id: 'wamid.1', message: { text: { body: 'Às 9' } } } },
    ],
    ['revoke', { type: 'revoke', of: 'wamid.1' }, { revoke: { original_message_id: 'wamid.1' } }],
    [
      'unheard of',
      { type: 'raw', kind: 'hologram', value: { depth: 3 } },
      { type: 'hologram', hologram: { depth: 3 } },
    ],
  ])('bring a message of kind %s', async (_, content, expected) => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, content)
    await world.graph.idle()
    expect(world.notices[0]?.messages[0]).toMatchObject(expected)
  })

  test('a quoted message names what it answers, a removed reaction has no emoji', async () => {
    await using world = await startGraphWorld()
    const first = await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    await world.lucia.send(world.number, { type: 'text', text: 'Viu?' }, { quote: first })
    await world.lucia.send(world.number, { type: 'reaction', to: first, emoji: '' })
    await world.graph.idle()
    expect(world.notices[1]?.messages[0]?.context).toEqual({ from: '553198762210', id: first })
    expect(world.notices[2]?.messages[0]?.reaction).toEqual({ message_id: first })
  })

  test('received media is fetched with Bearer and User-Agent within five minutes', async () => {
    let now = Date.now()
    await using world = await startGraphWorld({ now: () => now })
    await world.lucia.send(world.number, { type: 'image', bytes: BYTES, mime: 'image/png' })
    await world.graph.idle()
    const image = world.notices[0]?.messages[0]?.image
    const { body } = await world.call(String(new Map(Object.entries(image ?? {})).get('id')))
    expect(body).toMatchObject({ mime_type: 'image/png', file_size: 3 })
    const get = (headers: Record<string, string>) => fetch(body.url, { headers })
    expect((await get({ 'user-agent': 'balcao' })).status).toBe(401)
    const found = await get({ authorization: 'Bearer secret-token', 'user-agent': 'balcao' })
    expect(new Uint8Array(await found.arrayBuffer())).toEqual(BYTES)
    const bare = await world.graph.fetch(new Request(body.url, { headers: { authorization: 'Bearer secret-token' } }))
    expect(bare.status).toBe(400)
    now += 5 * 60_000 + 1
    expect((await get({ authorization: 'Bearer secret-token', 'user-agent': 'balcao' })).status).toBe(404)
  })

  test('a file over the limit or of a wrong type is not taken', async () => {
    await using world = await startGraphWorld()
    const upload = (bytes: number, mime: string) => {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('file', new File([new Uint8Array(bytes)], 'f', { type: mime }))
      return world.call('5501/media', { body: form })
    }
    expect((await upload(5 * 1024 * 1024 + 1, 'image/png')).body.error.code).toBe(131053)
    expect((await upload(10, 'image/svg+xml')).body.error.code).toBe(131053)
    expect((await upload(10, 'image/png')).status).toBe(200)
  })

  test('a person with a username and no phone is known by the business-scoped id alone', async () => {
    await using world = await startGraphWorld()
    const ana = world.graph.customer({
      number: '5531977770000',
      name: 'Ana',
      userId: 'BR.123456',
      username: 'ana',
      phoneHidden: true,
    })
    await ana.send(world.number, { type: 'text', text: 'Oi' })
    const { body } = await world.call('5501/messages', {
      body: { messaging_product: 'whatsapp', recipient: 'BR.123456', type: 'text', text: { body: 'Olá' } },
    })
    await world.graph.idle()
    expect(world.notices[0]?.messages[0]).toMatchObject({ from_user_id: 'BR.123456' })
    expect(world.notices[0]?.raw).not.toContain('5531977770000')
    expect(world.notices[0]?.contacts[0]).toEqual({ profile: { name: 'Ana', username: 'ana' }, user_id: 'BR.123456' })
    expect(body.contacts).toEqual([{ input: 'BR.123456', user_id: 'BR.123456' }])
    expect(ana.chat(world.number)).toHaveLength(2)
  })

  test('a webhook that is not answered with 200 comes again', async () => {
    await using world = await startGraphWorld()
    world.answers.push(500, 503)
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    await world.graph.idle()
    expect(world.notices).toHaveLength(1)
  })

  test('drop, repeat and reorder do what they say', async () => {
    await using world = await startGraphWorld()
    const say = (text: string) => world.lucia.send(world.number, { type: 'text', text })
    world.number.lane.drop = 1
    await say('perdida')
    world.number.lane.repeat = 1
    await say('dupla')
    world.number.lane.reorder(2)
    await say('primeira')
    await say('segunda')
    await world.graph.idle()
    expect(world.notices.map(notice => notice.messages[0]?.text)).toEqual(
      ['dupla', 'dupla', 'segunda', 'primeira'].map(body => ({ body })),
    )
  })

  test('a batch is one POST with several entries and changes', async () => {
    await using world = await startGraphWorld()
    await world.number.lane.together(async () => {
      await world.lucia.send(world.number, { type: 'text', text: 'um' })
      await world.lucia.send(world.number, { type: 'text', text: 'dois' })
      await world.send({ type: 'text', text: { body: 'três' } })
      while (world.lucia.chat(world.number).at(-1)?.status !== 'delivered' || world.lucia.chat(world.number).length < 3)
        await Bun.sleep(1)
    })
    await world.graph.idle()
    expect(world.notices).toHaveLength(1)
    expect(JSON.parse(world.notices[0]?.raw ?? '').entry).toHaveLength(2)
    expect(world.notices[0]?.messages).toHaveLength(2)
    expect(world.statuses()).toEqual(['sent', 'delivered'])
  })

  test('an app sets its own webhook address, if it echoes the challenge', async () => {
    await using world = await startGraphWorld()
    world.number.lane.url = undefined
    const subscribe = (verify_token: string) =>
      world.call('9901/subscribed_apps', { body: { override_callback_uri: world.webhookUrl, verify_token } })
    expect((await subscribe('wrong')).body.error.code).toBe(100)
    expect((await subscribe(world.graph.env.GRAPH_VERIFY_TOKEN)).body).toEqual({ success: true })
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    await world.graph.idle()
    expect(world.notices).toHaveLength(1)
  })

  test('a heard voice note is played, and statuses never go back', async () => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new File([BYTES], 'a.ogg', { type: 'audio/ogg; codecs=opus' }))
    const { body } = await world.call('5501/media', { body: form })
    const { body: sent } = await world.send({ type: 'audio', audio: { id: body.id, voice: true } })
    await world.graph.idle()
    world.lucia.play(world.number, sent.messages[0].id)
    world.lucia.read(world.number)
    await world.graph.idle()
    expect(world.statuses()).toEqual(['sent', 'delivered', 'played'])
  })

  test('a webhook nobody takes is given up after its last try, and later ones overtake a repeated one', async () => {
    await using world = await startGraphWorld({ webhookAttempts: 2 })
    const outcomes: string[] = []
    world.graph.on(event => event.type === 'webhook' && outcomes.push(event.result.outcome))
    world.answers.push(500)
    await world.lucia.send(world.number, { type: 'text', text: 'primeira' })
    await world.lucia.send(world.number, { type: 'text', text: 'segunda' })
    await world.graph.idle()
    expect(world.notices.map(notice => notice.messages[0]?.text)).toEqual([{ body: 'segunda' }, { body: 'primeira' }])
    world.answers.push(500, 500)
    await world.lucia.send(world.number, { type: 'text', text: 'perdida' })
    await world.graph.idle()
    expect(outcomes.at(-1)).toBe('given up')
  })

  test('a delayed notification arrives after the delay', async () => {
    await using world = await startGraphWorld()
    world.number.lane.delayMs = 60
    const before = performance.now()
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    await world.graph.idle()
    expect(performance.now() - before).toBeGreaterThanOrEqual(55)
    expect(world.notices).toHaveLength(1)
  })
})
