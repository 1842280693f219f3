// What the doctor says of a connection, for every reason and kind (decisions-2 §17).
import { describe, expect, test } from 'bun:test'
import { TROUBLE_REASONS } from '../src/connections/connection.ts'
import type { ConnectionHealth } from '../src/connections/connection-health.ts'
import { computeUptimeShare, diagnoseConnection, LINKS, toTimelineBlocks } from '../src/connections/doctor.ts'
import { KINDS } from '../src/connections/kind-names.ts'

const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString()

function makeHealth(part: Partial<ConnectionHealth> = {}): ConnectionHealth {
  return {
    status: 'DISCONNECTED',
    since: hoursAgo(1),
    reason: null,
    code: null,
    next: { action: 'none', at: null, attempt: 0 },
    lastIn: null,
    lastOut: null,
    waiting: 0,
    unsure: 0,
    lagSeconds: 0,
    restarts24h: 0,
    limits: [],
    battery: null,
    webhook: { lastAt: null, refused24h: 0 },
    library: { name: 'x', version: null, known: null },
    timeline: [],
    liveTickets: 0,
    ignoredGroups24h: 0,
    checkedAt: hoursAgo(0),
    ...part,
  }
}

const EVERY = TROUBLE_REASONS.flatMap(reason => KINDS.map(kind => [reason, kind] as const))

describe('where the chain is broken and what to do', () => {
  test.each(EVERY)(
    '%s of %s has one broken link, what lies behind it is unknown, and there is a step',
    (reason, kind) => {
      const { links, steps } = diagnoseConnection(kind, makeHealth({ reason }))
      const states = LINKS.map(link => links[link])
      const at = states.indexOf('broken')
      expect(at).toBeGreaterThanOrEqual(0)
      expect(states).toEqual(LINKS.map((_, place) => (place < at ? 'ok' : place === at ? 'broken' : 'unknown')))
      expect(steps.length).toBeGreaterThan(0)
      if (kind === 'cloud_api')
        expect(steps.map(({ offer }) => offer).filter(offer => offer === 'qr' || offer === 'recreate')).toEqual([])
    },
  )

  test('a phone that is offline with a low battery is plugged in first', () => {
    const { links, steps } = diagnoseConnection('meow', makeHealth({ reason: 'network', battery: 11 }))
    expect(links).toEqual({ desk: 'ok', bridge: 'ok', whatsapp: 'ok', phone: 'broken' })
    expect(steps.map(({ step }) => step)).toEqual(['power', 'phoneOnline', 'serverNetwork', 'otherPhone'])
    expect(diagnoseConnection('meow', makeHealth({ reason: 'network', battery: 20 })).steps[0]?.step).toBe(
      'phoneOnline',
    )
  })

  test('one that is connected has nothing to do but for what went wrong besides', () => {
    const up = { status: 'CONNECTED' } as const
    expect(diagnoseConnection('baileys', makeHealth(up))).toEqual({
      links: { desk: 'ok', bridge: 'ok', whatsapp: 'ok', phone: 'ok' },
      steps: [],
    })
    const library = { name: 'Graph API', version: 'v20.0', known: 'graph_ended' } as const
    const besides = makeHealth({ ...up, unsure: 2, webhook: { lastAt: null, refused24h: 3 }, library })
    expect(diagnoseConnection('cloud_api', besides).steps).toEqual([
      { step: 'library', offer: null },
      { step: 'webhookSecret', offer: 'webhook' },
      { step: 'checkUnsure', offer: null },
    ])
  })

  test('a code that waits to be read is no failure; while it connects nobody knows how far it comes', () => {
    expect(diagnoseConnection('baileys', makeHealth({ status: 'qrcode' })).links.phone).toBe('waits')
    const { links, steps } = diagnoseConnection('baileys', makeHealth({ status: 'OPENING', reason: 'network' }))
    expect([links, steps]).toEqual([{ desk: 'ok', bridge: 'unknown', whatsapp: 'unknown', phone: 'unknown' }, []])
  })
})

describe('seven days in blocks of two hours', () => {
  const midnight = Date.parse('2026-11-24T03:00:00.000Z')
  const row = (hours: number, status: ConnectionHealth['status']) => ({ at: hoursAgo(hours), status, reason: null })

  test('each is up, shaky where less than half of it was down, down otherwise; what has not come is unknown', () => {
    // Down for 30 minutes at 09:00 UTC, and since 11:00 UTC; the blocks begin at 03:00 UTC.
    const timeline = [row(500, 'CONNECTED'), row(3, 'DISCONNECTED'), row(2.5, 'CONNECTED'), row(1, 'TIMEOUT')]
    const blocks = toTimelineBlocks(timeline, NOW, midnight)
    expect(blocks).toHaveLength(84)
    expect(blocks.slice(0, 72)).toEqual(Array(72).fill('up'))
    expect(blocks.slice(72)).toEqual(['up', 'up', 'up', 'shaky', 'down', ...Array(7).fill('unknown')])
  })

  test('of what was before the first row nothing is known; the share is of what is known', () => {
    const timeline = [row(4, 'CONNECTED'), row(1, 'DISCONNECTED')]
    expect(toTimelineBlocks(timeline, NOW, midnight)[0]).toBe('unknown')
    expect(computeUptimeShare(timeline, NOW)).toBe(0.75)
    expect(computeUptimeShare([], NOW)).toBeNull()
    // What was added these days was not down before it ran for the first time.
    expect(computeUptimeShare([row(30, 'DISCONNECTED'), row(20, 'qrcode')], NOW)).toBeNull()
    expect(computeUptimeShare([row(30, 'DISCONNECTED'), row(20, 'qrcode'), row(10, 'CONNECTED')], NOW)).toBe(1)
    expect(computeUptimeShare([row(200, 'DISCONNECTED'), row(1, 'CONNECTED')], NOW)).toBeLessThan(0.01)
    expect(computeUptimeShare([row(1000, 'CONNECTED')], NOW)).toBe(1)
  })
})
