// One suite for every kind of connection and its stand-in: pair, receive, send, acks, changes, replay, repeats, trouble.
// Capabilities decide: what a kind cannot do is asserted to be refused.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { applyAck, type MessageState } from '@balcao/contract'
import type { SendResult } from '../../src/platform/channel/driver.ts'
import { createProviderId } from '../../src/platform/channel/ids.ts'
import { MP4 } from './films.ts'
import type { CustomerMessage, StandIn } from './stand-in.ts'

const FILE = Buffer.from('os bytes de um arquivo, mais longos que um bloco da cifra')
/** Cut after 32 bytes, which is where a block of the cipher ends, it opens without a complaint: its last byte reads as padding. */
const TWO_BLOCKS = Buffer.from(`${'a'.repeat(31)}\u0001e o resto dos bytes de um arquivo`)
const FILE_FAULTS: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['cut short', bytes => bytes.subarray(0, 32)],
  ['changed', bytes => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))],
]

export function describeChannel(name: string, open: () => Promise<StandIn>): void {
  describe(name, () => {
    let it: StandIn
    beforeAll(async () => {
      it = await open()
      await it.connect()
    })
    afterAll(async () => {
      await it?.close()
    })

    /** Sends as the outbox does: an id of our own where the kind takes one. */
    async function send(message: Parameters<StandIn['driver']['send']>[2]): Promise<SendResult> {
      return it.desk.keep(await it.driver.send(it.address, createProviderId(it.driver.kind), message), message)
    }
    /** Most kinds fetch files in this process. */
    async function whileFilesAre<T>(spoil: (bytes: Uint8Array) => Uint8Array, work: () => Promise<T>): Promise<T> {
      if (it.whileFilesAre) return it.whileFilesAre(spoil, work)
      const whole = globalThis.fetch
      const fetching = spyOn(globalThis, 'fetch').mockImplementation(
        Object.assign(
          async (...request: Parameters<typeof fetch>) => {
            const answer = await whole(...request)
            if (/json/.test(answer.headers.get('content-type') ?? '')) return answer
            return new Response(new Blob([new Uint8Array(spoil(await answer.bytes()))]), { status: answer.status })
          },
          { preconnect() {} },
        ),
      )
      try {
        return await work()
      } finally {
        fetching.mockRestore()
      }
    }
    async function sent(message: Parameters<StandIn['driver']['send']>[2]) {
      const result = await send(message)
      if (!result.ok) throw new Error(`${result.code}: ${result.text}`)
      return result
    }
    async function shown(id: string) {
      for (let tries = 0; tries < 200; tries++) {
        const message = await it.seen(id)
        if (message) return message
        await Bun.sleep(25)
      }
      throw new Error(`The customer does not have ${id}`)
    }
    const received = async (message: CustomerMessage) => {
      const id = await it.says(message)
      return it.desk.next('message', event => event.ref.id === id)
    }
    const acksOf = (id: string) =>
      it.desk
        .all('ack')
        .filter(event => event.ref.id === id)
        .map(event => event.ack)

    test('connected, it tells its own number and no trouble', () => {
      const status = it.desk.all('status').findLast(event => event.status === 'CONNECTED')
      expect(status?.trouble).toBeNull()
      expect(status?.me?.pn).toMatch(/^55313/)
    })

    describe('receives', () => {
      test('a text, with who wrote it and when', async () => {
        const before = Math.floor(Date.now() / 1000) * 1000
        const message = await received({ type: 'text', text: 'Bom dia! Açaí às 15h? 😀' })
        expect(message).toMatchObject({
          mediaType: 'chat',
          body: 'Bom dia! Açaí às 15h? 😀',
          name: 'Dona Lúcia',
          replay: false,
        })
        expect(message.chat).toMatchObject({ jid: it.address, pn: it.phone, group: false })
        expect(message.ref).toMatchObject({ chat: it.address, fromMe: false })
        expect(message.at).toBeGreaterThanOrEqual(before)
        expect(message.at).toBeLessThanOrEqual(Date.now() + 1000)
      })

      test('an answer to a message of ours names it', async () => {
        const ours = await sent({ type: 'text', text: 'Em que posso ajudar?' })
        await shown(ours.id)
        const answer = await received({ type: 'text', text: 'Com isto', quote: ours.id })
        expect(answer.quote).toMatchObject({ id: ours.id, fromMe: true })
      })

      const files = [
        ['image', 'image', 'image/jpeg'],
        ['video', 'video', 'video/mp4'],
        ['audio', 'audio', 'audio/mpeg'],
        ['voice', 'audio', 'audio/ogg; codecs=opus'],
        ['sticker', 'sticker', 'image/webp'],
        ['document', 'application', ''],
      ] as const
      for (const [type, mediaType, mime] of files) {
        test(`a file of the kind ${type}, whose bytes can be downloaded`, async () => {
          const caption = type === 'image' || type === 'document' ? { caption: 'Veja' } : {}
          const message = await received({
            type,
            bytes: FILE,
            ...caption,
            ...(type === 'document' && { name: 'nota.pdf' }),
          })
          expect(message.mediaType).toBe(mediaType)
          expect(message.body).toBe(caption.caption ?? '')
          if (mime) expect(message.media?.mime).toBe(mime)
          if (mediaType === 'audio') expect(message.media?.voice).toBe(type === 'voice')
          if (type === 'document') expect(message.media?.name).toBe('nota.pdf')
          if (!message.media) throw new Error('There is no file')
          const bytes = await new Response(await it.driver.download(message.media)).bytes()
          expect(Buffer.from(bytes).toString()).toBe(FILE.toString())
        })
      }

      for (const [fault, spoil] of FILE_FAULTS)
        test(`a file that is ${fault} on its way, which is taken for none`, async () => {
          const message = await received({ type: 'image', bytes: TWO_BLOCKS })
          const { media } = message
          if (!media) throw new Error('There is no file')
          const download = () => it.driver.download(media).then(file => new Response(file).bytes())
          // Nothing but a hash tells these bytes from the right ones.
          if (fault === 'changed' && it.lacks?.includes('fileHashes')) {
            expect(await whileFilesAre(spoil, download)).not.toEqual(new Uint8Array(TWO_BLOCKS))
            return
          }
          const refused = await whileFilesAre(spoil, () => download().catch((error: unknown) => error))
          expect(refused).toMatchObject({ code: 'cut_short' })
          expect(Buffer.from(await download())).toEqual(TWO_BLOCKS)
        })

      test('a location: image, link and description separated by pipes', async () => {
        const message = await received({ type: 'location', lat: -19.92, lng: -43.94, name: 'Mercado Central' })
        expect(message.mediaType).toBe('location')
        const [, link, description] = message.body.split('|')
        expect(link).toBe('https://maps.google.com/maps?q=-19.92%2C-43.94&z=17')
        expect(description).toBe('Mercado Central')
      })

      test('a contact card, and several', async () => {
        const ana = { name: 'Ana', number: '5531988880000' }
        const one = await received({ type: 'contacts', contacts: [ana] })
        expect(one.mediaType).toBe('vcard')
        expect(one.body).toContain('waid=5531988880000')
        const two = await received({ type: 'contacts', contacts: [ana, { name: 'Rui', number: '5531977770000' }] })
        expect(two.mediaType).toBe('contact_array')
        expect(two.body.match(/BEGIN:VCARD/g)).toHaveLength(2)
      })

      test('a reaction, and that it was taken back', async () => {
        const ours = await sent({ type: 'text', text: 'Pronto!' })
        await shown(ours.id)
        await it.says({ type: 'reaction', of: ours.id, emoji: '❤️' })
        const reaction = await it.desk.next('reaction', event => event.ref.id === ours.id)
        expect(reaction).toMatchObject({ emoji: '❤️', fromMe: false, ref: { fromMe: true } })
        expect(reaction.by.pn).toBe(it.phone)
        await it.says({ type: 'reaction', of: ours.id, emoji: '' })
        const removal = await it.desk.next('reaction', event => event.ref.id === ours.id && event.emoji === '')
        // By its own id the inbox tells it from another one of the same second.
        expect(reaction.id).toEqual(expect.stringMatching(/./))
        expect(removal.id).toEqual(expect.stringMatching(/./))
        expect(removal.id).not.toBe(reaction.id)
      })

      test('a kind nobody knows, as a card that names it', async () => {
        const message = await received({ type: 'novelty' })
        expect(message.mediaType).toBe('unknown')
        const card = message.details?.card
        expect(card?.kind === 'notice' ? card.name : message.body).not.toBe('')
      })
    })

    describe('sends', () => {
      test('a text', async () => {
        const result = await sent({ type: 'text', text: 'Olá, Dona Lúcia' })
        expect(await shown(result.id)).toMatchObject({ type: 'text', text: 'Olá, Dona Lúcia' })
      })

      test('a text that answers a message', async () => {
        const question = await received({ type: 'text', text: 'Quanto custa?' })
        const quote = { ...question.ref, body: question.body, raw: question.raw }
        const result = await sent({ type: 'text', text: 'R$ 10', quote })
        expect((await shown(result.id)).quote).toBe(question.ref.id)
      })

      const files = [
        ['image', 'image/jpeg', 'image'],
        ['video', 'video/mp4', 'video'],
        ['audio', 'audio/mpeg', 'audio'],
        ['application', 'application/pdf', 'document'],
        ['sticker', 'image/webp', 'sticker'],
      ] as const
      for (const [media, mime, type] of files) {
        test(`a file of the kind ${media}`, async () => {
          const bytes = media === 'video' ? Buffer.from(MP4) : FILE
          const mediaId = await it.desk.file(bytes, mime, 'nota.pdf')
          const result = await sent({ type: 'media', media, mediaId, mime, name: 'nota.pdf', caption: 'Segue' })
          const message = await shown(result.id)
          expect(message.type).toBe(type)
          expect(Buffer.from(message.bytes ?? []).toString()).toBe(bytes.toString())
          if (media === 'image') expect(message.text).toBe('Segue')
        })
      }

      test('a voice note in Ogg as a voice note', async () => {
        const mime = 'audio/ogg; codecs=opus'
        const mediaId = await it.desk.file(FILE, mime, 'voz.ogg')
        const file = { media: 'audio', mediaId, mime, name: 'voz.ogg', voice: true, seconds: 3 } as const
        expect((await shown((await sent({ type: 'media', ...file })).id)).type).toBe('voice')
      })

      test('a location and contact cards', async () => {
        const place = await sent({ type: 'location', lat: -19.9, lng: -43.9, name: 'Loja' })
        const named = it.lacks?.includes('placeName') ? '' : 'Loja'
        expect(await shown(place.id)).toMatchObject({ type: 'location', text: named })
        const vcard =
          'BEGIN:VCARD\nVERSION:3.0\nN:;Ana;;;\nFN:Ana\nTEL;type=CELL;waid=5531988880000:+55 31 98888-0000\nEND:VCARD'
        const card = await shown((await sent({ type: 'contacts', vcards: [vcard] })).id)
        expect(card.text).toContain('5531988880000')
      })

      test('what vanishes when the chat’s own messages do, whatever it is', async () => {
        const expiring = async (seconds: number) => {
          await received({ type: 'text', text: 'Isto some', timer: seconds })
          // What the desk learned of the chat goes along with what it sends there.
          const { timer } = it.desk
          return { ...(timer && { timer }) }
        }
        const timerOf = async (message: Parameters<typeof sent>[0]) => (await shown((await sent(message)).id)).timer
        const week = 604_800
        const chat = await expiring(week)
        const file = {
          mediaId: await it.desk.file(FILE, 'image/jpeg', 'foto.jpg'),
          mime: 'image/jpeg',
          name: 'foto.jpg',
        }
        const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nTEL;waid=5531988880000:+5531988880000\nEND:VCARD'
        const kinds = [
          { type: 'text', text: 'Some também' },
          { type: 'media', media: 'image', ...file },
          { type: 'location', lat: -19.9, lng: -43.9 },
          { type: 'contacts', vcards: [vcard] },
        ] as const
        const [vanishes, stays] = it.lacks?.includes('timers') ? [] : [week, 0]
        for (const kind of kinds)
          expect([kind.type, await timerOf({ ...kind, ...chat })]).toEqual([kind.type, vanishes])
        expect(it.desk.timer).toBe(vanishes)
        expect(await timerOf({ type: 'text', text: 'Isto fica', ...(await expiring(0)) })).toBeUndefined()
        expect(it.desk.timer).toBe(stays)
      })

      test('a reaction to a message of the customer, and takes it back', async () => {
        const message = await received({ type: 'text', text: 'Chegou!' })
        await sent({ type: 'reaction', ref: message.ref, emoji: '👍' })
        await eventually(async () => (await it.seen(message.ref.id))?.reaction === '👍')
        const back = { type: 'reaction', ref: message.ref, emoji: '' } as const
        if (it.lacks?.includes('takingReactionsBack'))
          return expect(await send(back)).toMatchObject({ ok: false, outcome: 'refused', code: 'not_supported' })
        await sent(back)
        await eventually(async () => !(await it.seen(message.ref.id))?.reaction)
      })

      test('that messages were read', async () => {
        const message = await received({ type: 'text', text: 'Leia' })
        expect(await send({ type: 'read', refs: [message.ref] })).toMatchObject({ ok: true })
      })

      test('a file that is not there any more is not tried again', async () => {
        const gone = { media: 'image', mediaId: 'gone', mime: 'image/jpeg', name: 'foto.jpg' } as const
        expect(await send({ type: 'media', ...gone })).toMatchObject({ ok: false, outcome: 'refused', code: 'no_file' })
      })

      test('what the provider refuses for good is not tried again', async () => {
        const code = it.refuseNext()
        expect(await send({ type: 'text', text: 'Oi' })).toMatchObject({ ok: false, outcome: 'refused', code })
      })
    })

    describe('acks', () => {
      test('come for what the customer received and read', async () => {
        const { id } = await sent({ type: 'text', text: 'Leia isto' })
        await it.desk.next('ack', event => event.ref.id === id && event.ack === 'delivered')
        it.reads()
        await it.desk.next('ack', event => event.ref.id === id && event.ack === 'read')
      })

      test('out of order say the same in the end', async () => {
        let id = ''
        await it.receiptsReversed(async () => {
          id = (await sent({ type: 'text', text: 'Ao contrário' })).id
        })
        await it.desk.until('both ticks', () => acksOf(id).includes('delivered') && acksOf(id).includes('read'))
        expect(acksOf(id).indexOf('read')).toBeLessThan(acksOf(id).indexOf('delivered'))
        expect(acksOf(id).reduce<MessageState>(applyAck, 'sending')).toBe('read')
      })
    })

    describe('what the desk cannot take back or must', () => {
      test('an edit reaches the customer, or is refused where the kind has none', async () => {
        const { id, jid } = await sent({ type: 'text', text: 'Oito reais' })
        await shown(id)
        const ref = { chat: jid ?? it.address, id, fromMe: true }
        const result = await send({ type: 'edit', ref, text: 'Nove reais' })
        if (it.driver.capabilities.edit === false)
          return expect(result).toMatchObject({ ok: false, outcome: 'refused', code: 'not_supported' })
        expect(result.ok).toBe(true)
        await eventually(async () => (await it.seen(id))?.edited)
        expect((await it.seen(id))?.text).toBe('Nove reais')
      })

      test('a deletion likewise', async () => {
        const { id, jid } = await sent({ type: 'text', text: 'Engano' })
        await shown(id)
        const result = await send({ type: 'revoke', ref: { chat: jid ?? it.address, id, fromMe: true } })
        if (!it.driver.capabilities.revoke)
          return expect(result).toMatchObject({ ok: false, outcome: 'refused', code: 'not_supported' })
        expect(result.ok).toBe(true)
        await eventually(async () => (await it.seen(id))?.revoked)
      })

      test('a template goes out where the kind has them, and is refused elsewhere', async () => {
        const template = { type: 'template', name: 'retomar_conversa', lang: 'pt_BR', components: [] } as const
        const result = await send(template)
        if (!it.driver.capabilities.templates)
          return expect(result).toMatchObject({ ok: false, outcome: 'refused', code: 'not_supported' })
        expect(result.ok && (await shown(result.id)).text).toContain('continuar a nossa conversa')
      })

      test('a number can be checked where the kind can', async () => {
        if (!it.driver.capabilities.check) return expect(it.driver.check('5531998762210')).rejects.toThrow()
        expect((await it.driver.check('5531998762210'))?.pn).toBe(it.phone)
        expect(await it.driver.check('5531900000000')).toBeNull()
      })
    })

    describe('nothing is lost and nothing doubled', () => {
      test('what came while the desk was away comes afterwards, once each and in order', async () => {
        const ids: string[] = []
        await it.whileAway(async () => {
          for (const text of ['um', 'dois', 'três']) ids.push(await it.says({ type: 'text', text }))
        })
        await it.desk.until('all of them', () => ids.every(id => it.desk.all('message').some(one => one.ref.id === id)))
        const arrived = it.desk.all('message').map(event => event.ref.id)
        expect(new Set(arrived.filter(id => ids.includes(id)))).toEqual(new Set(ids))
      })

      test('a message the provider repeats has the same id, so that the desk knows it', async () => {
        let id = ''
        await it.twice(async () => {
          id = await it.says({ type: 'text', text: 'Duas vezes' })
        })
        const message = await it.desk.next('message', event => event.ref.id === id)
        expect(
          it.desk
            .all('message')
            .filter(event => event.ref.id === id)
            .every(one => one.body === message.body),
        ).toBe(true)
      })

      test('while the desk cannot store it, the provider keeps the message', async () => {
        it.desk.refusing = new Error('The database is away')
        const id = await it.says({ type: 'text', text: 'Não se perca' })
        await it.desk.until('a try', () => it.desk.refused > 0)
        expect(it.desk.all('message').some(event => event.ref.id === id)).toBe(false)
        it.desk.refusing = null
        expect((await it.desk.next('message', event => event.ref.id === id)).body).toBe('Não se perca')
      })

      test('after a restart it goes on with the same pairing', async () => {
        await it.restart()
        const message = await received({ type: 'text', text: 'Ainda aí?' })
        expect(message.chat.pn).toBe(it.phone)
        await shown((await sent({ type: 'text', text: 'Sim' })).id)
      })
    })

    describe('trouble', () => {
      test('the provider ends the connection: the reason, who must act, and the way back', async () => {
        for (const end of it.ends) {
          it.desk.forget()
          await end.cause()
          const statusEvent = await it.desk.next(
            'status',
            event => event.status !== 'CONNECTED' && event.trouble !== undefined,
          )
          if (end.reason === null) expect(statusEvent.trouble).toBeNull()
          else expect(statusEvent.trouble).toMatchObject({ code: end.code, reason: end.reason, next: end.next })
          expect(Boolean(statusEvent.trouble?.nextTryAt)).toBe(end.comesBack && end.reason !== null)
          if (end.comesBack) await it.desk.next('status', event => event.status === 'CONNECTED')
          else {
            await it.driver.stop()
            return
          }
        }
      }, 60_000)
    })
  })
}

async function eventually(check: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await check()) return
    await Bun.sleep(25)
  }
  throw new Error('It did not happen')
}
