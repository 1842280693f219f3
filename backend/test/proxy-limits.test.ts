// What stands before the desk refuses what no desk takes: the shipped files bound connections, bodies and time, and no tighter than the desk does.
import { describe, expect, test } from 'bun:test'
import { MB } from '@balcao/contract'
import { PUBLIC_LIMITS } from '../src/platform/http/body.ts'

/** The largest file of any kind. */
const UPLOAD_LIMIT = 100 * MB
const read = (name: string) => Bun.file(`${import.meta.dir}/../../deploy/${name}`).text()
const [nginx, caddy] = await Promise.all([read('nginx.conf'), read('Caddyfile')])

/** In bytes: `64k`, `4m`, `110MB`. */
function parseSize(written: string | undefined): number {
  const [, amount, unit = ''] = /^(\d+)([km]?)b?$/i.exec(written ?? '') ?? []
  return Number(amount) * ({ k: 1024, m: MB }[unit.toLowerCase()] ?? 1)
}

/** What a directive says, first in the whole server or in one of its places. */
function findNginx(directive: string, place = ''): string | undefined {
  const text = place === '' ? nginx.slice(nginx.indexOf('server {')) : nginx.split(`location ${place} {`)[1]
  return new RegExp(`^\\s*${directive} ([^;]+);`, 'm').exec(text?.split('}')[0] ?? '')?.[1]
}

function findCaddy(place: string): string | undefined {
  return new RegExp(`request_body ${place}\\{\\s*max_size (\\w+)`).exec(caddy)?.[1]
}

const SIZES = [
  [
    'nginx',
    findNginx('client_max_body_size'),
    findNginx('client_max_body_size', '/auth/'),
    findNginx('client_max_body_size', '/webhooks/'),
  ],
  ['Caddy', findCaddy(''), findCaddy('/auth/\\* '), findCaddy('/webhooks/\\* ')],
] as const

describe.each(SIZES)('%s', (_, all, auth, webhooks) => {
  test('lets through what the desk takes, and of strangers little', () => {
    expect(parseSize(all)).toBeGreaterThan(UPLOAD_LIMIT)
    expect(parseSize(all)).toBeLessThan(2 * UPLOAD_LIMIT)
    expect(parseSize(auth)).toBeGreaterThanOrEqual(PUBLIC_LIMITS.most)
    expect(parseSize(auth)).toBeLessThanOrEqual(64 * 1024)
    expect(parseSize(webhooks)).toBe(4 * MB)
  })
})

describe('who sends slowly', () => {
  test('has an end at nginx, and so many connections of one address', () => {
    for (const directive of ['client_header_timeout', 'client_body_timeout', 'send_timeout'])
      expect(findNginx(directive)).toMatch(/^[1-6]\ds$/)
    expect(nginx).toMatch(/^limit_conn_zone \$binary_remote_addr zone=balcao_address:/m)
    expect(findNginx('limit_conn')).toBe('balcao_address 500')
    expect(findNginx('limit_conn_status')).toBe('429')
    expect(findNginx('large_client_header_buffers')).toBe('4 16k')
  })

  test('has an end at Caddy', () => {
    expect(caddy).toMatch(/timeouts \{\s*read_header \d+s\s*read_body 1h\s*idle \d+m\s*\}/)
    expect(caddy).toMatch(/max_header_size \d+KB/)
  })
})
