// Tickets: those one may see, one of them with its conversation, an answer, and what happens while one looks on.
import type { Message, Ticket } from '@balcao/contract'
import { toSafeHref } from '@balcao/contract/messages/whatsapp-text'
import answerEn from '../../locales/tickets-answer/en.json'
import answerEs from '../../locales/tickets-answer/es.json'
import answerPt from '../../locales/tickets-answer/pt.json'
import listEn from '../../locales/tickets-list/en.json'
import listEs from '../../locales/tickets-list/es.json'
import listPt from '../../locales/tickets-list/pt.json'
import showEn from '../../locales/tickets-show/en.json'
import showEs from '../../locales/tickets-show/es.json'
import showPt from '../../locales/tickets-show/pt.json'
import watchEn from '../../locales/tickets-watch/en.json'
import watchEs from '../../locales/tickets-watch/es.json'
import watchPt from '../../locales/tickets-watch/pt.json'
import { readPipe } from '../kit/ask.ts'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import type { LayoutColumn } from '../kit/layout.ts'
import { openLive } from '../kit/live.ts'
import { parseChoice, parseId, parsePeriodPhrase, pick } from '../kit/pick.ts'
import { sendMessage } from '../kit/say.ts'
import { cut, measureWidth, toSafeLine, wrapText } from '../kit/text.ts'
import { formatClock, formatInstant } from '../kit/when.ts'

const STATUSES = ['pending', 'open', 'paused', 'bot', 'nps', 'group', 'closed', 'closedGroup'] as const
const PAGE = 40
const MOST = 1000

export const listTickets = defineCommand({
  name: 'tickets list',
  texts: { pt: listPt, en: listEn, es: listEs },
  options: {
    status: '--status <status>',
    queue: '--queue <queue>',
    search: '--search <words>',
    all: '--all',
    followed: '--followed',
    late: '--late',
    limit: '--limit <number>',
  },
  async run({ options, out, t, language, desk, during }) {
    const status = parseChoice(options.status ?? 'open', STATUSES)
    const most = Math.min(MOST, parseId(options.limit ?? '20'))
    if (options.followed && (options.status || options.search || options.all || options.late))
      throw new Failure('followedAlone', {}, 2)
    const { api } = await desk()
    const queue = options.queue === undefined ? undefined : pick(await api('GET /queue'), options.queue)
    const query = {
      status,
      searchParam: options.search,
      showAll: options.all ? ('true' as const) : undefined,
      late: options.late ? ('true' as const) : undefined,
      queueIds: queue && JSON.stringify([queue.id]),
    }
    const tickets: Ticket[] = []
    let cursor: string | undefined
    if (options.followed) {
      // A few, in one answer, of whatever status.
      const followed = await during(t('asking'), api('GET /tickets/followed'))
      tickets.push(...followed.filter(ticket => !queue || ticket.queueId === queue.id).slice(0, most))
    } else {
      do {
        const limit = Math.min(PAGE, most - tickets.length)
        const page = await during(t('asking'), api('GET /tickets', { query: { ...query, limit, cursor } }))
        tickets.push(...page.tickets)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined && tickets.length < most)
    }
    const hasMore = cursor !== undefined || tickets.length > most
    // A search answers with as many as it found.
    tickets.splice(most)
    out.answer({ tickets, hasMore }, () => {
      if (tickets.length === 0) return out.line(t('none'))
      const columns = makeColumns(t, language)
      const isDue = tickets.some(ticket => ticket.answerDueAt !== null)
      out.table(tickets, isDue ? columns.toSpliced(-1, 0, makeDueColumn(t, language)) : columns)
      if (hasMore) out.note(out.paint(t('hasMore'), 'muted'))
    })
  },
})

export const showTicket = defineCommand({
  name: 'tickets show',
  texts: { pt: showPt, en: showEn, es: showEs },
  args: { id: '<id>' },
  options: { messages: '--messages <number>', when: '--when <period>' },
  async run({ args, options, out, t, language, desk }) {
    const id = parseId(args.id)
    const limit = Math.min(100, parseId(options.messages ?? '20'))
    const at = options.when === undefined ? undefined : parsePeriodPhrase(options.when).from
    const { api } = await desk()
    const ticket = await api('GET /tickets/:id', { params: { id } })
    const { messages } = await api('GET /messages/:ticketId', { params: { ticketId: id }, query: { limit, at } })
    out.answer({ ticket, messages }, () => {
      const { contact, queue, user, whatsapp } = ticket
      out.line(`${out.paint(toSafeLine(contact.name), 'strong')} ${out.paint(contact.number ?? '', 'muted')}`)
      const facts = [
        t(`status.${ticket.status}`),
        queue?.name ?? t('noQueue'),
        user?.name ?? t('nobody'),
        whatsapp.name,
      ]
      out.say(facts.map(toSafeLine).join(' · '), 'muted')
      for (const message of messages) for (const line of renderMessageLines(message, out, t, language)) out.line(line)
    })
  },
})

export const answerTicket = defineCommand({
  name: 'tickets answer',
  texts: { pt: answerPt, en: answerEn, es: answerEs },
  args: { id: '<id>', text: '[text]' },
  options: { comment: '--comment' },
  async run({ args, options, out, t, ask, desk, during }) {
    const ticketId = parseId(args.id)
    const here = await desk()
    const text = args.text ?? (ask.isThere ? await ask.line(t('text')) : await readPipe())
    if (text.trim() === '') throw new Failure('nothingToSay', {}, 2)
    const message = await during(t('sending'), sendMessage(here, ticketId, options.comment ? `--${text}` : text))
    out.answer({ message }, () => out.done(t(options.comment ? 'noted' : 'queued')))
  },
})

export const watchTickets = defineCommand({
  name: 'tickets watch',
  texts: { pt: watchPt, en: watchEn, es: watchEs },
  options: { queue: '--queue <queue>' },
  async run({ options, out, t, language, ending, desk }) {
    const here = await desk()
    const queue = options.queue === undefined ? undefined : pick(await here.api('GET /queue'), options.queue)
    const seen = new Map<number, string>()
    const { line, over } = openLive(here, ending, news => {
      if (news === 'gap') out.event({ event: 'gap' }, () => undefined)
      const isWell = news === 'live' || news === 'back'
      out.note(isWell ? out.paint(t(news), 'muted') : out.paint(`! ${t(news)}`, 'warn'))
    })
    line.on('ticket', event => {
      if (event.action === 'delete' || (queue && event.ticket.queueId !== queue.id)) return
      const { ticket } = event
      // Not what changed beside it, such as that somebody has read it.
      const now = [ticket.status, ticket.lastMessageAt, ticket.lastMessage, ticket.userId, ticket.queueId].join()
      if (seen.get(ticket.id) === now) return
      seen.set(ticket.id, now)
      out.event({ event: 'ticket', action: event.action, ticket }, () =>
        renderWatchedLines(ticket, out, t, language).forEach(each => void out.line(each)),
      )
    })
    line.start()
    await over
  },
})

function makeColumns(t: CommandContext['t'], language: CommandContext['language']): readonly LayoutColumn<Ticket>[] {
  return [
    { title: t('contact'), of: row => row.contact.name, gives: true, tone: () => 'strong' },
    { title: t('state'), of: row => t(`status.${row.status}`) },
    { title: t('queue'), of: row => row.queue?.name, gives: true },
    { title: t('person'), of: row => row.user?.name, gives: true },
    { title: t('last'), of: row => (row.lastMessageFromMe ? `→ ${row.lastMessage}` : row.lastMessage), gives: true },
    { title: t('at'), of: row => formatInstant(row.lastMessageAt, language), right: true },
    { title: t('unread'), of: row => row.unreadMessages || '', right: true, tone: () => 'good' },
    { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
  ]
}

/** Until when the answer is due, late ones in red. */
function makeDueColumn(t: CommandContext['t'], language: CommandContext['language']): LayoutColumn<Ticket> {
  return {
    title: t('due'),
    of: ({ answerDueAt }) => (answerDueAt === null ? '' : formatInstant(answerDueAt, language)),
    right: true,
    tone: ({ answerDueAt }) => (answerDueAt !== null && Date.parse(answerDueAt) < Date.now() ? 'bad' : 'muted'),
  }
}

/** A message of a conversation: who, when, and its words below one another. */
function renderMessageLines(
  message: Message,
  out: CommandContext['out'],
  t: CommandContext['t'],
  language: CommandContext['language'],
): string[] {
  const author = message.fromMe ? (message.user?.name ?? t('us')) : message.contact.name
  const head = `${formatInstant(message.createdAt, language)} ${renderWay(message)} ${toSafeLine(author)}`
  const words = message.isDeleted ? [t('deleted')] : message.body.split('\n').map(toSafeLine)
  const text = words.join('').trim() === '' ? [`[${message.media?.name ?? message.mediaType}]`] : words
  const room = Math.max(20, Math.min(out.columns, 100) - 2)
  const isWrong = message.state === 'failed' || message.state === 'unknown'
  return [
    '',
    out.paint(cut(head, out.columns), 'muted') +
      (isWrong ? ` ${out.paint(`✗ ${t(`sent.${message.state}`)}`, 'bad')}` : ''),
    ...text.flatMap(each => wrapText(toSafeLine(each), room)).map(each => `  ${each}`),
    ...describeLink(message).map(each => `  ${out.paint(cut(each, room), 'muted')}`),
  ]
}

/** To the customer, from them, or for the team alone. */
function renderWay({ mediaType, fromMe }: Message): string {
  if (mediaType === 'comment' || mediaType === 'system') return '·'
  return fromMe ? '→' : '←'
}

/** What stands on the card of a link: the title, and the site that it really leads to. */
function describeLink({ details }: Message): string[] {
  const { title = '', address = '' } = details?.link ?? {}
  const href = toSafeHref(address)
  return href ? [`↗ ${toSafeLine(title)} · ${new URL(href).hostname}`] : []
}

/** In one line where it fits, else below one another, broken between words. */
function renderWatchedLines(
  ticket: Ticket,
  out: CommandContext['out'],
  t: CommandContext['t'],
  language: CommandContext['language'],
): string[] {
  const { paint, columns } = out
  const { contact, queue, user, status, lastMessage, lastMessageFromMe } = ticket
  const where = [queue?.name, user?.name].flatMap(name => (name ? [toSafeLine(name)] : [])).join(' · ')
  const [at, customer] = [formatClock(language), toSafeLine(contact.name)]
  const state = `#${ticket.id} ${t(`status.${status}`)}${where && ` · ${where}`}`
  const preview = lastMessage ? [`${lastMessageFromMe ? '→' : '←'} ${toSafeLine(lastMessage)}`] : []
  const head = `${paint(at, 'muted')} ${paint(cut(customer, columns - measureWidth(at) - 1), 'strong')}`
  if (measureWidth([`${at} ${customer}`, state, ...preview].join('  ')) <= columns)
    return [[head, paint(state, 'muted'), ...preview].join('  ')]
  const below = (text: string) => wrapText(text, columns - 2)
  return [
    head,
    ...below(state).map(each => `  ${paint(each, 'muted')}`),
    ...preview.flatMap(below).map(each => `  ${each}`),
  ]
}
