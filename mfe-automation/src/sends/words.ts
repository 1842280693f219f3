// How a send stands, in words (decisions §15). Pure.
import { type ConnectionBrief, isLinkedDevice, type MassSend, type SendPreview, shortenText } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatDate, formatTime, hasText, type Texts, toCompanyDay } from '@balcao/ui/i18n'

/** `going` runs, `ok` is done, `waiting` stands still, `danger` stopped by itself, `quiet` is over or has not begun. */
export type SendTone = 'going' | 'ok' | 'waiting' | 'danger' | 'quiet'

export interface SendStateText {
  readonly tone: SendTone
  readonly text: string
}

type SendStateFacts = Pick<
  MassSend,
  'state' | 'stateReason' | 'stateUser' | 'endsAt' | 'resumesAt' | 'endedAt' | 'stateAt'
>

export function describeSendState(send: SendStateFacts & Pick<MassSend, 'falhas'>, t: Texts, now: Date): SendStateText {
  const { state, stateReason, stateUser, endsAt, resumesAt, endedAt, stateAt, falhas } = send
  const by = (key: string) => (stateUser ? t(`${key}By`, { name: stateUser.name }) : t(key))
  switch (state) {
    case 'calculating':
      return { tone: 'quiet', text: t('state.calculating') }
    case 'running':
      return {
        tone: 'going',
        text: endsAt ? t('state.ends', { when: formatWhen(endsAt, t, now) }) : t('state.running'),
      }
    case 'waiting': {
      const why = t(`waits.${stateReason ?? 'turn'}`)
      return { tone: 'going', text: resumesAt ? t('state.resumes', { why, when: formatWhen(resumesAt, t, now) }) : why }
    }
    case 'paused':
      return { tone: 'waiting', text: by('state.paused') }
    case 'stopped':
      return { tone: 'danger', text: t(`stops.${stateReason ?? 'failures'}`) }
    case 'cancelled':
      return { tone: 'quiet', text: by('state.cancelled') }
    case 'done': {
      const when = formatWhen(endedAt ?? stateAt, t, now)
      if (stateReason === 'no_recipients') return { tone: 'quiet', text: t('stops.no_recipients') }
      return {
        tone: 'ok',
        text: falhas > 0 ? t('state.doneFailed', { when, count: falhas }) : t('state.done', { when }),
      }
    }
  }
}

/** When a send would begin, as its connection and its limits stand: a send never says that it begins now where it waits. */
export function describeStart(
  { pace, startsAt }: Pick<SendPreview, 'pace' | 'startsAt'>,
  connection: Pick<ConnectionBrief, 'name' | 'api' | 'status'>,
  t: Texts,
  now: Date,
): string {
  const { name, api, status } = connection
  if (status !== 'CONNECTED') return t(isLinkedDevice(KIND_TABLE[api].can) ? 'foot.noPhone' : 'foot.noLine', { name })
  if (startsAt === null) return t('foot.never', { name })
  const isSoon = Date.parse(startsAt) - now.getTime() < pace.seconds * SOON_MS
  return isSoon ? t('foot.by', { name }) : t('foot.later', { name, when: formatWhen(startsAt, t, now) })
}

/** Two pauses between messages, in ms for each second of the pace. */
const SOON_MS = 2000

/** 'hoje às 11:40', 'amanhã às 11:40', '23/11 às 11:40'. */
export function formatWhen(instant: string, t: Texts, now: Date): string {
  const time = formatTime(instant)
  const day = toCompanyDay(instant)
  if (day === toCompanyDay(now)) return t('when.today', { time })
  if (day === toCompanyDay(new Date(now.getTime() + DAY_MS))) return t('when.tomorrow', { time })
  const date = formatDate(instant)
  return t('when.day', { time, date: day.slice(0, 4) === toCompanyDay(now).slice(0, 4) ? date.slice(0, 5) : date })
}

const DAY_MS = 86_400_000

/** Whom it is for (spec 3 §2). */
export function describeAudience({ allContacts }: Pick<MassSend, 'allContacts'>, t: Texts): string {
  return t(allContacts ? 'recipients.all' : 'recipients.some')
}

/** One line of what it says, for the names of buttons. */
export function summarizeSend({ mensagem }: Pick<MassSend, 'mensagem'>): string {
  const line = mensagem.replace(/\s+/g, ' ').trim()
  return shortenText(line, 40)
}

/** Why somebody is left out, or a message failed, in a few words. */
export function describeReason(reason: string, t: Texts): string {
  return t(hasText('sends', `why.${reason}`) ? `why.${reason}` : 'why.other')
}
