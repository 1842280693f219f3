import { describe, expect, test } from 'bun:test'
import { startGraphWorld } from './graph-world.ts'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4])

describe('sending through the Graph API', () => {
  test('a text is accepted with the wa_id Meta knows and reaches the phone with sent, delivered and read', async () => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Bom dia' })
    const { status, body } = await world.send({ type: 'text', text: { body: 'Olá, Dona Lúcia' } })
    await world.graph.idle()
    world.lucia.read(world.number)
    await world.graph.idle()

    expect(status).toBe(200)
    expect(body.contacts).toEqual([{ input: '5531998762210', wa_id: '553198762210' }])
    expect(body.messages[0].id).toStartWith('wamid.')
    expect(world.lucia.chat(world.number).at(-1)).toMatchObject({
      id: body.messages[0].id,
      status: 'read',
      content: { text: 'Olá, Dona Lúcia' },
    })
    expect(world.statuses()).toEqual(['sent', 'delivered', 'read'])
  })

  test.each([
    ['location', { location: { latitude: -19.9, longitude: -43.9, name: 'Loja' } }],
    [
      'contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'Rafael Lima', first_name: 'Rafael' },
            phones: [{ phone: '+5531988887777', type: 'CELL' }],
          },
        ],
      },
    ],
    [
      'interactive',
      {
        interactive: {
          type: 'button',
          body: { text: 'Confirma?' },
          action: { buttons: [{ type: 'reply', reply: { id: 's', title: 'Sim' } }] },
        },
      },
    ],
    [
      'interactive',
      {
        interactive: {
          type: 'list',
          body: { text: 'Qual fila?' },
          action: { button: 'Escolher', sections: [{ rows: [{ id: '1', title: 'Financeiro' }] }] },
        },
      },
    ],
    [
      'template',
      {
        template: {
          name: 'boas_vindas',
          language: { code: 'pt_BR' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Lúcia' },
                { type: 'text', text: 'São José' },
              ],
            },
          ],
        },
      },
    ],
    [
      'template',
      {
        template: {
          name: 'pedido_a_caminho',
          language: { code: 'pt_BR' },
          components: [
            { type: 'header', parameters: [{ type: 'text', parameter_name: 'pedido', text: '77' }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', parameter_name: 'hora', text: '15h' },
                { type: 'text', parameter_name: 'nome', text: 'Lúcia' },
              ],
            },
          ],
        },
      },
    ],
  ])('a message of type %s arrives', async (type, message) => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    expect((await world.send({ type, ...message })).status).toBe(200)
    await world.graph.idle()
    expect(world.lucia.chat(world.number).at(-1)?.content).toMatchObject({ type })
  })

  test.each(['image', 'document', 'video', 'audio', 'sticker'] as const)(
    'an uploaded %s arrives byte for byte',
    async kind => {
      await using world = await startGraphWorld()
      await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
      const mime = {
        image: 'image/png',
        document: 'application/pdf',
        video: 'video/mp4',
        audio: 'audio/ogg; codecs=opus',
        sticker: 'image/webp',
      }[kind]
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('type', mime)
      form.set('file', new File([PNG], 'arquivo', { type: mime }))
      const { body } = await world.call('5501/media', { body: form })
      const extra =
        kind === 'document' ? { filename: 'boleto.pdf', caption: 'Segue' } : kind === 'audio' ? { voice: true } : {}
      expect((await world.send({ type: kind, [kind]: { id: body.id, ...extra } })).status).toBe(200)
      await world.graph.idle()
      expect(world.lucia.chat(world.number).at(-1)?.content).toMatchObject({ type: kind, bytes: PNG, ...extra })
    },
  )

  test('a reaction lands on the message it names and an empty one takes it back', async () => {
    await using world = await startGraphWorld()
    const id = await world.lucia.send(world.number, { type: 'text', text: 'Obrigada' })
    await world.send({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } })
    await world.graph.idle()
    expect(world.lucia.chat(world.number)[0]?.reaction).toBe('👍')
    await world.send({ type: 'reaction', reaction: { message_id: id, emoji: '' } })
    await world.graph.idle()
    expect(world.lucia.chat(world.number)[0]?.reaction).toBeUndefined()
  })

  test('the read mark turns the customer’s messages read and shows typing', async () => {
    await using world = await startGraphWorld()
    const id = await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    const { body } = await world.call('5501/messages', {
      body: { messaging_product: 'whatsapp', status: 'read', message_id: id, typing_indicator: { type: 'text' } },
    })
    expect(body).toEqual({ success: true })
    expect(world.lucia.chat(world.number)[0]?.status).toBe('read')
    expect(world.lucia.typing(world.number)).toBe(true)
  })

  test.each([
    ['a misspelled key', { type: 'text', text: { body: 'x', previewurl: true } }, 100],
    ['an unknown type', { type: 'poll', poll: {} }, 100],
    ['an empty text', { type: 'text', text: { body: '' } }, 131009],
    ['a text of 4097 characters', { type: 'text', text: { body: 'x'.repeat(4097) } }, 131009],
    ['a missing object', { type: 'image' }, 131008],
    ['an image with id and link', { type: 'image', image: { id: '1', link: 'https://x' } }, 100],
    ['a caption on a voice note', { type: 'audio', audio: { id: '1', caption: 'x' } }, 100],
    ['media that does not exist', { type: 'image', image: { id: '404' } }, 100],
    ['a latitude of 91', { type: 'location', location: { latitude: 91, longitude: 0 } }, 131009],
    [
      'four buttons',
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'x' },
          action: { buttons: [1, 2, 3, 4].map(id => ({ type: 'reply', reply: { id: `${id}`, title: 'a' } })) },
        },
      },
      131009,
    ],
    [
      'a contact with only a formatted name',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'x' } }] },
      131009,
    ],
    ['a group recipient', { recipient_type: 'group', type: 'text', text: { body: 'x' } }, 100],
    [
      'too few template parameters',
      { type: 'template', template: { name: 'boas_vindas', language: { code: 'pt_BR' } } },
      132000,
    ],
    ['an absent template', { type: 'template', template: { name: 'nada', language: { code: 'pt_BR' } } }, 132001],
    [
      'a new line in a parameter',
      {
        type: 'template',
        template: {
          name: 'boas_vindas',
          language: { code: 'pt_BR' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'a\nb' },
                { type: 'text', text: 'c' },
              ],
            },
          ],
        },
      },
      132012,
    ],
    [
      'a paused template',
      { type: 'template', template: { name: 'promocao_de_inverno', language: { code: 'pt_BR' } } },
      132015,
    ],
  ])('%s is refused with its code', async (_, message, code) => {
    await using world = await startGraphWorld()
    const { status, body } = await world.send(message)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.error).toMatchObject({ code, type: 'OAuthException', error_data: { messaging_product: 'whatsapp' } })
    expect(world.lucia.chat(world.number)).toEqual([])
  })

  test('a wrong token answers 190 with 401', async () => {
    await using world = await startGraphWorld()
    const { status, body } = await world.call('5501?fields=display_phone_number', { token: 'other' })
    expect([status, body.error.code]).toEqual([401, 190])
  })

  test.each([131056, 130429, 190] as const)('a number told to refuse answers %d once and then works', async code => {
    await using world = await startGraphWorld()
    world.number.refuse(code)
    expect((await world.send({ type: 'text', text: { body: 'x' } })).body.error.code).toBe(code)
    expect((await world.send({ type: 'text', text: { body: 'x' } })).status).toBe(200)
  })

  test('24 hours after the last word a text fails with 131047 and a template still arrives', async () => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    world.lucia.closeWindow(world.number)
    await world.send({ type: 'text', text: { body: 'Ainda aí?' } })
    await world.send({ type: 'template', template: { name: 'retomar_conversa', language: { code: 'pt_BR' } } })
    await world.graph.idle()
    const failed = world.notices.flatMap(notice => notice.statuses).find(one => one.status === 'failed')
    expect(failed?.errors).toMatchObject([{ code: 131047 }])
    expect(world.lucia.chat(world.number).map(entry => entry.content.type)).toEqual(['text', 'template'])
  })

  test('a number that is not on WhatsApp is accepted and then undeliverable', async () => {
    await using world = await startGraphWorld()
    expect((await world.send({ to: '5521900000000', type: 'text', text: { body: 'x' } })).status).toBe(200)
    await world.graph.idle()
    expect(world.notices[0]?.statuses[0]?.errors).toMatchObject([{ code: 131026 }])
  })

  test('a message to a phone without network is sent, and delivered when it comes back', async () => {
    await using world = await startGraphWorld()
    await world.lucia.send(world.number, { type: 'text', text: 'Oi' })
    world.lucia.setNetwork('off')
    await world.send({ type: 'text', text: { body: 'Boa tarde' } })
    await world.graph.idle()
    expect(world.statuses()).toEqual(['sent'])
    world.lucia.setNetwork('normal')
    await world.graph.idle()
    expect(world.statuses()).toEqual(['sent', 'delivered'])
  })

  test('templates come in pages with a cursor until there is no next', async () => {
    await using world = await startGraphWorld()
    const names: string[] = []
    let next: string | undefined = '9901/message_templates?fields=name,status&limit=4'
    while (next) {
      const { body } = await world.call(next)
      names.push(...body.data.map((row: { name: string }) => row.name))
      next = body.paging.next
    }
    expect(names).toHaveLength(6)
    expect(new Set(names).size).toBe(6)
  })

  test('the number tells the fields asked for and refuses unknown ones', async () => {
    await using world = await startGraphWorld()
    const { body } = await world.call('5501?fields=display_phone_number,verified_name,quality_rating')
    expect(body).toEqual({
      id: '5501',
      display_phone_number: '+553133330000',
      verified_name: 'Distribuidora São José',
      quality_rating: 'GREEN',
    })
    expect((await world.call('5501?fields=color')).body.error.code).toBe(100)
  })
})
