// Connections: how all of them are, or one of them and what to do now (decisions-2 §17, §21).
import type { Connection, ConnectionBrief, ConnectionHealth } from '@balcao/contract'
import { diagnosisOf } from '@balcao/contract/doctor'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { formatPhone } from '@balcao/contract/phone'
import en from '../../locales/connections/en.json'
import es from '../../locales/connections/es.json'
import pt from '../../locales/connections/pt.json'
import { type Call, command } from '../kit/command.ts'
import type { Tone } from '../kit/layout.ts'
import { CONNECTION_TEXTS } from '../kit/pages.ts'
import { pick } from '../kit/pick.ts'
import { oneLine } from '../kit/text.ts'
import { type Texts, textsOf } from '../kit/texts.ts'
import { when } from '../kit/when.ts'

export const connections = command({
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

type Known = Connection | ConnectionBrief

function listAll({ out, t, language }: Pick<Call, 'out' | 't' | 'language'>, all: readonly Known[]) {
  const page = textsOf(language, CONNECTION_TEXTS)
  out.answer({ connections: all }, () => {
    if (all.length === 0) return out.line(t('none'))
    out.table(all, [
      { title: t('name'), of: row => row.name, gives: true, tone: () => 'strong' },
      { title: t('kind'), of: row => KIND_TABLE[row.api].label },
      {
        title: t('state'),
        of: row => `${MARKS[toneOf(row)]} ${page(`status.${row.status}`)}`,
        tone: toneOf,
      },
      { title: t('number'), of: row => ('number' in row && row.number ? formatPhone(row.number) : '') },
      { title: t('waiting').toUpperCase(), of: row => ('waiting' in row ? row.waiting || '' : ''), right: true },
      {
        title: t('since').toUpperCase(),
        of: row => ('trouble' in row && row.trouble ? when(row.trouble.since, language) : ''),
      },
      { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
    ])
  })
  return all.every(({ status }) => status === 'CONNECTED') ? 0 : 1
}

function showOne({ out, t, language }: Pick<Call, 'out' | 't' | 'language'>, one: Known, health: ConnectionHealth) {
  const { paint } = out
  const page = textsOf(language, CONNECTION_TEXTS)
  const tone = toneOf(health)
  const words = `${MARKS[tone]} ${page(`status.${health.status}`)}`
  out.line(`${paint(oneLine(one.name), 'strong')} ${paint(KIND_TABLE[one.api].label, 'muted')}  ${paint(words, tone)}`)
  for (const [key = '', value = ''] of factsOf(health, language)) out.detail(`${paint(`${t(key)}:`, 'muted')} ${value}`)
  if (health.reason && health.status !== 'CONNECTED') out.say(reasonOf(health, page, language), 'warn')
  for (const { step } of diagnosisOf(one.api, health).steps)
    out.say(`→ ${page(`doctor.step.${step}`, { percent: health.battery ?? 0 })}`)
}

function reasonOf({ reason, code, since }: ConnectionHealth, page: Texts, language: Call['language']): string {
  const known = reason === 'qr_not_read' && code === 'none' ? 'not_paired' : reason
  return page(`trouble.reason.${known}`, { since: when(since, language), code: code ?? '' })
}

function factsOf(health: ConnectionHealth, language: Call['language']): string[][] {
  const { lastIn, lastOut, waiting, unsure, restarts24h, next, battery, library } = health
  const facts: [key: string, value: string | null][] = [
    ['since', when(health.since, language)],
    ['lastIn', when(lastIn, language)],
    ['lastOut', when(lastOut, language)],
    ['waiting', String(waiting)],
    ['unsure', unsure > 0 ? String(unsure) : null],
    ['restarts', String(restarts24h)],
    ['nextTry', next.at && when(next.at, language)],
    ['battery', battery === null ? null : `${battery}%`],
    ['library', `${library.name} ${library.version ?? ''}`.trim()],
  ]
  return facts.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))
}

type Colour = Extract<Tone, 'good' | 'warn' | 'bad'>
/** A colour never stands alone. */
const MARKS: Readonly<Record<Colour, string>> = { good: '✓', warn: '!', bad: '✗' }

function toneOf({ status }: Pick<Known, 'status'>): Colour {
  if (status === 'CONNECTED') return 'good'
  return status === 'DISCONNECTED' || status === 'TIMEOUT' || status === 'LOGGEDOUT' ? 'bad' : 'warn'
}
