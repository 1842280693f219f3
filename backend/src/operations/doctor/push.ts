// Notifications with the page closed: the key signs for an address that push services can turn to, and browsers want https.
import { getSql } from '../../platform/database/raw.ts'
import type { CheckContext, CheckFinding } from './checks.ts'

export async function checkPush({ config, db }: CheckContext): Promise<readonly CheckFinding[]> {
  const { subject } = config.push
  const [row] = await getSql(db)<{ count: number }[]>`select count(*)::int as count from push_subscription`
  const count = row?.count ?? 0
  const isSecure = config.publicUrl?.startsWith('https:') === true
  return [
    { code: 'push.subject', level: subject.endsWith('.invalid') ? 'warning' : 'ok', params: {} },
    { code: 'push.secure', level: isSecure ? 'ok' : 'warning', params: {} },
    { code: 'push.devices', level: 'ok', params: { count } },
  ]
}
