// The buttons of a connection, as a table: every status of every kind (spec 2 §4).
import { describe, expect, test } from 'bun:test'
import { CONNECTION_STATUSES, type ConnectionStatus, type ConnectionTrouble } from '../src/connections/connection.ts'
import { type ConnectionOffer, listConnectionOffers, listMenuOffers } from '../src/connections/connection-actions.ts'
import { KINDS, type Kind } from '../src/connections/kind-names.ts'
import { getCapabilities } from '../src/connections/kinds.ts'

type Row = Readonly<Record<Kind, readonly ConnectionOffer[]>>
const CODE = ['qr', 'pair'] as const
const TABLE: Readonly<Record<ConnectionStatus, Row>> = {
  qrcode: { baileys: CODE, wwebjs: CODE, meow: CODE, cloud_api: ['retry'] },
  LOGGEDOUT: { baileys: CODE, wwebjs: CODE, meow: CODE, cloud_api: ['retry'] },
  DISCONNECTED: {
    baileys: ['retry', 'newQr'],
    wwebjs: ['retry', 'newQr'],
    meow: ['reconnect'],
    cloud_api: ['retry'],
  },
  CONNECTED: { baileys: ['disconnect'], wwebjs: ['disconnect'], meow: ['disconnect'], cloud_api: [] },
  PAIRING: {
    baileys: ['pair', 'disconnect'],
    wwebjs: ['pair', 'disconnect'],
    meow: ['pair', 'disconnect'],
    cloud_api: ['retry'],
  },
  TIMEOUT: {
    baileys: ['retry', 'disconnect'],
    wwebjs: ['retry', 'disconnect'],
    meow: ['reconnect', 'disconnect'],
    cloud_api: ['retry'],
  },
  OPENING: {
    baileys: ['connecting'],
    wwebjs: ['connecting'],
    meow: ['connecting'],
    cloud_api: ['connecting'],
  },
}

const makeFacts = (api: Kind, status: ConnectionStatus, trouble: Partial<ConnectionTrouble> | null = null) => ({
  status,
  capabilities: getCapabilities(api),
  trouble: trouble && {
    code: '1',
    reason: 'other' as const,
    since: '',
    attempt: 1,
    nextTryAt: null,
    next: 'retry' as const,
    ...trouble,
  },
})
const EVERY = CONNECTION_STATUSES.flatMap(status => KINDS.map(api => [status, api] as const))

describe('actions per status and kind (spec 2 §4)', () => {
  test.each(EVERY)('%s of %s', (status, api) => {
    expect(listConnectionOffers(makeFacts(api, status))).toEqual([...TABLE[status][api]])
  })

  test('a code that nobody read asks for a new one first, where the kind has no reconnecting', () => {
    const unread = { reason: 'qr_not_read', next: 'read_qr' } as const
    expect(listConnectionOffers(makeFacts('baileys', 'TIMEOUT', unread))).toEqual(['newQr', 'disconnect'])
    expect(listConnectionOffers(makeFacts('baileys', 'DISCONNECTED', unread))).toEqual(['newQr', 'retry'])
    expect(listConnectionOffers(makeFacts('meow', 'DISCONNECTED', unread))).toEqual(['reconnect'])
  })

  test('decisions-2 §22: a refused token is DISCONNECTED with try again, after the place for a new one', () => {
    const refused = { reason: 'token_refused', next: 'new_token' } as const
    expect(listConnectionOffers(makeFacts('cloud_api', 'DISCONNECTED', refused))).toEqual(['token', 'retry'])
  })

  test.each(EVERY)('%s of %s that came back from a backup is only ever taken up, which asks first', (status, api) => {
    const facts = makeFacts(api, status, { reason: 'restored', next: 'confirm' })
    if (status !== 'OPENING') expect(listConnectionOffers(facts)).toEqual(['takeUp'])
    const unasked: readonly ConnectionOffer[] = ['restart', 'retry', 'reconnect', 'qr', 'newQr', 'pair', 'recreate']
    expect(listMenuOffers(facts).filter(offer => unasked.includes(offer))).toEqual([])
  })

  test.each(EVERY)(
    'the menu of %s of %s repeats no button, is fulfilled by its kind, and ends with delete',
    (status, api) => {
      const facts = makeFacts(api, status)
      const [shown, menu] = [listConnectionOffers(facts), listMenuOffers(facts)]
      expect(menu.filter(offer => shown.includes(offer))).toEqual([])
      expect([menu[0], menu.at(-1)]).toEqual(['edit', 'delete'])
      const ofPhones: readonly ConnectionOffer[] = ['qr', 'newQr', 'pair', 'recreate', 'disconnect', 'reconnect']
      if (api === 'cloud_api') expect([...shown, ...menu].filter(offer => ofPhones.includes(offer))).toEqual([])
      else expect(menu).not.toContain('webhook')
    },
  )
})
