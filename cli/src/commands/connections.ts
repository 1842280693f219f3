// Connections: how all of them are, or one of them and what to do now (decisions-2 §17, §21).
import type { Connection, ConnectionBrief, ConnectionHealth } from '@balcao/contract'
import { diagnoseConnection } from '@balcao/contract/connections/doctor'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatPhone } from '@balcao/contract/contacts/phone'
import en from '../../locales/connections/en.json'
import es from '../../locales/connections/es.json'
import pt from '../../locales/connections/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import type { Tone } from '../kit/layout.ts'
import { CONNECTION_TEXTS } from '../kit/pages.ts'
import { pick } from '../kit/pick.ts'
import { toSafeLine } from '../kit/text.ts'
import { createTexts, type Translate } from '../kit/texts.ts'
import { formatInstant } from '../kit/when.ts'

export const connections = defineCommand({
  name: 'connections',
  texts: { pt, en, es },
  args: { name: '[name]' },
  async run(call) {
    const { api } = await call.desk()
    const all = await call.during(call.t('asking'), api('GET /whatsapp'))
    if (call.args.name === undefined) return listAll(call, all)
    const one = pick(all, call.args.name)
    const health = await api('GET /whatsapp/:id/health', { params: { id: one.id } })
    call.out.answer({ connection: one, health }, () => showOne(call, one, health))
    return health.status === 'CONNECTED' ? 0 : 1
  },
})

type ShownConnection = Connection | ConnectionBrief

function listAll(
  { out, t, language }: Pick<CommandContext, 'out' | 't' | 'language'>,
  all: readonly ShownConnection[],
) {
  const page = createTexts(language, CONNECTION_TEXTS)
  out.answer({ connections: all }, () => {
    if (all.length === 0) return out.line(t('none'))
    out.table(all, [
      { title: t('name'), of: row => row.name, gives: true, tone: () => 'strong' },
      { title: t('kind'), of: row => KIND_TABLE[row.api].label },
      {
        title: t('state'),
        of: row => `${MARKS[getTone(row)]} ${page(`status.${row.status}`)}`,
        tone: getTone,
      },
      { title: t('number'), of: row => ('number' in row && row.number ? formatPhone(row.number) : '') },
      { title: t('waiting').toUpperCase(), of: row => ('waiting' in row ? row.waiting || '' : ''), right: true },
      {
        title: t('since').toUpperCase(),
        of: row => ('trouble' in row && row.trouble ? formatInstant(row.trouble.since, language) : ''),
      },
      { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
    ])
  })
  return all.every(({ status }) => status === 'CONNECTED') ? 0 : 1
}

function showOne(
  { out, t, language }: Pick<CommandContext, 'out' | 't' | 'language'>,
  one: ShownConnection,
  health: ConnectionHealth,
) {
  const { paint } = out
  const page = createTexts(language, CONNECTION_TEXTS)
  const tone = getTone(health)
  const words = `${MARKS[tone]} ${page(`status.${health.status}`)}`
  out.line(
    `${paint(toSafeLine(one.name), 'strong')} ${paint(KIND_TABLE[one.api].label, 'muted')}  ${paint(words, tone)}`,
  )
  for (const [key = '', value = ''] of toFactRows(health, language))
    out.detail(`${paint(`${t(key)}:`, 'muted')} ${value}`)
  if (health.reason && health.status !== 'CONNECTED') out.say(describeReason(health, page, language), 'warn')
  for (const { step } of diagnoseConnection(one.api, health).steps)
    out.say(`→ ${page(`doctor.step.${step}`, { percent: health.battery ?? 0 })}`)
}

function describeReason(
  { reason, code, since }: ConnectionHealth,
  page: Translate,
  language: CommandContext['language'],
): string {
  const known = reason === 'qr_not_read' && code === 'none' ? 'not_paired' : reason
  return page(`trouble.reason.${known}`, { since: formatInstant(since, language), code: code ?? '' })
}

function toFactRows(health: ConnectionHealth, language: CommandContext['language']): string[][] {
  const { lastIn, lastOut, waiting, unsure, restarts24h, next, battery, library } = health
  const facts: [key: string, value: string | null][] = [
    ['since', formatInstant(health.since, language)],
    ['lastIn', formatInstant(lastIn, language)],
    ['lastOut', formatInstant(lastOut, language)],
    ['waiting', String(waiting)],
    ['unsure', unsure > 0 ? String(unsure) : null],
    ['restarts', String(restarts24h)],
    ['nextTry', next.at && formatInstant(next.at, language)],
    ['battery', battery === null ? null : `${battery}%`],
    ['library', `${library.name} ${library.version ?? ''}`.trim()],
  ]
  return facts.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))
}

type Colour = Extract<Tone, 'good' | 'warn' | 'bad'>
/** A colour never stands alone. */
const MARKS: Readonly<Record<Colour, string>> = { good: '✓', warn: '!', bad: '✗' }

function getTone({ status }: Pick<ShownConnection, 'status'>): Colour {
  if (status === 'CONNECTED') return 'good'
  return status === 'DISCONNECTED' || status === 'TIMEOUT' || status === 'LOGGEDOUT' ? 'bad' : 'warn'
}
