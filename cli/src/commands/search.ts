// Messages of every conversation one may see, by their words, who wrote them, when, and of which kind.
import { type MessageHit, SEARCH_KINDS, type Ticket } from '@balcao/contract'
import en from '../../locales/search/en.json'
import es from '../../locales/search/es.json'
import pt from '../../locales/search/pt.json'
import { defineCommand } from '../kit/command.ts'
import { parseChoice, parseId, parsePeriod, parsePeriodPhrase, pick } from '../kit/pick.ts'
import { formatInstant } from '../kit/when.ts'

const STATUSES = ['pending', 'open', 'paused', 'closed'] as const
const MOST = 1000

export const search = defineCommand({
  name: 'search',
  texts: { pt, en, es },
  args: { words: '[words]' },
  options: {
    when: '--when <period>',
    from: '--from <day>',
    to: '--to <day>',
    by: '--by <person>',
    kind: '--kind <kind>',
    status: '--status <status>',
    queue: '--queue <queue>',
    contact: '--contact <name>',
    limit: '--limit <number>',
  },
  async run({ args, options, out, t, language, desk, during }) {
    const most = Math.min(MOST, parseId(options.limit ?? '20'))
    const kind = options.kind === undefined ? undefined : parseChoice(options.kind, SEARCH_KINDS)
    const status = options.status === undefined ? undefined : parseChoice(options.status, STATUSES)
    const [firstDate, lastDate] = parsePeriod(options.when === undefined ? options : parsePeriodPhrase(options.when))
    const { api } = await desk()
    const queue = options.queue === undefined ? undefined : pick(await api('GET /queue'), options.queue)
    const query = {
      searchMessage: args.words,
      searchContact: options.contact,
      writtenBy:
        options.by === undefined || options.by === 'contact'
          ? options.by
          : String(pick((await api('GET /users', { query: { all: 'true' } })).users, options.by).id),
      queueIds: queue && JSON.stringify([queue.id]),
      showAll: 'true' as const,
      ...{ kind, status, firstDate, lastDate },
    }
    const hits: MessageHit[] = []
    const tickets = new Map<number, Ticket>()
    let cursor: string | undefined
    do {
      const page = await during(t('asking'), api('GET /tickets/messages', { query: { ...query, cursor } }))
      hits.push(...page.hits)
      for (const ticket of page.tickets) tickets.set(ticket.id, ticket)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && hits.length < most)
    const rows = hits.slice(0, most)
    const hasMore = cursor !== undefined || hits.length > most
    out.answer({ messages: rows, hasMore }, () => {
      if (rows.length === 0) return out.line(t('none'))
      out.table(rows, [
        { title: t('at'), of: row => formatInstant(row.createdAt, language) },
        { title: t('contact'), of: row => tickets.get(row.ticketId)?.contact.name, gives: true, tone: () => 'strong' },
        { title: t('by'), of: row => (row.fromMe ? `→ ${row.name}` : `← ${row.name}`), gives: true },
        { title: t('message'), of: row => row.text || `[${row.mediaType}]`, gives: true },
        { title: t('ticket'), of: row => row.ticketId, right: true, tone: () => 'muted' },
      ])
      if (hasMore) out.note(out.paint(t('hasMore'), 'muted'))
    })
  },
})
