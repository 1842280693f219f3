// The newest tickets that a search walks through, and where its next page goes on.
import { createFieldError } from '../../platform/http/errors.ts'
import type { PageBounds } from '../../platform/http/paging.ts'
import type { TicketSlice } from './list.ts'

/** The last ticket that was looked through; null where there are no more. */
export type WalkEnd = PageBounds['after']

/** Where each part of a search goes on; null: it has seen all tickets. */
export interface SearchPlace {
  readonly messages: WalkEnd
  readonly names: WalkEnd
}

/** Throws `ERR_VALIDATION` for a cursor that is not of a search. */
export function parseSearchPlace(cursor: string | undefined): SearchPlace | null {
  if (cursor === undefined) return null
  try {
    const [messages, names]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const place = { messages: parseWalkEnd(messages), names: parseWalkEnd(names) }
    if (place.messages || place.names) return place
  } catch {
    // not one of ours: refused below like any other
  }
  throw createFieldError('cursor', 'call.cursor')
}

/** Null where there is nothing to go on with. */
export function toSearchCursor({ messages, names }: SearchPlace): string | null {
  if (!messages && !names) return null
  const ends = [messages, names].map(end => end && [end.text, end.id])
  return Buffer.from(JSON.stringify(ends)).toString('base64url')
}

function parseWalkEnd(end: unknown): WalkEnd {
  if (!Array.isArray(end)) return null
  const [text, id]: unknown[] = end
  const isPlace = typeof text === 'string' && !Number.isNaN(Date.parse(text)) && Number.isInteger(id)
  return isPlace ? { text, id: Number(id) } : null
}

/** The newest tickets of a choice, each asked for once, however many look through them and however far. */
export class NewestTickets {
  private known: TicketSlice
  private isWhole = false
  private asking: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly ask: (limit: number, after: WalkEnd) => Promise<TicketSlice>,
    after: WalkEnd,
  ) {
    this.known = { ids: [], end: after }
  }

  /** The last of those that were asked for. */
  get end(): WalkEnd {
    return this.known.end
  }

  first(limit: number): Promise<readonly number[]> {
    const request = this.asking.then(() => this.upTo(limit))
    // Who asked hears of a failure; the next one asks again.
    this.asking = request.catch(() => {})
    return request
  }

  private async upTo(limit: number): Promise<readonly number[]> {
    const missing = limit - this.known.ids.length
    if (missing > 0 && !this.isWhole) {
      const { ids, end } = await this.ask(missing, this.known.end)
      this.known = { ids: [...this.known.ids, ...ids], end }
      this.isWhole = ids.length < missing
    }
    return this.known.ids.slice(0, limit)
  }
}
