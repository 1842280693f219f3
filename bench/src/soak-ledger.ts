// What befell every message between the customer's phone and the desk, for those that are missing at the end.
import type { BenchDesk } from './desk.ts'

interface Line {
  readonly at: number
  readonly event: string
}

export interface Ledger {
  /** Something that concerns all messages, such as a kill. */
  note(event: string): void
  stop(): void
  /** For each message that is not in the database: its way so far, and what the database knows of its id. */
  stories(desk: BenchDesk): Promise<string[]>
}

/** Listens from now on to every message sent over WhatsApp. */
export function openLedger({ simulator, phones }: BenchDesk): Ledger {
  const start = Date.now()
  const companies = new Map(phones.map(({ company }) => [company.user, [] as Line[]]))
  const messages = new Map<string, { readonly mark: string; readonly company: string; readonly lines: Line[] }>()
  const now = (event: string): Line => ({ at: Date.now() - start, event })
  const stop = simulator.whatsapp.on(event => {
    if (event.type === 'message' && companies.has(event.phone) && event.message.content.type === 'text') {
      const mark = /IN-\w+-\d+\./.exec(event.message.content.text)?.[0]
      if (mark) messages.set(event.message.id, { mark, company: event.phone, lines: [now('written')] })
    } else if (event.type === 'stanza') messages.get(event.id)?.lines.push(now(event.step))
    else if (event.type === 'online' || event.type === 'offline')
      companies.get(event.company)?.push(now(`device ${event.device} ${event.type}`))
  })
  return {
    note: event => companies.forEach(lines => void lines.push(now(event))),
    stop,
    async stories({ sql }) {
      const stored = await sql<
        { body: string }[]
      >`select distinct body from message where body like 'IN-w%' and not from_me`
      const known = new Set(stored.map(({ body }) => body))
      const missing = [...messages].filter(([, { mark }]) => !known.has(mark))
      return Promise.all(
        missing.map(async ([id, { mark, company, lines }]) => {
          const around = (companies.get(company) ?? []).filter(({ at }) => isNear(at, lines))
          const listed = [...lines, ...around]
            .sort((a, b) => a.at - b.at)
            .map(({ at, event }) => `    ${at} ms: ${event}`)
          const raw = await sql<{ key: string; error: string | null }[]>`
            select key, error from raw_event where key like ${`%:${id}`}`
          const events = raw.map(({ key, error }) => `    raw event ${key}${error ? `: ${error}` : ''}`)
          return [`${mark} (${id}, ${company})`, ...listed, ...events].join('\n')
        }),
      )
    },
  }
}

function isNear(at: number, lines: readonly Line[]): boolean {
  return at > (lines.at(0)?.at ?? 0) - 5000 && at < (lines.at(-1)?.at ?? 0) + 5000
}
