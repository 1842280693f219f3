import { Instant, type Static, StringEnum, Type } from '../kit/schema.ts'

export const FINDING_LEVELS = ['danger', 'warning', 'unknown', 'ok'] as const

/** What was looked at, in the order in which it is shown. */
export const FINDING_AREAS = [
  'company',
  'database',
  'files',
  'machine',
  'connections',
  'queues',
  'push',
  'hosts',
  'assumptions',
] as const
export type FindingArea = (typeof FINDING_AREAS)[number]

/** What may be found. The words of each are the reader's: what it is, and what to do unless it is `ok`. */
export const FINDING_CODES = [
  'failed',
  'company.numbers',
  'company.people',
  'company.queues',
  'company.ai',
  'company.aiCost',
  'database.down',
  'database.version',
  'database.extensions',
  'database.encoding',
  'database.collation',
  'database.connections',
  'database.slow',
  'database.open',
  'database.wraparound',
  'files.room',
  'files.write',
  'files.missing',
  'files.pending',
  'files.backup',
  'files.bucket',
  'files.otherDesk',
  'files.waiting',
  'machine.clock',
  'machine.outsideClock',
  'machine.memory',
  'machine.process',
  'connection.up',
  'connection.down',
  'connection.library',
  'connection.webhook',
  'queues.outbox',
  'queues.unsure',
  'queues.jobs',
  'queues.givenUp',
  'queues.undigested',
  'push.subject',
  'push.secure',
  'push.devices',
  'host.reached',
  'host.certificate',
  'assumption.socket',
  'assumption.pairing',
  'assumption.browser',
  'assumption.official',
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

/** What whoever runs the shop puts right without a technician; the rest is of the server. */
export const SHOP_FINDINGS: readonly FindingCode[] = [
  'company.numbers',
  'connection.up',
  'connection.down',
  'company.people',
  'company.queues',
  'company.ai',
  'company.aiCost',
  'files.backup',
]

/** One thing that was looked at. `params` fill its words: counts, seconds, bytes, names of hosts and connections, never a secret. */
export const Finding = Type.Object({
  area: StringEnum(FINDING_AREAS),
  code: StringEnum(FINDING_CODES),
  level: StringEnum(FINDING_LEVELS),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
})
export type Finding = Static<typeof Finding>

/** How the whole installation is doing. */
export const CheckUp = Type.Object({
  version: Type.String(),
  checkedAt: Instant,
  tookMs: Type.Integer(),
  findings: Type.Array(Finding),
})
export type CheckUp = Static<typeof CheckUp>
